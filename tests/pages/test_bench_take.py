"""What is taken along is what the page shows: code, LaTeX, CSV, pictures and the link, number by number."""

import csv
import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from core import examples
from core.charts.theme import HIGHLIGHT
from core.matrix_import.upload import understand_bytes
from pages.ui import export
from pages.ui.draw import Figure
from pages.ui.language import labels
from pages.views import bench_code, bench_step, bench_take, worked_claims
from pages.views.bench_step import Masks, Params
from tests.pages.conftest import Open

NOTES = worked_claims.NOTES
SVG = "{http://www.w3.org/2000/svg}"


def names(params: Params) -> tuple[tuple[str, ...], tuple[str, ...]]:
    n_q, n_k = bench_step.run(params).scores.shape
    return tuple(f"q{i}" for i in range(n_q)), tuple(f"k{i}" for i in range(n_k))


def masked(params: Params, causal: str) -> Params:
    keep, _ = bench_step.joined(Masks(causal), *bench_step.run(params).scores.shape)
    return replace(params, keep=keep)


EMPTY_ROW = masked(
    Params("q", (("q", ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))), ("k", ((1.0, 2.0), (0.5, 1.0))), ("v", ((1.0,), (2,))))),
    "lower_right",
)  # fmt: skip
STATES = [
    NOTES,
    EMPTY_ROW,
    masked(NOTES, "upper_left"),
    replace(NOTES, scale="free", temperature=0.7),
    *(Params(made.start, tuple(made.matrices.items())) for made in (each() for each in examples.FIXED.values())),
]


@pytest.mark.parametrize("params", [state for state in STATES if state.start != "s"])
def test_the_fused_listing_runs_as_pasted_and_prints_the_page_output_and_the_difference(params: Params) -> None:
    code = bench_code.fused_listing(params)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    *output, difference = re.findall(r"-?\d+\.\d*(?:e[-+]?\d+)?", done.stdout.replace("torch.float64", ""))
    step = bench_step.run(params)
    assert step.output is not None
    assert [float(number) for number in output] == pytest.approx(step.output.flatten().tolist(), rel=1e-4, abs=2e-6)
    assert 0 <= float(difference) < 1e-12


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_fused_call_is_shown_where_there_is_one_and_its_absence_is_said(open_page: Open, lang: str) -> None:
    at = open_page("worked_example", lang)
    assert any("scaled_dot_product_attention(Q, K, V" in block.value for block in at.code)
    for link in ({"source": "raw"}, {"mistake": "axis"}):
        at = open_page("worked_example", lang, **link)
        assert not at.exception
        assert not any("scaled_dot_product_attention" in block.value for block in at.code)
        assert labels()["bench_take.no_fused"][lang] in [caption.value for caption in at.caption]


@pytest.mark.parametrize("params", STATES)
def test_a_csv_holds_the_state_to_the_last_bit_and_comes_back_by_import(params: Params) -> None:
    step = bench_step.run(params)
    taken = {each.name: each for each in bench_take.matrices(params, *names(params))}
    assert taken["a"].values == tuple(map(tuple, step.weights.tolist()))
    for name, matrix in params.matrices:
        assert taken[name].values == matrix
    for each in taken.values():
        data = bench_take.as_csv(each)
        assert data.startswith(b"\xef\xbb\xbf")
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
        assert rows[0] == ["", *each.columns]
        assert [row[0] for row in rows[1:]] == list(each.rows)
        assert tuple(tuple(map(float, row[1:])) for row in rows[1:]) == each.values
        if each.name != "masked":
            assert understand_bytes(data).matrix == each.values
    if params.start == "q":
        assert understand_bytes(bench_take.as_csv(taken["q"])).rows == names(params)[0]


def test_a_name_is_no_formula_to_a_spreadsheet() -> None:
    taken = bench_take.matrices(NOTES, ("=1+1", "@a", "猫"), ("-k", "+k", "k"))
    rows = {each.name: bench_take.as_csv(each).decode("utf-8-sig").splitlines() for each in taken}
    assert [row.split(",")[0] for row in rows["a"]] == ["", "'=1+1", "'@a", "猫"]
    assert rows["a"][0] == ",'-k,'+k,k"


