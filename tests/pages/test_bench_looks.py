"""The other looks of a step: one query, the output as a mixture, the spread of rows; and what a demonstration shows."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import examples
from core.charts import one_query as query_charts
from pages.ui.draw import read
from pages.ui.language import labels
from pages.views import bench_mixture, bench_query, bench_step, bench_symptoms
from pages.views.bench_step import Params
from pages.views.worked_claims import NOTES
from tests.pages.conftest import Open

CELL = st.integers(-8, 8).map(lambda value: value / 4)


@st.composite
def states(draw: st.DrawFn) -> Params:
    """A state of the bench of any small size, with any mask or none."""
    n_q, n_k, d_k, d_v = (draw(st.integers(1, 4)) for _ in range(4))

    def matrix(rows: int, columns: int) -> tuple[tuple[float, ...], ...]:
        return draw(st.tuples(*[st.tuples(*[CELL] * columns)] * rows))

    keep = draw(st.none() | st.tuples(*[st.tuples(*[st.booleans()] * n_k)] * n_q))
    return Params("q", (("q", matrix(n_q, d_k)), ("k", matrix(n_k, d_k)), ("v", matrix(n_k, d_v))), keep)


def names(params: Params) -> tuple[tuple[str, ...], tuple[str, ...]]:
    shape = bench_step.run(params).scores.shape
    queries, keys = (tuple(f"{mark}{i + 1}" for i in range(count)) for mark, count in zip("qk", shape, strict=True))
    return queries, keys


@settings(max_examples=40, deadline=None)
@given(states())
def test_the_parts_of_an_output_add_up_to_it_and_are_stacked_without_gaps_on_both_sides_of_zero(params: Params) -> None:
    parts = read(bench_mixture.parts(params, *names(params)))
    output = torch.nan_to_num(bench_step.run(params).output)
    for (query, column), stack in parts.groupby(["query", "column"]):
        expected = output[query - 1, column - 1].item()
        assert stack["part"].sum() == pytest.approx(expected, abs=1e-12)
        assert stack["high"].max() * (stack["part"] > 0).any() + stack["low"].min() * (
            stack["part"] < 0
        ).any() == pytest.approx(expected, abs=1e-12)
        assert (stack["high"] - stack["low"]).tolist() == pytest.approx(stack["part"].abs().tolist(), abs=1e-12)
        for side in (stack[stack["part"] > 0], stack[stack["part"] < 0]):
            ends = sorted([*side["low"], *side["high"]])
            assert ends[1:-1:2] == pytest.approx(ends[2:-1:2], abs=1e-12)
            assert len(side) == 0 or min(abs(ends[0]), abs(ends[-1])) == pytest.approx(0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(states())
def test_a_line_is_as_wide_as_its_weight_and_a_hidden_key_has_none(params: Params) -> None:
    lines = read(bench_query.one_query(params, *names(params), False).data["query_lines"])
    weights = bench_step.run(params).weights
    weighed = lines[lines["first"] == 4]
    assert len(weighed) == weights.numel()
    for line in weighed.itertuples():
        assert line.width == weights[line.query - 1, line.key - 1].item()
        assert line.closed == (params.keep is not None and not params.keep[line.query - 1][line.key - 1])
        assert not (line.closed and line.width)


def test_widths_are_drawn_in_proportion() -> None:
    chart = query_charts.one_query(
        *[read(bench_query.one_query(NOTES, *names(NOTES), False).data[name]) for name in QUERY_DATA],
        read(bench_mixture.outputs(NOTES)),
        words=query_charts.Words(*["word"] * 9, number=("a", "b", "c")),
        stepped=True,
        many=True,
        mixed=True,
    )
    widths = [
        layer["encoding"]["strokeWidth"] for layer in chart.to_dict()["layer"] if "strokeWidth" in layer["encoding"]
    ]
    assert [width["scale"]["domain"] for width in widths] == [[0, 1]]
    assert widths[0]["scale"]["range"][0] == 0


QUERY_DATA = ("query_lines", "query_queries", "query_keys", "query_cells")


@settings(max_examples=40, deadline=None)
@given(states())
def test_entropies_lie_between_zero_and_the_logarithm_of_the_visible_keys(params: Params) -> None:
    weights = bench_step.run(params).weights.tolist()
    for i, found in enumerate(bench_mixture.spread(params)):
        visible = len(weights[i]) if params.keep is None else sum(params.keep[i])
        by_hand = -sum(a * math.log(a) for a in weights[i] if a > 0)
        assert found.entropy == pytest.approx(by_hand, abs=1e-12)
        assert found.visible == visible
        assert found.largest == pytest.approx(math.log(max(1, visible)))
        assert -1e-12 <= found.entropy <= found.largest + 1e-12


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("picture", ["one", "mixture"])
@pytest.mark.parametrize("source", [*examples.FIXED, *examples.SIZED])
def test_every_source_is_drawn_in_every_look(open_page: Open, source: str, picture: str, lang: str) -> None:
    at = open_page("worked_example", lang, folded=True, source=source, picture=picture, step="4")
    assert not at.exception
    assert not at.warning
    assert at.get("vega_lite_chart")


@settings(max_examples=60, deadline=None)
@given(states(), st.sampled_from(bench_step.MISTAKEN), st.sampled_from([*bench_step.PRECISIONS]), st.booleans())
def test_what_a_demonstration_shows_is_what_its_numbers_are(
    params: Params, mistake: str, precision: str, low: bool
) -> None:
    shown = replace(params, mistake=mistake, precision=precision, fill="1e9" if low else "inf")
    found, step, right = bench_symptoms.noticed(shown), bench_step.run(shown), bench_step.run(params)
    sums = [sum(row) for row in step.weights.double().tolist() if not any(map(math.isnan, row))]
    assert (found.rows is None) == (not sums)
    if sums:
        assert found.rows == pytest.approx((min(sums), max(sums)), abs=1e-6)
    assert found.nan == int(step.weights.isnan().sum() + step.output.isnan().sum())
    gaps = (step.weights.double() - right.weights).abs().nan_to_num(0.0)
    assert (found.weights_gap or 0.0) == pytest.approx(float(gaps.max()), abs=1e-12)
    if found.unchanged:
        assert torch.allclose(step.weights.double(), right.weights, atol=1e-12)


EMPTY_ROW = {"paint": "110;000;111", "step": "5"}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "link",
    [
        *({"mistake": mistake, "mask": "lower_right"} for mistake in bench_step.MISTAKEN[1:]),
        *({"precision": precision} | EMPTY_ROW for precision in bench_step.PRECISIONS if precision != "float64"),
        {"fill": "1e9"} | EMPTY_ROW,
        {"fill": "1e9", "precision": "float16"} | EMPTY_ROW,
        {"fill": "1e9"},
    ],
)
def test_a_demonstration_is_named_with_what_it_does_and_why(open_page: Open, link: dict[str, str], lang: str) -> None:
    at = open_page("worked_example", lang, folded=True, **link)
    assert not at.exception
    (notice,) = at.warning
    assert "@{" not in notice.value
    assert labels()["bench_more.demonstration"][lang].split("@")[0] in notice.value
    chosen = link.get("mistake")
    if chosen:
        assert labels()[f"worked_example.mistake_{chosen}"][lang] in notice.value
    assert notice.value.count("\n- ") >= 2


def said(open_page: Open, **link: str) -> str:
    return open_page("worked_example", folded=True, step="5", **link).warning[0].value


def test_a_notice_tells_the_numbers_of_its_own_state(open_page: Open) -> None:
    assert "d_k = 32" in said(open_page, mistake="d_model")
    assert "nothing changes" in said(open_page, mistake="no_max")
    assert "nothing changes" in said(open_page, mistake="mask_after")
    assert "Cells that are NaN in A and O: 7." in said(open_page, precision="float32", paint="110;000;111")
    leaks = said(open_page, fill="1e9", paint="110;000;111")
    assert "hidden keys, which should be 0: 1.000" in leaks
    assert "1.000 … 1.000" not in said(open_page, mistake="mask_after", mask="lower_right")


def test_a_mistake_that_needs_a_width_does_not_apply_to_given_scores_and_nothing_is_wrong(open_page: Open) -> None:
    at = open_page("worked_example", folded=True, source="library", mistake="d_model")
    assert not at.warning
    assert any("d_k" in info.value for info in at.info)
    assert not open_page("worked_example", folded=True, source="library").info


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("link", "label"), [({"padding": "3"}, "entropy_none"), ({"q": "1", "k": "1", "v": "3"}, "entropy_one")]
)
def test_nothing_is_said_of_the_spread_over_no_key_or_one(open_page, lang, link, label):
    at = open_page("worked_example", lang, picture="mixture", **link)
    assert not at.exception
    said = labels()[f"bench_more.{label}"][lang].partition("}")[2]
    captions = [each.value for each in at.caption]
    assert any(said in each for each in captions)
    assert not any("ln 0" in each or "ln 1 " in each for each in captions)
