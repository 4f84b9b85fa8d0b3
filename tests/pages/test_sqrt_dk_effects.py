"""The laboratory's experiments on the assumption, the softmax, several heads and training."""

import json
import math
import re

import altair as alt
import pandas as pd
import pytest
import torch
import vl_convert
from streamlit.testing.v1 import AppTest

from core.charts import assumption
from core.variance.components import LAWS, SHAPES, Components, moments
from core.variance.training import Plan, train
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.language import labels
from pages.ui.long_run import Shared
from pages.ui.queue import Queue
from pages.views import lab_assumption, lab_heads, lab_softmax, lab_training, timed_run
from pages.views import sqrt_dk as bench
from pages.views import sqrt_dk_claims as notes
from pages.views.sqrt_dk import RUNGS
from tests.pages.conftest import Open
from tests.pages.test_every_page import texts
from tests.test_text import ENGLISH_SENTENCE, HAN, QUOTED, bare

EXPERIMENTS = ("assumption", "softmax", "heads", "training")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("lab", EXPERIMENTS)
def test_an_experiment_stands_in_its_own_language(open_page: Open, lab: str, lang: str) -> None:
    at = open_page("sqrt_dk", lang, lab=lab)
    assert not at.exception
    assert not at.warning
    assert len(at.get("vega_lite_chart")) == (4 if lab == "training" else 6)
    for text in texts(at):
        if lang == "en":
            assert not HAN.search(QUOTED.sub("", bare(text))), text
        else:
            assert not ENGLISH_SENTENCE.search(bare(text)), text


@pytest.mark.parametrize(
    ("lab", "link"),
    [
        ("assumption", {"lab_law": "cauchy", "lab_rho": "1.5", "lab_mu": "NaN", "lab_sigma": "0"}),
        ("assumption", {"lab_shape": "round"}),
        ("assumption", {"lab_shape": "shared", "lab_rank": "3"}),
        ("softmax", {"lab_what": "everything"}),
        ("heads", {"lab_heads": "7", "lab_d_model": "1e9"}),
        ("training", {"lab_optimizer": "lion", "lab_start": "huge"}),
    ],
)
def test_what_a_link_cannot_have_is_said(open_page: Open, lab: str, link: dict[str, str]) -> None:
    at = open_page("sqrt_dk", lab=lab, **link)
    assert not at.exception
    assert len(at.warning) + len(at.info) >= 1


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_law_and_shape_stands_at_every_width(open_page: Open, law: str, shape: str) -> None:
    for d_k in ("1", "4096"):
        at = open_page(
            "sqrt_dk", lab="assumption", lab_law=law, lab_shape=shape, lab_mu="-1.5", lab_rho="-1.0", d_k=d_k
        )
        assert not at.exception


@pytest.mark.parametrize("made", [Components(), Components("signs", 0.5, 1.2, 0.3), Components(shape="shared", rank=4)])
def test_the_picture_and_the_table_hold_what_the_formula_says(made: Components) -> None:
    frame = read(lab_assumption.spread(made, 7)).set_index("d_k")
    for d_k in RUNGS:
        theory = moments(d_k, made).variance
        assert frame.loc[d_k, "theory"] == pytest.approx(theory / d_k)
        reach = (frame.loc[d_k, "high"] - frame.loc[d_k, "low"]) / 2
        assert frame.loc[d_k, "measured"] == pytest.approx(theory / d_k, abs=3 * reach)
    shown = lab_assumption.formula(64, made)
    assert shown is not None
    assert float(re.findall(r"= \(?(-?[\d.]+)", shown)[-1]) == pytest.approx(moments(64, made).variance, rel=1e-5)
    assert shown.count("{") == shown.count("}")


