"""Bringing a matrix to the bench: what is understood is shown and decided by switches, and the rest stays."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core import examples
from core.matrix_import.understood import DECIMALS, DELIMITERS, DOUBTS, MAX_BYTES, NOTES
from pages.ui.language import labels
from pages.views.tokens import LONGEST, from_labels, join, split
from tests.pages.conftest import Open

Q = examples.notes().matrices["q"]


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npz(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def says(key: str, lang: str = "en", **values: object) -> str:
    text = labels()[f"bench_import.{key}"][lang]
    for name, value in values.items():
        text = text.replace(f"@{{{name}}}", str(value))
    return text


def paste(at: AppTest, text: str, target: str) -> AppTest:
    at.session_state["import_target"] = target
    at.text_area(key="import_text").set_value(text)
    return at.run()


def upload(at: AppTest, name: str, data: bytes, target: str) -> AppTest:
    at.session_state["import_target"] = target
    at.session_state["import_way"] = "upload"
    at.run()
    at.file_uploader(key="import_file").set_value((name, data, "application/octet-stream"))
    return at.run()


def shown(at: AppTest) -> list[list[str]]:
    """The cells of the preview."""
    return at.dataframe[-1].value.to_numpy().tolist()


def switch(at: AppTest, name: str) -> object:
    """One of the decisions about the text or file that is there."""
    found = [box for box in (*at.selectbox, *at.number_input) if box.key and box.key.startswith(f"import_{name}_")]
    assert len(found) == 1
    return found[0]


def use(at: AppTest) -> AppTest:
    return at.button(key="import_use").click().run()


def only(value: str | list[str]) -> str:
    return value if isinstance(value, str) else value[0]


FILES: dict[str, tuple[str, bytes, tuple[tuple[float, ...], ...]]] = {
    "byte-order mark, semicolons, decimal commas": (
        "k.csv", "\ufeffName;a;b\r\n猫;0,5;1\r\n狗;-2;0,25\r\n".encode(), ((0.5, 1), (-2, 0.25)),
    ),
    "tabs": ("k.tsv", b"1\t2\n3\t4\n", ((1, 2), (3, 4))),
    "npy": ("k.npy", npy(np.array([[1.5, -2], [0, 3]])), ((1.5, -2), (0, 3))),
    "half precision": ("k.npy", npy(np.array([[0.1, 2]], dtype=np.float16)), ((float(np.float16(0.1)), 2),)),
    "three axes": ("k.npy", npy(np.arange(8.0).reshape(2, 2, 2)), ((0, 1), (2, 3))),
    "four axes": ("k.npy", npy(np.arange(16.0).reshape(2, 2, 2, 2)), ((0, 1), (2, 3))),
    "an archive": ("k.npz", npz(k=np.eye(2), v=np.ones((2, 3))), ((1, 0), (0, 1))),
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", FILES)
def test_a_file_becomes_a_matrix_on_the_bench_and_undo_brings_the_old_one_back(
    open_page: Open, kind: str, lang: str
) -> None:
    name, data, matrix = FILES[kind]
    at = upload(open_page("worked_example", lang, step="5"), name, data, "k")
    assert not at.exception
    assert not at.error
    assert [[float(cell) for cell in row] for row in shown(at)] == [list(row) for row in matrix]
    assert says("shape", lang, rows=len(matrix), columns=len(matrix[0])) in " ".join(m.value for m in at.markdown)
    before = {name: at.session_state[name] for name in "qkv"}
    assert before["k"] == examples.notes().matrices["k"]
    use(at)
    assert not at.exception
    assert at.session_state["k"] == matrix
    assert at.get("vega_lite_chart")
    assert says("put", lang, name="K") in [note.value for note in at.success]
    assert at.button(key="import_use").disabled
    at.button(key="undo_import").click().run()
    assert {name: at.session_state[name] for name in "qkv"} == before
    assert at.button(key="import_use").disabled is False


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "ragged": ("1\t2\n3", "row 2"),
    "words": ("1\t2\n3\tfour", "row 2, column 2"),
    "a line too short beside commas": ("1,2\n3", "row 2"),
    "a word below a number": ("1,2\nfoo,4", "row 2, column 1: “foo”"),
    "percentages": ("50%\t20\n10%\t20", "row 1, column 1: “50%”"),
    "not finite": ("1 2\n3 inf", "row 2, column 2"),
    "too many rows": ("\n".join(["1\t2"] * 13), "13 rows"),
    "huge": ("1\t" * (MAX_BYTES // 2 + 1), "bytes"),
    "objects": (npy(np.array([[{"a": 1}]], dtype=object)), "pickle"),
    "objects in an archive": (npz(k=np.array([[None]], dtype=object)), "pickle"),
    "one number": (npy(np.array(3.0)), "shape"),
    "not a number in half precision": (npy(np.array([[np.nan]], dtype=np.float16)), "row 1, column 1"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "neither text"),
    "cut short": (npy(np.eye(3))[:-8], "cut short"),
    "an archive of text": (zipfile.ZIP_STORED.to_bytes(1) + b"PK", "neither text"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_sentence_and_nothing_else_is_lost(open_page: Open, kind: str) -> None:
    data, said = REFUSED[kind]
    at = open_page("worked_example", step="5")
    plain = len(at.get("vega_lite_chart"))
    at = paste(at, data, "k") if isinstance(data, str) else upload(at, "k.txt", data, "k")
    assert not at.exception
    assert len(at.error) == 1
    assert said in at.error[0].value
    assert "K" in at.error[0].value
    assert len(at.get("vega_lite_chart")) == plain
    assert at.session_state["k"] == examples.notes().matrices["k"]
    assert not [button for button in at.button if button.key == "import_use"]


def test_a_refusal_is_said_in_chinese_too(open_page: Open) -> None:
    at = paste(open_page("worked_example", "zh"), "1\t2\n3", "q")
    assert "第 2 行" in at.error[0].value


def test_labels_of_the_rows_become_names_and_the_link_holds_the_matrix_but_not_the_paste(open_page: Open) -> None:
    text = "\tw\tx\ty\tz\n猫\t1\t2\t3\t4\n猫\t0\t0\t0\t1\nsecret|word\t5\t6\t7\t8\n"
    at = use(paste(open_page("worked_example", step="5"), text, "q"))
    assert at.session_state["query_names"] == ("猫", "猫", "secret/word")
    assert only(at.query_params["query_names"]) == "猫|猫|secret/word"
    assert only(at.query_params["q"]) == "1,2,3,4;0,0,0,1;5,6,7,8"
    assert not {key for key in at.query_params if key.startswith("import")}
    again = open_page("worked_example", **{key: only(value) for key, value in at.query_params.items() if key != "lang"})
    assert again.session_state["q"] == at.session_state["q"]
    assert again.session_state["query_names"] == ("猫", "猫", "secret/word")


def test_which_matrices_follow_in_size_is_said_before(open_page: Open) -> None:
    at = paste(open_page("worked_example", step="5"), "1 2\n3 4", "k")
    said = [caption.value for caption in at.caption if "Q from 3 × 4 to 3 × 2" in caption.value]
    assert len(said) == 1
    assert "V from 3 × 4 to 2 × 4" in said[0]
    use(at)
    assert at.session_state["q"] == tuple(row[:2] for row in Q)
    assert at.session_state["v"] == examples.notes().matrices["v"][:2]


def test_scores_start_the_bench_anew_and_undo_leads_back_to_where_it_was(open_page: Open) -> None:
    at = paste(open_page("worked_example", step="5", source="projections"), "k1,k2\n1,2\n3,4", "s")
    assert any("X, W_Q, W_K, W_V" in caption.value for caption in at.caption)
    use(at)
    assert not at.exception
    assert not at.warning
    assert at.session_state["s"] == ((1, 2), (3, 4))
    assert only(at.query_params["source"]) == "raw"
    assert only(at.query_params["key_names"]) == "k1|k2"
    assert "wq" not in at.query_params
    at.button(key="undo_import").click().run()
    assert not at.exception
    assert at.session_state["source"] == "projections"
    assert at.session_state["x"] == examples.projections().matrices["x"]
    assert "s" not in at.query_params
    assert not at.error


def test_values_can_be_added_to_given_scores_and_survive_the_link(open_page: Open) -> None:
    at = use(paste(open_page("worked_example", source="raw"), "1 0\n0 1\n1 1\n2 2", "v"))
    assert not at.exception
    assert at.session_state["v"] == ((1, 0), (0, 1), (1, 1), (2, 2))
    link = {key: only(value) for key, value in at.query_params.items() if key != "lang"}
    assert link["v"] == "1,0;0,1;1,1;2,2"
    again = open_page("worked_example", **{**link, "step": "5"})
    assert not again.exception
    assert not again.warning
    assert again.session_state["step"] == 5
    again.session_state["source"] = "library"
    again.run()
    assert "v" not in again.query_params
    again.session_state["source"] = "notes"
    again.run()
    assert again.session_state["v"] == examples.notes().matrices["v"]


def test_a_reading_in_doubt_is_named_and_switched(open_page: Open) -> None:
    at = paste(open_page("worked_example"), "0,5;1\n2;0,25", "s")
    assert [warning.value for warning in at.warning if "2 × 2" in warning.value] == []
    at = paste(at, "1,2;3,4", "s")
    assert any("can also be read as" in warning.value for warning in at.warning)
    first = shown(at)
    switch(at, "delimiter").set_value("link").run()
    assert not at.exception
    assert shown(at) != first
    assert [[float(cell) for cell in row] for row in shown(at)] == [[1, 2], [3, 4]]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_numbers_that_were_taken_for_labels_are_doubted(open_page: Open, lang: str) -> None:
    at = paste(open_page("worked_example", lang), "\t2020\t2021\nfoo\t1\t2", "s")
    assert [warning.value for warning in at.warning] == [says("doubt_header", lang)]
    switch(at, "header").set_value("yes").run()
    assert not at.warning
    assert [[float(cell) for cell in row] for row in shown(at)] == [[1, 2]]


def test_a_refused_word_is_a_label_once_that_is_chosen(open_page: Open) -> None:
    at = paste(open_page("worked_example"), "1,2\nfoo,4", "s")
    assert len(at.error) == 1
    switch(at, "row_names").set_value("yes").run()
    assert not at.error
    assert [[float(cell) for cell in row] for row in shown(at)] == [[2], [4]]


def test_another_text_is_decided_anew(open_page: Open) -> None:
    at = paste(open_page("worked_example"), "1,2\n3,4", "s")
    switch(at, "header").set_value("yes").run()
    assert len(shown(at)) == 1
    paste(at, "5,6\n7,8", "s")
    assert len(shown(at)) == 2


def test_header_and_row_names_can_be_overruled(open_page: Open) -> None:
    at = paste(open_page("worked_example"), "1 2 3\n4 5.5 6\n7 8 9", "q")
    assert len(at.warning) == 1
    switch(at, "header").set_value("yes").run()
    assert not at.warning
    assert [[float(cell) for cell in row] for row in shown(at)] == [[4, 5.5, 6], [7, 8, 9]]
    switch(at, "row_names").set_value("yes").run()
    assert [[float(cell) for cell in row] for row in shown(at)] == [[5.5, 6], [8, 9]]


def test_the_array_of_an_archive_and_the_matrix_in_it_are_chosen(open_page: Open) -> None:
    data = npz(bad=np.array([None], dtype=object), a=np.eye(2), b=np.arange(24.0).reshape(2, 3, 2, 2))
    at = upload(open_page("worked_example"), "k.npz", data, "k")
    assert len(at.warning) == 1
    switch(at, "array").set_value("b").run()
    assert len(at.warning) == 1
    assert [box.max for box in at.number_input if box.key and box.key.startswith("import_index")] == [1, 2]
    at.number_input[0].set_value(1).run()
    at.number_input[1].set_value(2).run()
    assert not at.warning
    assert [[float(cell) for cell in row] for row in shown(at)] == [[20, 21], [22, 23]]
    switch(at, "array").set_value("bad").run()
    assert not at.exception
    assert "pickle" in at.error[0].value
    assert switch(at, "array")


def test_repeated_labels_and_markup_are_shown_without_harm(open_page: Open) -> None:
    text = "\ta\ta\n<b>x</b>\t1\t2\n**y** [l](http://z)\t3\t4"
    at = paste(open_page("worked_example"), text, "k")
    assert not at.exception
    use(at)
    assert not at.exception
    assert not at.warning


@given(st.lists(st.text(max_size=60), min_size=1, max_size=12))
def test_names_out_of_labels_survive_the_link(given_labels: list[str]) -> None:
    names = from_labels(given_labels)
    assert split(join(names)) == names
    assert all(len(name) <= LONGEST for name in names)


def test_every_doubt_note_and_spelling_has_its_words() -> None:
    wanted = {*(f"doubt_{doubt}" for doubt in DOUBTS), *(f"note_{note}" for note in NOTES)}
    wanted |= {f"delimiter_{delimiter}" for delimiter in DELIMITERS}
    assert {f"bench_import.{name}" for name in wanted} <= set(labels())
    assert len(DECIMALS) == 2


def test_folded_away_nothing_of_it_is_made(open_page: Open) -> None:
    at = open_page("worked_example", folded=True)
    assert not at.text_area
    assert not at.file_uploader
    assert not [box for box in at.segmented_control if box.key == "import_target"]
