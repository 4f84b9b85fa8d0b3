"""The worked example: its numbers against independent routes, its code, and all that can be done to its matrices."""

import math
import re
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.claims import printed
from core.errors import InputError
from core.matrix_text import MAX_SIDE, check, parse, spell
from pages.ui.draw import read
from pages.views import arithmetic, board
from pages.views import worked_example as view
from tests.pages.conftest import Open

NUMBER = st.floats(-1e6, 1e6, allow_nan=False)


def by_hand(params: view.Params) -> tuple[list[list[float]], list[list[float]]]:
    """Attend in plain Python, cell by cell."""
    weights, output = [], []
    for i, q_row in enumerate(params.q):
        scores = [sum(a * b for a, b in zip(q_row, k_row, strict=True)) / math.sqrt(len(q_row)) for k_row in params.k]
        last = {"none": len(params.k), "lower_right": i + len(params.k) - len(params.q), "upper_left": i}[params.mask]
        visible = [j <= last for j in range(len(params.k))]
        highest = max((s for s, seen in zip(scores, visible, strict=True) if seen), default=0.0)
        powers = [math.exp(s - highest) if seen else 0.0 for s, seen in zip(scores, visible, strict=True)]
        row = [power / (sum(powers) or 1.0) for power in powers]
        weights.append(row)
        output.append([sum(a * v[c] for a, v in zip(row, params.v, strict=True)) for c in range(len(params.v[0]))])
    return weights, output


def bench(params: view.Params) -> view.Bench:
    return view.compute(params, tuple("captions"[:5]), ("keys", "queries"))


def at_step(params: view.Params, step: int) -> pd.DataFrame:
    """The cells that stand on the board in one step."""
    cells = read(bench(params).cells)
    return cells[(cells["first"] <= step) & (step <= cells["last"])]


@pytest.mark.parametrize("mask", view.MASKS)
def test_the_page_shows_what_plain_python_computes(mask: str) -> None:
    params = view.Params(printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V, mask)
    weights, output = by_hand(params)
    cells = at_step(params, 5)
    for name, expected in (("A", weights), ("O", output)):
        shown = cells[cells["m"] == name]
        for row, column, value in zip(shown["r"], shown["c"], shown["value"], strict=True):
            assert value == pytest.approx(expected[row][column], abs=1e-12)


def test_the_board_is_laid_out_as_the_products_are() -> None:
    cells = at_step(view.NOTES, 5)
    places = dict(iter(cells.groupby("m")))
    assert set(places["Q"]["y"]) == set(places["S"]["y"]) == set(places["A"]["y"]) == set(places["O"]["y"])
    assert set(places["K"]["x"]) == set(places["S"]["x"])
    assert set(places["V"]["x"]) == set(places["O"]["x"])
    assert not cells.duplicated(["x", "y"]).any()
    assert not cells.duplicated(["sx", "sy"]).any()


def test_every_step_shows_every_cell_once() -> None:
    for mask in view.MASKS:
        params = view.Params(printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V, mask)
        for step in view.STEPS:
            cells = at_step(params, step)
            assert not cells.duplicated(["m", "r", "c"]).any()
            assert cells.groupby("m").size().to_dict() == {"Q": 12, "K": 12, "V": 12, "S": 9, "A": 9, "O": 12}


def test_later_matrices_are_blank_until_their_step() -> None:
    for step, blank in ((1, {"A", "O"}), (3, {"A", "O"}), (4, {"O"}), (5, set())):
        cells = at_step(view.NOTES, step)
        later = cells[cells["look"] == "later"]
        assert set(later["m"]) == blank
        assert set(later["text"]) <= {""}
        assert set(later["sum"]) <= {""}


def test_more_queries_than_keys_leave_rows_that_see_nothing_and_are_named(open_page: Open) -> None:
    at = open_page("worked_example", q="1,0;0,1;1,1", k="1,0;0,1", v="1,2;3,4", mask="lower_right", step="5")
    assert not at.exception
    assert any("q1" in info.value for info in at.info)
    params = view.Params(
        ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)), ((1.0, 0.0), (0.0, 1.0)), ((1.0, 2.0), (3.0, 4.0)), "lower_right"
    )
    assert bench(params).weights[0] == (0.0, 0.0)


def run(listing: str) -> list[float]:
    """Run code in a fresh Python and return every number it prints."""
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    text = done.stdout.replace("torch.float64", "")
    return [float(number) for number in re.findall(r"-?\d+\.\d*(?:e[-+]?\d+)?", text)]