def test_a_score_that_never_varies_has_no_place_on_a_logarithmic_axis() -> None:
    fixed = Components("signs", rho=1.0)
    assert read(lab_assumption.spread(fixed, 7))["measured"].isna().all()
    assert lab_assumption.rows(lab_assumption.at(fixed, 7, 64))["mean"].startswith("64")
    assert lab_assumption.never_varies(fixed, 7)
    assert not lab_assumption.never_varies(Components("signs"), 7)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_empty_picture_says_why_it_is(open_page: Open, lang: str) -> None:
    def captions(**link: str) -> set[str]:
        return {c.value for c in open_page("sqrt_dk", lang, lab="assumption", lab_law="signs", **link).caption}

    assert len(captions(lab_rho="1.0") - captions(lab_rho="0.9")) == 1


def test_aligned_vectors_stay_in_place_by_1_over_d_and_independent_ones_by_1_over_root_d() -> None:
    tied = read(lab_assumption.fans(Components(rho=0.5), 7)).set_index(["line", "d_k"])
    assert tied.loc[("whole", 4096), "mean"] == pytest.approx(0.5, abs=0.02)
    assert tied.loc[("root", 4096), "mean"] == pytest.approx(32, rel=0.02)
    free = read(lab_assumption.fans(Components(), 7)).set_index(["line", "d_k"])
    assert free.loc[("root", 4096), "high"] == pytest.approx(1, abs=0.2)
    assert free.loc[("whole", 4096), "high"] < 0.05
    cosine = free.loc["cosine"]
    deviation = (cosine["high"] - cosine["low"]) / 2
    assert (cosine["mean"] ** 2 + deviation**2).max() < 1.001  # the mean square of a cosine, up to n/(n − 1)


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_the_times_are_the_ratios_of_the_curves(n_keys: int) -> None:
    for quantity in lab_softmax.LOGARITHMIC:
        frame = read(lab_softmax.curves(n_keys, quantity)).set_index(["side", "d_k"])
        for times in lab_softmax.smaller(n_keys, quantity):
            raw, scaled = frame.loc[("raw", times.d_k)], frame.loc[("scaled", times.d_k)]
            assert times.mean == pytest.approx(scaled["mean"] / raw["mean"])
            assert times.median == pytest.approx(scaled["median"] / raw["median"])
        assert (frame["low"] <= frame["median"]).all()
        assert (frame["median"] <= frame["high"]).all()


def test_without_the_division_the_typical_gradient_dies_and_the_mean_at_w_q_does_not() -> None:
    jacobian, w_q = ({s.d_k: s for s in lab_softmax.smaller(16, q)} for q in ("jacobian", "w_q"))
    assert jacobian[4096].median > 1e8 > jacobian[4096].mean > 5
    assert w_q[4096].median > 1e6
    assert all(s.mean < 1 for s in w_q.values())
    claim = next(claim for claim in notes.claims() if claim.name == "gradient")
    assert float(claim.values["w_q_mean"]) > 1


@pytest.mark.parametrize("d_k", [1, 64, 4096])
def test_the_temperature_starts_at_the_division(d_k: int) -> None:
    data = lab_softmax.tempered(d_k, 16, 7)
    start = int(read(data["tau_at"])["tau_step"][0])
    assert 2 ** (start / 2) == pytest.approx(math.sqrt(d_k))
    cells = read(data["cells"])
    drawn = torch.randn(4096, 17, generator=torch.Generator().manual_seed(7)).double()[:d_k]
    expected = torch.softmax(drawn[:, 0] @ drawn[:, 1:] / math.sqrt(d_k), dim=-1)
    assert cells[cells["step"] == start]["weight"].tolist() == pytest.approx(expected.tolist(), abs=1e-6)
    assert "√d_k" in read(data["tops"])["text"][start]


