"""The way back: gradients against torch.autograd, what is drawn of them, and where it does not apply."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import examples
from core.charts.board import LINKS
from pages.ui.draw import read
from pages.ui.language import labels
from pages.views import bench_backward, bench_step, board
from pages.views.bench_backward import STARTS, Asked
from pages.views.bench_step import Params
from pages.views.worked_claims import NOTES
from pages.views.worked_example import Wording
from tests.pages.conftest import Open
from tests.pages.test_bench_looks import names, states

ASKED = st.builds(Asked, st.sampled_from(STARTS), st.integers(0, 3), st.integers(0, 3))
CAPTIONS = Wording(tuple("12345"), "keys", "queries", "")
NAME = {"dQ": "q", "dK": "k", "dV": "v", "dA": "weights", "dS′": "scaled", "dS": "scores", "dO": "output"}


def by_autograd(params: Params, asked: Asked) -> dict[str, torch.Tensor]:
    """The gradients that autograd finds for the same L, through a softmax written another way."""
    q, k, v = (torch.tensor(matrix, dtype=torch.float64, requires_grad=True) for _, matrix in params.matrices)
    scores = q @ k.T
    scaled = scores * bench_step.scale_of(params)
    powers = (scaled - scaled.max(-1, keepdim=True).values.detach()).exp()
    if params.keep is not None:
        powers = powers * torch.tensor(params.keep)
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total > 0, total, torch.ones_like(total))
    output = weights @ v
    made = {"q": q, "k": k, "v": v, "weights": weights, "scaled": scaled, "scores": scores, "output": output}
    for tensor in made.values():
        tensor.retain_grad()
    losses = {
        "ones": lambda: output.sum(),
        "square": lambda: (output**2).sum() / 2,
        "cell": lambda: output[min(asked.row, len(output) - 1), min(asked.column, output.shape[1] - 1)],
    }
    losses[asked.start]().backward()
    return {name: tensor.grad for name, tensor in made.items()}


@settings(max_examples=60, deadline=None)
@given(states(), ASKED)
def test_every_gradient_is_what_autograd_finds(params: Params, asked: Asked) -> None:
    found, drawn, expected = (
        bench_backward.back(params, asked),
        bench_backward.cleared(params, asked),
        by_autograd(params, asked),
    )
    for name, gradient in expected.items():
        if name == "weights" and params.keep is not None:
            # What a hidden key would receive stops at the mask.
            hidden = ~torch.tensor(params.keep)
            gradient = torch.where(hidden, found.weights, gradient)
        assert torch.allclose(getattr(found, name), gradient, atol=1e-10), name
        assert torch.allclose(getattr(drawn, name), gradient, atol=1e-10), name
    assert bench_backward.difference_to_autograd(params, asked) < 1e-10


def test_given_scores_with_values_are_sent_back_to_the_scores() -> None:
    params = Params("s", (("s", ((0.1, 0.9, 0.2),)), ("v", ((1.0,), (2.0,), (-1.0,)))))
    found = bench_backward.back(params, Asked("ones"))
    assert found.q is None
    scores = torch.tensor([[0.1, 0.9, 0.2]], dtype=torch.float64, requires_grad=True)
    (scores.softmax(-1) @ torch.tensor([[1.0], [2.0], [-1.0]], dtype=torch.float64)).sum().backward()
    assert torch.allclose(found.scores, scores.grad)
    assert bench_backward.steps_of(params) == ("given", "product", "softmax", "scaling")


@pytest.mark.parametrize("source", [*examples.FIXED])
@pytest.mark.parametrize("start", STARTS)
def test_no_two_cells_of_the_way_back_lie_on_each_other_and_each_is_its_gradient(source: str, start: str) -> None:
    example = examples.FIXED[source]()
    params, asked = Params(example.start, tuple(example.matrices.items())), Asked(start)
    found = bench_backward.back(params, asked)
    cells = read(bench_backward.backward_board(params, asked, *names(params), CAPTIONS, "keys").cells)
    last = len(bench_backward.steps_of(params))
    for step in range(1, last + 1):
        standing = cells[(cells["first"] <= step) & (step <= cells["last"])]
        assert not standing.duplicated(["m", "r", "c"]).any()
        for across, down in (("x", "y"), ("sx", "sy")):
            assert not standing.duplicated([across, down]).any()
    shown = cells[cells["last"] == board.LAST_STEP]
    for m in set(shown["m"]) & NAME.keys():
        for cell in shown[shown["m"] == m].itertuples():
            assert cell.value == pytest.approx(getattr(found, NAME[m])[cell.r, cell.c].item(), abs=1e-12)
    assert set(cells["m"]) <= {*LINKS["backward"]}


def test_a_cell_lights_what_its_arithmetic_is_written_with() -> None:
    asked = Asked("square")
    cells = read(bench_backward.backward_board(NOTES, asked, *names(NOTES), CAPTIONS, "keys").cells)
    cells = cells[cells["last"] == board.LAST_STEP]
    values = {(cell.m, cell.r, cell.c): cell.value for cell in cells.itertuples()}
    # Vega's rules, read as Python: datum is the cell that may light up, at is the one that is looked at.
    for looked_at, other in (("dQ", ("dS", "K")), ("dK", ("dS", "Q")), ("dV", ("A", "dO")), ("dA", ("dO", "V"))):
        rules = {m: LINKS["backward"][looked_at][m].replace("{at}.r[0]", "R").replace("{at}.c[0]", "C") for m in other}
        for cell in cells[cells["m"] == looked_at].itertuples():
            rows = []
            for m, rule in rules.items():
                left, right = rule.replace("datum.", "").split(" == ")
                lit = sorted(
                    key for key in values if key[0] == m and key["mrc".index(left)] == {"R": cell.r, "C": cell.c}[right]
                )
                rows.append([values[key] for key in lit])
            assert sum(a * b for a, b in zip(*rows, strict=True)) == pytest.approx(cell.value, abs=1e-12)


def test_rows_of_the_gradient_through_the_softmax_sum_to_zero_and_shrink_as_the_row_saturates() -> None:
    slopes = []
    for temperature in (4.0, 1.0, 0.25, 0.05):
        params = Params("q", NOTES.matrices, None, "free", temperature)
        scaled = bench_backward.back(params, Asked("cell")).scaled
        assert torch.allclose(scaled.sum(-1), torch.zeros(3, dtype=torch.float64), atol=1e-12)
        slopes.append(bench_backward.saturated(params, Asked("cell"), 0)[0].slope)
    assert slopes[1:] == sorted(slopes[1:], reverse=True)
    assert slopes[-1] < 1e-6 < slopes[0] <= 0.25


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("source", [*examples.FIXED, *examples.SIZED])
def test_the_way_back_stands_for_every_source(open_page: Open, source: str, lang: str) -> None:
    for start in STARTS:
        at = open_page("worked_example", lang, source=source, upstream=start, step="4")
        assert not at.exception
        assert not at.warning
        assert len(at.get("vega_lite_chart")) == 3
        begins = labels()["bench_more.back_autograd"][lang].split("`")[0]
        assert any(block.value.startswith(begins) for block in at.markdown)


@pytest.mark.parametrize("link", [{"mistake": "axis"}, {"precision": "float16"}, {"fill": "1e9"}])
def test_a_demonstration_is_not_sent_back(open_page: Open, link: dict[str, str]) -> None:
    at = open_page("worked_example", step="5", **link)
    assert any(info.value == labels()["bench_more.back_right_only"]["en"] for info in at.info)
    assert len(at.get("vega_lite_chart")) == 1
