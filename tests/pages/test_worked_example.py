"""The worked example: its numbers against independent routes, its code, and all that can be done to its matrices."""

import math
import re
import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import examples
from core.claims import printed
from core.matrix_text import MAX_SIDE
from pages.ui.draw import read
from pages.views import arithmetic, bench_code, bench_step, board, worked_claims
from pages.views import worked_example as view
from pages.views.bench_step import Masks, Params
from tests.pages.conftest import Open

NOTES = worked_claims.NOTES
CAPTIONS = view.Wording(tuple("12345"), "keys", "queries", "sum")


def example(q: list, k: list, v: list, mask: str = "none") -> Params:
    """A state of the bench with these matrices and a causal mask, or none."""
    keep, _ = bench_step.joined(Masks(causal=mask), len(q), len(k))
    matrices = zip("qkv", (tuple(map(tuple, m)) for m in (q, k, v)), strict=True)
    return Params("q", tuple(matrices), keep)


def by_hand(params: Params) -> tuple[list[list[float]], list[list[float]]]:
    """Attend in plain Python, cell by cell."""
    given = dict(params.matrices)
    weights, output = [], []
    for i, q_row in enumerate(given["q"]):
        scores = [sum(a * b for a, b in zip(q_row, k_row, strict=True)) / math.sqrt(len(q_row)) for k_row in given["k"]]
        visible = params.keep[i] if params.keep else [True] * len(scores)
        highest = max((s for s, seen in zip(scores, visible, strict=True) if seen), default=0.0)
        powers = [math.exp(s - highest) if seen else 0.0 for s, seen in zip(scores, visible, strict=True)]
        row = [power / (sum(powers) or 1.0) for power in powers]
        weights.append(row)
        columns = zip(*given["v"], strict=True)
        output.append([sum(a * v for a, v in zip(row, column, strict=True)) for column in columns])
    return weights, output


def at_step(params: Params, step: int, flip: bool = False) -> pd.DataFrame:
    """The cells that stand on the board in one step."""
    shape = bench_step.run(params).scores.shape
    queries, keys = (tuple(f"{mark}{i + 1}" for i in range(count)) for mark, count in zip("qk", shape, strict=True))
    cells = read(view.attention_board(params, queries, keys, flip, CAPTIONS).cells)
    return cells[(cells["first"] <= step) & (step <= cells["last"])]


@pytest.mark.parametrize("mask", ["none", "lower_right", "upper_left"])
def test_the_page_shows_what_plain_python_computes(mask: str) -> None:
    params = example(printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V, mask)
    weights, output = by_hand(params)
    cells = at_step(params, 5)
    for name, expected in (("A", weights), ("O", output)):
        shown = cells[cells["m"] == name]
        for row, column, value in zip(shown["r"], shown["c"], shown["value"], strict=True):
            assert value == pytest.approx(expected[row][column], abs=1e-12)


def test_the_board_is_laid_out_as_the_products_are() -> None:
    cells = at_step(NOTES, 5)
    places = dict(iter(cells.groupby("m")))
    assert set(places["Q"]["y"]) == set(places["S"]["y"]) == set(places["A"]["y"]) == set(places["O"]["y"])
    assert set(places["K"]["x"]) == set(places["S"]["x"])
    assert set(places["V"]["x"]) == set(places["O"]["x"])
    assert not cells.duplicated(["x", "y"]).any()
    assert not cells.duplicated(["sx", "sy"]).any()


def test_drawn_with_queries_as_columns_the_picture_is_turned_about_its_diagonal() -> None:
    straight, turned = (at_step(NOTES, 5, flip).set_index(["m", "r", "c"]) for flip in (False, True))
    assert (straight["value"] == turned["value"]).all()
    for m in "QKSAVO":
        rows, columns = (straight.loc[m][axis].groupby(level="c").nunique() for axis in ("x", "y"))
        turned_rows, turned_columns = (turned.loc[m][axis].groupby(level="c").nunique() for axis in ("x", "y"))
        assert (rows == turned_columns).all()
        assert (columns == turned_rows).all()
    places = dict(iter(turned.reset_index().groupby("m")))
    assert set(places["Q"]["x"]) == set(places["S"]["x"]) == set(places["A"]["x"]) == set(places["O"]["x"])
    assert set(places["K"]["y"]) == set(places["S"]["y"])
    assert set(places["V"]["y"]) == set(places["O"]["y"])