@pytest.mark.parametrize("params", STATES)
def test_latex_holds_every_number_of_the_state(params: Params) -> None:
    taken = bench_take.matrices(params, *names(params))
    text = bench_take.latex(taken)
    written = re.findall(r"\\begin\{bmatrix\} (.*?) \\end\{bmatrix\}", text)
    assert len(written) == len(taken)
    for matrix, each in zip(written, taken, strict=True):
        rows = [row.split(" & ") for row in matrix.split(r" \\ ")]
        for row, values in zip(rows, each.values, strict=True):
            for cell, value in zip(row, values, strict=True):
                number = re.sub(r"\\times10\^\{(-?\d+)\}", r"e\1", cell.replace(r"\infty", "inf"))
                assert float(number) == pytest.approx(value, rel=1e-5, abs=1e-300)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Figure]]:
    """The figures that pages offer to take along."""
    figures: list[Figure] = []
    offered = export.take_along

    def take_along(*given: Figure, **more) -> None:
        figures.extend(given)
        offered(*given, **more)

    monkeypatch.setattr(export, "take_along", take_along)
    yield figures


def texts(svg: bytes) -> list[str]:
    return [text for node in ElementTree.fromstring(svg).iter(f"{SVG}text") if (text := "".join(node.itertext()))]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_taken_board_stands_at_the_step_and_the_query_of_the_page_in_its_wide_layout(
    open_page: Open, drawn: list[Figure], lang: str
) -> None:
    boards = {}
    for step, query in (("4", "2"), ("4", "3"), ("5", "2")):
        assert not open_page("worked_example", lang, step=step, query=query, key_names="猫|cat|狗").exception
        boards[step, query] = export.svg(drawn[-1])
    said = {at: texts(svg) for at, svg in boards.items()}
    assert "0.5065" in said["4", "2"]
    assert "0.4203" not in said["4", "2"]
    assert "0.4203" in said["5", "2"]
    assert labels()["worked_example.picture_softmax"][lang] in said["4", "2"]
    assert {"猫", "cat", "狗"} <= set(said["4", "2"])
    outlined = {at: _outlined(svg) for at, svg in boards.items()}
    assert [len(rows) for rows in outlined.values()] == [4 + 3 + 3 + 4] * 3
    assert outlined["4", "2"] == outlined["5", "2"]
    assert outlined["4", "2"] != outlined["4", "3"]
    width, height = (float(ElementTree.fromstring(boards["4", "2"]).attrib[side]) for side in ("width", "height"))
    assert width > height


def _outlined(svg: bytes) -> list[str]:
    """The places of the cells that are outlined as the followed query's."""
    paths = ElementTree.fromstring(svg).iter(f"{SVG}path")
    return [path.get("transform", "") + path.attrib["d"] for path in paths if path.get("stroke") == HIGHLIGHT]


def test_a_picture_is_a_png_of_twice_its_size(open_page: Open, drawn: list[Figure]) -> None:
    open_page("worked_example", "zh", step="5")
    data = export.png(drawn[-1])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    svg = ElementTree.fromstring(export.svg(drawn[-1]))
    size = [int.from_bytes(data[at : at + 4]) for at in (16, 20)]
    assert size == [pytest.approx(2 * float(svg.attrib[side]), abs=2) for side in ("width", "height")]


def test_characters_without_a_font_are_noticed() -> None:
    assert export.tells_apart("a", "b")
    assert not export.tells_apart("\ue123", "\ue124")


def test_a_missing_font_is_said(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    words = labels()["frame.take_along_no_font"]["zh"]
    monkeypatch.setattr(export, "tells_apart", lambda one, other: one == other)
    assert words in [caption.value for caption in open_page("worked_example", "zh").caption]
    monkeypatch.setattr(export, "tells_apart", lambda one, other: True)
    assert words not in [caption.value for caption in open_page("worked_example", "zh").caption]


def test_the_link_that_is_shown_leads_to_the_same_state(open_page: Open) -> None:
    first = open_page(
        "worked_example", step="4", query="2", q="1,2;3,4", k="1,0;0,0.00390625", v="1;2", key_names="猫|狗"
    )
    shown = [block.value for block in first.code if "step=4" in block.value]
    assert len(shown) == 1
    link = parse_qs(urlsplit(shown[0]).query, keep_blank_values=True)
    link.pop("lang", None)
    again = open_page("worked_example", **link)
    assert not again.warning
    for part in ("q", "k", "v", "key_names", "step", "query"):
        assert again.session_state[part] == first.session_state[part]
