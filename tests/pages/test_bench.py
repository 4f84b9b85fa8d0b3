"""What can be done to the matrices on the bench: edits, sizes, names, paint, undo, and their way through the link."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core import examples
from core.errors import InputError
from core.matrix_text import MAX_SIDE, check, parse, spell
from pages.views import sizes
from pages.views.tokens import join, named, split
from tests.pages.conftest import Open

NUMBER = st.floats(-1e6, 1e6, allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, MAX_SIDE).flatmap(lambda w: st.lists(st.tuples(*[NUMBER] * w), min_size=1, max_size=MAX_SIDE)))
def test_a_matrix_survives_the_link_to_the_last_bit(rows: list[tuple[float, ...]]) -> None:
    matrix = tuple(rows)
    assert parse(spell(matrix)) == matrix


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("", "empty", {}),
        ("1,2;3", "ragged", {"row": 2, "got": 1, "expected": 2}),
        ("1,x", "not_number", {"row": 1, "column": 2, "value": "x"}),
        ("1;nan", "not_finite", {"row": 2, "column": 1}),
        ("1e999", "not_finite", {"row": 1, "column": 1}),
        ("1,;2,3", "empty_cell", {"row": 1, "column": 2}),
        ("1000001", "too_large", {"row": 1, "column": 1}),
        (";".join(["1"] * 13), "sides", {"rows": 13, "limit": 12}),
        (",".join(["1"] * 13), "sides", {"columns": 13, "limit": 12}),
        ("1_0", "not_number", {"row": 1, "column": 1}),
    ],
)
def test_a_bad_matrix_is_refused_by_its_cell(text: str, code: str, values: dict[str, object]) -> None:
    with pytest.raises(InputError) as refused:
        parse(text, "Q")
    assert refused.value.code == code
    assert {name: refused.value.values[name] for name in values} == values


def test_an_emptied_cell_is_refused_by_its_place() -> None:
    with pytest.raises(InputError) as refused:
        check([["1", "2"], ["3", ""]], "K")
    assert (refused.value.code, refused.value.values["row"], refused.value.values["column"]) == ("empty_cell", 2, 2)


def edit(at: AppTest, name: str, row: int, column: int, value: float | str | None) -> None:
    """Edit one cell of the open editor, as the browser would report it."""
    key = f"editor_{name}_{at.session_state['_tables'][name].number}"
    rows = dict(at.session_state[key]["edited_rows"]) if key in at.session_state else {}
    rows[row] = {**rows.get(row, {}), f"{name}·{column + 1}": value}
    at.session_state[key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}


def test_two_edits_in_a_row_both_stay_and_reset_brings_the_example_back(open_page: Open) -> None:
    at = open_page("worked_example", step="5")
    edit(at, "q", 0, 0, 0.00390625)
    at.run()
    edit(at, "q", 1, 1, 4.5)
    at.run()
    assert not at.exception
    assert at.session_state["q"][0][0] == 0.00390625
    assert at.session_state["q"][1][1] == 4.5
    assert at.query_params["q"] in ("0.00390625,0,1,0;0,4.5,0,1;1,1,1,1", ["0.00390625,0,1,0;0,4.5,0,1;1,1,1,1"])
    at.button(key="back_to_example").click().run()
    assert at.session_state["q"] == examples.notes().matrices["q"]
    assert "q" not in at.query_params


def test_an_emptied_cell_keeps_the_other_edits_and_is_named(open_page: Open) -> None:
    at = open_page("worked_example")
    edit(at, "q", 0, 0, 3.0)
    at.run()
    edit(at, "q", 2, 3, None)
    at.run()
    assert not at.exception
    assert len(at.error) == 1
    assert "row 3, column 4" in at.error[0].value
    assert at.session_state["q"][0][0] == 3.0
    assert at.get("vega_lite_chart")


def test_matrices_that_do_not_fit_are_refused_with_both_sizes(open_page: Open) -> None:
    at = open_page("worked_example", q="1,2;3,4")
    assert not at.exception
    assert len(at.warning) == 1
    assert "2" in at.warning[0].value
    assert "4" in at.warning[0].value
    assert at.session_state["q"] == examples.notes().matrices["q"]


@pytest.mark.parametrize("text", ["abc", "1e9", "1,5", "--1", ""])
def test_what_is_typed_and_cannot_be_read_is_said_and_never_becomes_another_number(open_page: Open, text: str) -> None:
    at = open_page("worked_example")
    edit(at, "q", 0, 1, text)
    at.run()
    assert len(at.error) == 1
    assert "row 1, column 2" in at.error[0].value
    assert at.session_state["q"] == examples.notes().matrices["q"]
    assert at.button(key="back_to_example")


def only(value: str | list[str]) -> str:
    return value if isinstance(value, str) else value[0]


@pytest.mark.parametrize("name", [*examples.FIXED, *examples.SIZED])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_source_stands_in_every_step_and_in_both_languages(open_page: Open, name: str, lang: str) -> None:
    at = open_page("worked_example", lang, source=name)
    for _ in range(7):
        assert not at.exception
        assert not at.warning
        assert at.get("vega_lite_chart")
        if at.button(key="step_on").disabled:
            return
        at.button(key="step_on").click().run()
    raise AssertionError("the steps do not end")


def test_another_source_starts_anew_even_from_its_last_step_and_query(open_page: Open) -> None:
    at = open_page("worked_example", source="sentence", step="6", query="12", mask="lower_right")
    at.session_state["source"] = "raw"
    at.run()
    assert not at.exception
    assert only(at.query_params["source"]) == "raw"
    assert at.session_state["step"] == 4
    at.session_state["source"] = "cross"
    at.run()
    assert not at.exception
    assert at.slider(key="query").value == 1


@pytest.mark.parametrize(
    ("axis", "changed"), [("n_q", {"q"}), ("n_k", {"k", "v"}), ("d_k", {"q", "k"}), ("d_v", {"v"})]
)
def test_a_size_changes_every_matrix_that_shares_it_and_undo_brings_them_back(
    open_page: Open, axis: str, changed: set[str]
) -> None:
    at = open_page("worked_example", step="5")
    before = {name: at.session_state[name] for name in "qkv"}
    at.button(key=f"more_{axis}").click().run()
    assert not at.exception
    assert {name for name in "qkv" if at.session_state[name] != before[name]} == changed
    at.button(key="undo").click().run()
    assert {name: at.session_state[name] for name in "qkv"} == before
    assert at.button(key="undo").disabled
    at.button(key=f"less_{axis}").click().run()
    assert {name for name in "qkv" if at.session_state[name] != before[name]} == changed
    assert not at.exception


def test_sizes_end_at_one_and_at_twelve(open_page: Open) -> None:
    at = open_page("worked_example", q=",".join("1" * 12), k=",".join("1" * 12), v="1")
    assert at.button(key="more_d_k").disabled
    assert at.button(key="less_n_q").disabled
    assert not at.button(key="less_d_k").disabled


@given(st.sampled_from([*sizes.AXES]), st.data())
def test_replaced_matrices_always_fit_and_keep_the_cells_that_remain(start: str, data: st.DataObject) -> None:
    side = st.integers(1, MAX_SIDE)
    axes = {axis for pair in sizes.AXES[start].values() for axis in pair}
    size = {axis: data.draw(side) for axis in axes}
    matrices = {
        name: tuple(tuple(float(r * 20 + c) for c in range(size[columns])) for r in range(size[rows]))
        for name, (rows, columns) in sizes.AXES[start].items()
    }
    name = data.draw(st.sampled_from([*matrices]))
    new = ((7.0,) * data.draw(side),) * data.draw(side)
    given_, moved = sizes.replaced(start, matrices, name, new)
    assert given_[name] == new
    sizes.sizes(start, given_)
    for other, matrix in given_.items():
        if other == name:
            continue
        assert any(one.name == other for one in moved) == (sizes.shape(matrix) != sizes.shape(matrices[other]))
        for r, row in enumerate(matrix):
            for c, value in enumerate(row):
                inside = r < len(matrices[other]) and c < len(matrices[other][0])
                assert value == (matrices[other][r][c] if inside else 0.0)


def test_a_painted_mask_is_in_the_link_and_a_row_without_keys_is_named_with_its_cause(open_page: Open) -> None:
    at = open_page("worked_example", step="5", paint="110;000;111")
    assert not at.exception
    assert not at.warning
    assert any("q2" in info.value and "painted" in info.value for info in at.info)
    key = f"editor_paint_{at.session_state['_tables']['paint'].number}"
    column = next(name for name in read_columns(at) if name.endswith("·2"))
    at.session_state[key] = {"edited_rows": {1: {column: True}}, "added_rows": [], "deleted_rows": []}
    at.run()
    assert only(at.query_params["paint"]) == "110;010;111"
    assert not at.info
    at.button(key="paint_none").click().run()
    assert "paint" not in at.query_params


def read_columns(at: AppTest) -> list[str]:
    """The columns of the table in which a mask is painted."""
    return [f"{number} k{number}·{number}" for number in range(1, len(at.session_state["k"]) + 1)]


@pytest.mark.parametrize(
    ("link", "cause"),
    [
        ({"padding": "3"}, "padding"),
        ({"near": "0", "mask": "upper_left", "padding": "1", "query": "3"}, "padding"),
        ({"reading": "hide", "mask": "lower_right"}, "other way round"),
    ],
)
def test_masks_are_joined_and_their_empty_rows_named(open_page: Open, link: dict[str, str], cause: str) -> None:
    at = open_page("worked_example", step="5", **link)
    assert not at.exception
    assert not at.warning
    assert any(cause in info.value for info in at.info)


def test_names_of_any_script_survive_the_link_and_label_the_board(open_page: Open) -> None:
    at = open_page("worked_example", step="5", query_names="注意力|注意力|👩\u200d🔬", key_names="je suis|là|été")
    assert not at.exception
    assert not at.warning
    assert at.session_state["query_names"] == ("注意力", "注意力", "👩\u200d🔬")
    assert only(at.query_params["key_names"]) == "je suis|là|été"
    assert any("注意力" in head.value for head in at.subheader)


@given(
    st.lists(
        st.text(
            st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="|"), min_size=1, max_size=48
        ),
        min_size=1,
        max_size=MAX_SIDE,
    )
)
def test_names_survive_their_text(names: list[str]) -> None:
    assert split(join(names)) == tuple(names)
    assert named(names, len(names) + 1, "q") == (*names, f"q{len(names) + 1}")


@pytest.mark.parametrize(("text", "code"), [("a " * 13, "names"), ("a" * 49, "name_length")])
def test_too_many_or_too_long_names_are_refused(text: str, code: str) -> None:
    with pytest.raises(InputError) as refused:
        split(text)
    assert refused.value.code == code


def test_changing_the_source_can_be_undone_with_the_edits_and_the_seed(open_page: Open) -> None:
    at = open_page("worked_example", source="random", seed="5")
    edit(at, "q", 0, 0, "9")
    at.run()
    edited = at.session_state["q"]
    at.session_state["source"] = "library"
    at.run()
    assert not at.exception
    at.button(key="undo").click().run()
    assert not at.exception
    assert (at.session_state["source"], at.session_state["seed"]) == ("random", 5)
    assert at.session_state["q"] == edited
    assert only(at.query_params["q"]).startswith("9,")


def test_a_size_button_counts_from_what_is_there_when_it_is_pressed(open_page: Open) -> None:
    at = open_page("worked_example")
    grown = (*at.session_state["q"], (0.0,) * 4)
    button = at.button(key="more_n_q")
    # Another change has come since the button was drawn.
    at.session_state["q"] = grown
    button.click().run()
    assert not at.exception
    assert len(at.session_state["q"]) == 5


def test_a_minus_sign_as_the_page_writes_it_is_read() -> None:
    assert check([["−2", "-2"]]) == ((-2.0, -2.0),)


STATES = [
    {"mistake": "axis"},
    {"mistake": "mask_after", "mask": "lower_right"},
    {"mistake": "no_max", "scale": "free", "temperature": "0.1", "q": "1000,0,1,0;0,1,0,1;1,1,1,1"},
    {"fill": "1e9", "paint": "000;111;111"},
    {"precision": "float16", "mistake": "no_max", "paint": "000;111;111"},
]


@pytest.mark.parametrize("link", STATES)
def test_the_take_away_of_a_demonstration_says_what_is_right_and_what_is_shown(
    open_page: Open, link: dict[str, str]
) -> None:
    shown = open_page("worked_example", step="5", **link).success[0].value
    usual = {key: value for key, value in link.items() if key not in ("mistake", "fill", "precision")}
    right = open_page("worked_example", step="5", **usual)
    assert "on purpose" in shown
    step = right.success[0].value
    if "nothing to look at" not in step:
        assert step.partition("(")[2].partition(")")[0] in shown


def test_a_weight_that_is_removed_after_the_softmax_is_written_as_removed(open_page: Open) -> None:
    at = open_page("worked_example", step="4", mistake="mask_after", mask="lower_right")
    formula = next(latex.value for latex in at.latex if "a_{12}" in latex.value)
    assert r"\cdot 0 = 0.0000" in formula
    assert formula.count(r"\cdot 0") == 2


def test_subscripts_of_two_digits_are_parted(open_page: Open) -> None:
    at = open_page("worked_example", source="sentence", step="5")
    text = " ".join(latex.value for latex in at.latex)
    assert "a_{10,3}" in text
    assert "a_{103}" not in text


MARKS = "[l](http://a.b)|$x$|**b**"


def test_names_are_shown_as_they_are_and_never_as_markdown(open_page: Open) -> None:
    at = open_page("worked_example", step="5", query_names=MARKS, mask="lower_right", paint="000;111;111")
    assert not at.exception
    for element in (*at.subheader, *at.info, *at.success, *at.markdown):
        assert not re.search(r"(?<!\\)\]\(http", element.value)
        assert "**b**" not in element.value