@pytest.mark.parametrize("name", [*examples.FIXED])
@pytest.mark.parametrize("flip", [False, True])
def test_no_two_cells_of_a_step_lie_on_each_other_and_each_stands_once(name: str, flip: bool) -> None:
    source = examples.FIXED[name]()
    params = Params(source.start, tuple(source.matrices.items()), None)
    for step in range(1, 6):
        cells = at_step(params, step, flip)
        assert not cells.duplicated(["m", "r", "c"]).any()
        for across, down in (("x", "y"), ("sx", "sy")):
            assert not cells.duplicated([across, down]).any()


def test_later_matrices_are_blank_until_their_step() -> None:
    for step, blank in ((1, {"A", "O"}), (3, {"A", "O"}), (4, {"O"}), (5, set())):
        cells = at_step(NOTES, step)
        later = cells[cells["look"] == "later"]
        assert set(later["m"]) == blank
        assert set(later["text"]) <= {""}
        assert set(later["sum"]) <= {""}


def test_more_queries_than_keys_leave_rows_that_see_nothing_and_are_named(open_page: Open) -> None:
    at = open_page("worked_example", q="1,0;0,1;1,1", k="1,0;0,1", v="1,2;3,4", mask="lower_right", step="5")
    assert not at.exception
    assert any("q1" in info.value for info in at.info)
    params = example([[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], "lower_right")
    assert bench_step.run(params).weights[0].tolist() == [0.0, 0.0]


def run(listing: str) -> list[float]:
    """Run code in a fresh Python and return every number it prints."""
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    text = done.stdout.replace("torch.float64", "")
    text = re.sub(r"dtype=[\w.]+", "", text)
    return [float(number) for number in re.findall(r"nan|-?inf|-?\d+\.\d*(?:e[-+]?\d+)?", text)]


LEAKY = Params("s", (("s", ((2.0, 1.0), (0.5, -1.0))),), ((True, False), (False, False)))
STATES = [
    NOTES,
    example([[1, -2.5]], [[0.00390625, 1], [3, -1]], [[1], [-4]], "upper_left"),
    example([[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], "lower_right"),
    *(Params(source.start, tuple(source.matrices.items())) for source in (made() for made in examples.FIXED.values())),
    *(replace(NOTES, scale=scale, temperature=0.7) for scale in bench_step.SCALES),
    *(replace(NOTES, precision=precision) for precision in bench_step.PRECISIONS),
    *(
        replace(example([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], "lower_right"), mistake=mistake)
        for mistake in bench_step.MISTAKEN
    ),
    LEAKY,
    replace(LEAKY, fill="1e9"),
    replace(LEAKY, fill="1e9", precision="float16"),
]


@pytest.mark.parametrize("params", STATES)
def test_the_listing_runs_as_pasted_and_prints_the_page_numbers(params: Params) -> None:
    step = bench_step.run(params)
    shown = [step.weights] if step.output is None else [step.weights, step.output]
    expected = [value for matrix in shown for value in matrix.flatten().tolist()]
    assert run(bench_code.listing(params)) == pytest.approx(expected, rel=1e-4, abs=2e-6, nan_ok=True)


def test_the_notes_statements_are_judged_by_computing() -> None:
    weights, output = by_hand(NOTES)
    said = {(statement.name, statement.row): statement for statement in worked_claims.statements()}
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
    law = worked_claims.spacing_law()
    assert law["computed_square"] == law["computed_product"]
    assert law["printed_square"] != law["printed_product"]


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