@pytest.mark.parametrize(("d_model", "n_heads", "n_keys"), [(512, 8, 16), (64, 1, 256), (1024, 16, 2)])
def test_heads_on_the_picture_are_those_of_the_table(d_model: int, n_heads: int, n_keys: int) -> None:
    variance, largest = lab_heads.pictures(d_model, n_heads, n_keys, 7)
    found = lab_heads.measured(d_model, n_heads, n_keys, 7)
    for name, data in (("variance", variance), ("largest", largest)):
        frame = read(data["dots"])
        assert len(frame) == 2 * n_heads
        for divisor, part in frame.groupby("line"):
            assert part["value"].mean() == pytest.approx(lab_heads.mean(found, divisor)[name])
    assert read(variance["levels"])["level"].tolist() == [1, 1 / n_heads]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a few steps, in a line of the test's own."""
    monkeypatch.setattr(long_run, "LINE", Queue())
    monkeypatch.setattr(long_run, "SHARED", Shared(2))
    monkeypatch.setattr(lab_training, "D_KS", (4, 64))
    monkeypatch.setattr(lab_training, "STEPS", 20)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_button_trains_and_the_table_says_what_is_seen(open_page: Open, short: None, lang: str) -> None:
    at = open_page("sqrt_dk", lang, lab="training")
    at.button(key="lab_training_start").click().run()
    for _ in range(100):
        if at.button(key="lab_training_stop").disabled:
            break
        at.run()
    assert not at.exception
    assert len(at.get("vega_lite_chart")) == 5
    table = next(m.value for m in at.markdown if m.value.startswith("| d_k | "))
    assert [row.split(" | ")[0] for row in table.splitlines()[2:]] == ["| 4", "| 64"]


def test_the_stop_button_stops(open_page: Open, short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_training, "STEPS", 5000)
    at = open_page("sqrt_dk", lab="training")
    at.button(key="lab_training_start").click().run()
    assert not at.button(key="lab_training_stop").disabled
    at.button(key="lab_training_stop").click().run()
    assert not at.exception
    assert at.button(key="lab_training_stop").disabled
    assert not at.button(key="lab_training_start").disabled


def test_a_link_starts_no_training(open_page: Open) -> None:
    at = open_page("sqrt_dk", lab="training", lab_start="small", lab_optimizer="sgd")
    assert at.button(key="lab_training_stop").disabled


def test_the_curves_are_medians_and_extremes_over_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_training, "D_KS", (4,))
    monkeypatch.setattr(lab_training, "STEPS", 20)
    plan = lab_training.plan("adam", "unit")
    results = list(train(plan))
    trained = lab_training.summary(results, "adam", "unit")
    frame = read(trained.data["losses"])
    assert len(frame) == 2 * len(plan.rates) * 2
    assert (frame["low"] <= frame["middle"]).all()
    assert (frame["middle"] <= frame["high"]).all()
    one = list(train(Plan((4,), plan.rates[:1], plan.seeds, "adam", "unit", 20, 5)))
    first = frame[(frame["side"] == "raw") & (frame["rate_place"] == 1)]["middle"].tolist()
    pairs = [zip(early.loss[:5], late.loss[:5], strict=True) for early, late in (one[:2], one[2:])]
    by_hand = [sorted((a + b) / 2 for a, b in pair)[2] for pair in pairs]
    assert first == pytest.approx(by_hand, rel=1e-3)