@pytest.mark.parametrize(
    "params",
    [
        view.NOTES,
        view.Params(((1.0, -2.5),), ((0.00390625, 1.0), (3.0, -1.0)), ((1.0,), (-4.0,)), "upper_left"),
        view.Params(
            ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)),
            ((1.0, 0.0), (0.0, 1.0)),
            ((1.0, 2.0), (3.0, 4.0)),
            "lower_right",
        ),
    ],
)
def test_the_listing_runs_as_pasted_and_prints_the_page_numbers(params: view.Params) -> None:
    weights, output = by_hand(params)
    expected = [value for matrix in (weights, output) for row in matrix for value in row]
    assert run(view.listing(params)) == pytest.approx(expected, abs=1e-6)


def test_the_notes_statements_are_judged_by_computing() -> None:
    weights, output = by_hand(view.NOTES)
    said = {(statement.name, statement.row): statement for statement in view.statements()}
    verdicts = {key: statement.verdict for key, statement in said.items()}
    assert verdicts == {
        ("scores", 0): "correct",
        ("scaled", 0): "correct",
        ("weights", 1): "wrong",
        ("weights", 2): "wrong",
        ("weights", 3): "rounded_correct",
        ("output", 1): "wrong",
        ("output", 2): "wrong",
        ("output", 3): "rounded_correct",
        ("highest", 1): "imprecise",
    }
    for row in (1, 2, 3):
        computed = [float(text) for text in said["weights", row].computed.split(", ")]
        assert computed == pytest.approx(weights[row - 1], abs=5e-5)
        mixed = [float(text) for text in said["output", row].computed.split(", ")]
        assert mixed == pytest.approx(output[row - 1], abs=5e-4)
        coefficients = [float(text) for text in printed.WORKED_WEIGHTS[row - 1]]
        by_print = [sum(a * v[c] for a, v in zip(coefficients, printed.WORKED_V, strict=True)) for c in range(4)]
        assert [float(text) for text in said["output", row].printed.split(", ")] == pytest.approx(by_print, abs=5e-4)


@given(st.floats(-1e13, 1e13, allow_nan=False) | st.floats(-1e-3, 1e-3))
def test_a_number_on_the_board_is_short_and_true_to_two_digits(value: float) -> None:
    text = board.compact(value).replace("−", "-")
    assert len(text) <= 8
    assert float(text) == pytest.approx(value, rel=0.05 if value == 0 or abs(value) > 1e-99 else 0.5)


def test_powers_of_ten_are_written_out_in_formulas_and_results_stand_without_brackets() -> None:
    assert arithmetic.tex(2e20) == r"2\times10^{20}"
    assert arithmetic.tex(1e-300) == r"1\times10^{-300}"
    assert arithmetic.tex(-0.5) == "-0.5"
    assert arithmetic.tex(-0.5, bracket=True) == "(-0.5)"
    assert arithmetic.tex(-0.0) == "0"


def test_equally_spaced_scores_obey_the_spacing_law_and_the_printed_row_does_not() -> None:
    law = view.spacing_law()
    assert law["computed_square"] == law["computed_product"]
    assert law["printed_square"] != law["printed_product"]


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
    assert at.session_state["q"] == printed.WORKED_Q
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
    assert at.session_state["q"] == printed.WORKED_Q


@pytest.mark.parametrize("text", ["abc", "1e9", "1,5", "--1", ""])
def test_what_is_typed_and_cannot_be_read_is_said_and_never_becomes_another_number(open_page: Open, text: str) -> None:
    at = open_page("worked_example")
    edit(at, "q", 0, 1, text)
    at.run()
    assert len(at.error) == 1
    assert "row 1, column 2" in at.error[0].value
    assert at.session_state["q"] == printed.WORKED_Q
    assert at.button(key="back_to_example")


def test_a_row_that_sees_nothing_is_not_called_a_share(open_page: Open) -> None:
    link = {"q": "1,0;0,1;1,1", "k": "1,0;0,1", "v": "1;2", "mask": "lower_right", "step": "5"}
    assert "nothing" in open_page("worked_example", **link).success[0].value
    assert "nothing" not in open_page("worked_example", **link, query="3").success[0].value


@pytest.mark.parametrize("raw", ["2.5", "99", "-1", "x"])
def test_a_notice_names_the_value_that_is_used_and_what_is_possible(open_page: Open, raw: str) -> None:
    at = open_page("worked_example", query=raw)
    assert len(at.warning) == 1
    assert f"“{at.slider(key='query').value}” is used" in at.warning[0].value
    assert "1 … 3" in at.warning[0].value


def test_the_bounds_of_the_page_are_shown_without_harm(open_page: Open) -> None:
    side = ";".join([",".join(["-1000000"] * MAX_SIDE)] * MAX_SIDE)
    at = open_page("worked_example", q=side, k=side, v=side, step="5", query="12", mask="lower_right")
    assert not at.exception
    assert not at.warning
    assert "NaN" not in "".join(block.value for block in at.latex)