def drawn_text(chart: alt.TopLevelMixin) -> list[str]:
    """Return what a picture says on its axes and marks."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", vl_convert.vegalite_to_svg(chart.to_dict()))


@pytest.mark.parametrize("made", [Components(), Components(mu=2.0, sigma=2.0, rho=1.0), Components(shape="shared")])
def test_a_score_s_axis_says_its_numbers_in_full(made: Components) -> None:
    chart = assumption.fans(
        read(lab_assumption.fans(made, 7)), pd.DataFrame({"d_k": [64]}),
        names=("root", "whole", "cosine"), x_title="x", y_title="y", height=300,
    )  # fmt: skip
    said = {text.replace("−", "-") for text in drawn_text(chart)}
    assert not [text for text in said if "e+" in text]
    ticks = assumption.TICKS
    reach = read(lab_assumption.fans(made, 7))[["low", "high"]].abs().max().max()
    assert max(ticks) >= reach / 4
    assert [-tick for tick in reversed(ticks)] == list(ticks)


def test_the_band_of_a_gradient_is_cut_where_it_would_hide_the_rest() -> None:
    for n_keys in (2, 16, 256):
        frame = read(lab_softmax.curves(n_keys, "w_q"))
        assert (
            frame["shown_low"].min() == pytest.approx(frame["median"].min() / 1000, rel=1e-6)
            or (frame["shown_low"] == frame["low"]).all()
        )
        assert (frame["shown_low"] >= frame["low"]).all()
    for quantity in ("largest", "entropy", "effective"):
        frame = read(lab_softmax.curves(16, quantity))
        assert (frame["shown_low"] == frame["low"]).all()


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_what_even_weights_would_give_is_drawn_and_bounds_what_is_measured(n_keys: int) -> None:
    even = torch.full((n_keys,), 1 / n_keys, dtype=torch.float64)
    entropy = float(torch.special.entr(even).sum())
    expected = {"largest": 1 / n_keys, "entropy": entropy, "effective": math.exp(entropy)}
    for quantity, level in expected.items():
        assert read(lab_softmax.even(n_keys, quantity))["level"].tolist() == pytest.approx([level])
        high = read(lab_softmax.curves(n_keys, quantity))["high"]
        assert (high >= level).all() if quantity == "largest" else (high <= level * (1 + 1e-12)).all()
    assert read(lab_softmax.even(n_keys, "w_q"))["level"].isna().all()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_standard_errors_that_need_a_moment_there_is_not_are_said_to(open_page: Open, lang: str) -> None:
    def captions(**link: str) -> set[str]:
        return {c.value for c in open_page("sqrt_dk", lang, lab="assumption", lab_law="student", **link).caption}

    more = captions(lab_rho="0.5") - captions()
    assert len(more) == 1
    assert more <= captions(lab_rho="-0.3", lab_shape="shared")
    assert not more & captions(lab_rho="0.5", lab_shape="layer")


def test_a_run_says_how_long_it_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_training, "D_KS", (4,))
    monkeypatch.setattr(lab_training, "STEPS", 20)
    clock = iter(range(100))
    monkeypatch.setattr(timed_run, "perf_counter", lambda: float(next(clock)))
    timed = list(lab_training.begin("adam", "unit", "cpu"))
    assert [t.seconds for t in timed] == [1, 2, 3, 4]
    assert [t.point.step for t in timed] == [5, 10, 15, 20]


@pytest.mark.parametrize("n_keys", [2, 16, 64, 256])
def test_no_gradient_is_said_to_be_once_as_large(open_page: Open, n_keys: int) -> None:
    at = open_page("sqrt_dk", "en", lab="softmax", keys=str(n_keys))
    cells = (
        next(m.value for m in at.markdown if m.value.startswith("| without the division |"))
        .replace("|", " | ")
        .split(" | ")
    )
    said = [cell.strip() for cell in cells if re.match(r"\s*[\d,.×⁰¹²³⁴⁵⁶⁷⁸⁹]+( times|\s*$)", cell)]
    assert len(said) >= 8
    assert not [cell for cell in said if cell.startswith("1.0 ") or re.match(r"\d{4}", cell)]


STATES = {
    "assumption": (
        {"d_k": "1", "lab_law": "signs", "lab_shape": "layer"},
        {"d_k": "4096", "lab_law": "student", "lab_shape": "shared", "lab_rank": "64", "lab_mu": "2.0", "draw": "9"},
    ),
    "softmax": ({"d_k": "1", "keys": "2"}, {"d_k": "4096", "keys": "256", "draw": "9"}),
    "heads": (
        {"keys": "2", "lab_d_model": "64", "lab_heads": "1"},
        {"keys": "256", "lab_d_model": "1024", "lab_heads": "16", "draw": "9"},
    ),
}


@pytest.mark.parametrize("lab", STATES)
def test_one_spec_serves_every_state(open_page: Open, lab: str) -> None:
    def specs(link: dict[str, str]) -> list[str]:
        charts = open_page("sqrt_dk", lab=lab, **link).get("vega_lite_chart")[-2:]
        made = [json.loads(chart.proto.spec) for chart in charts]
        return [json.dumps({k: v for k, v in spec.items() if k != "datasets"}, sort_keys=True) for spec in made]

    small, large = (specs(link) for link in STATES[lab])
    assert len(small) == 2
    assert small == large


def said(at: AppTest) -> str:
    """Return everything that a page says."""
    return "\n".join(texts(at))


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_what_is_said_to_be_gone_is_so_in_the_table(open_page: Open, n_keys: int) -> None:
    for (quantity, statistic), d_ks in lab_softmax.gone(n_keys).items():
        for times in lab_softmax.smaller(n_keys, quantity):
            assert (getattr(times, statistic) >= 100) == (times.d_k in d_ks)
    for what in lab_softmax.LOGARITHMIC:
        text = said(open_page("sqrt_dk", lab="softmax", lab_what=what, keys=str(n_keys)))
        assert not re.search(r"typical row dies|nothing in the typical|times as large, and", text)


def test_a_subspace_of_fixed_rank_is_not_said_to_spread_like_the_root(open_page: Open) -> None:
    wide, wider = (moments(d_k, Components(shape="shared", rank=4)).variance for d_k in (64, 256))
    assert wider == 16 * wide
    root = r"its standard deviation only like $\sqrt{d_k}$"
    assert root in said(open_page("sqrt_dk", lab="assumption"))
    assert root not in said(open_page("sqrt_dk", lab="assumption", lab_shape="shared"))


@pytest.mark.parametrize(("lang", "many"), [("en", "1 heads"), ("zh", "切成 1 个头")])
def test_one_head_is_not_said_to_be_several(open_page: Open, lang: str, many: str) -> None:
    at = open_page("sqrt_dk", lang, lab="heads", lab_heads="1")
    assert many not in said(at) + "".join(chart.proto.spec for chart in at.get("vega_lite_chart"))


def test_a_picture_that_would_be_empty_is_not_drawn(open_page: Open) -> None:
    link = {"lab": "assumption", "lab_law": "signs"}
    drawn = [len(open_page("sqrt_dk", lab_rho=rho, **link).get("vega_lite_chart")) for rho in ("0.9", "1.0")]
    assert drawn[1] == drawn[0] - 1


def test_a_run_s_titles_name_the_optimiser_that_ran(open_page: Open, short: None) -> None:
    at = open_page("sqrt_dk", lab="training", lab_optimizer="sgd")
    at.button(key="lab_training_start").click().run()
    for _ in range(100):
        if at.button(key="lab_training_stop").disabled:
            break
        at.run()
    at.segmented_control(key="lab_optimizer").set_value("adam").run()
    assert not at.exception
    title = next(m.value for m in at.markdown if "right answers at the end" in m.value)
    assert title.startswith("**Gradient descent")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_nothing_can_be_normalised_the_reason_is_that(open_page: Open, lang: str) -> None:
    words = labels()
    at = open_page("sqrt_dk", lang, lab="assumption", lab_shape="layer", d_k="1")
    captions = [each.value for each in at.caption]
    assert words["assumption.nothing_left"][lang] in captions
    assert words["assumption.no_formula"][lang] not in captions
    tied = open_page("sqrt_dk", lang, lab="assumption", lab_shape="layer", lab_rho="0.5")
    assert words["assumption.no_formula"][lang] in [each.value for each in tied.caption]


def test_rounding_beside_its_error_reads_0() -> None:
    point = lab_assumption.at(Components("uniform", 2.0, shape="layer"), 99, 2)
    assert point.sample is not None
    is_rounding = abs(point.sample.mean) < 1e-6 * point.sample.mean_error
    assert lab_assumption.rows(point)["mean"].startswith("0 ±") == is_rounding
    assert "± 0" not in lab_assumption.rows(point)["variance"].replace("± 0.", "")


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_the_laboratory_and_the_table_differ_by_no_more_than_they_say(n_keys: int) -> None:
    """Two samples of the median ‖J‖ at 4096, each with its interval: the intervals meet."""
    for raw, side in zip(bench.saturations(4096, n_keys), ("raw", "scaled"), strict=True):
        band = lab_softmax.bands(n_keys)[4096, side, "jacobian"]
        assert max(raw.jacobian_low, band.median_low) <= min(raw.jacobian_high, band.median_high)
