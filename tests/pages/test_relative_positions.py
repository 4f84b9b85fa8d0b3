"""The relative positions page: its numbers against direct computation, and its code run as pasted."""

import math
import re
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from core.positions.projection import KINDS
from core.positions.schemes import SCHEMES
from core.positions.stretch import STRETCHES
from pages.ui.draw import read
from pages.views import relative_positions as view
from pages.views import relative_positions_claims as claims
from pages.views import relative_positions_sums as sums

STATE = view.Params("map", "untied", 16, 8, 4, 0.5, 3, "paper", 50, "rope", 10, "same", "none", 4, 2)


def state(**changed):
    return replace(STATE, **changed)


def codes(n, d, convention):
    exponent = (lambda k: 2 * k / d) if convention == "paper" else (lambda k: k / (d - 1))
    rows = [[f(t * 10000 ** -exponent(k)) for k in range(d // 2) for f in (math.sin, math.cos)] for t in range(n)]
    return torch.tensor(rows, dtype=torch.float64)


def run(listing):
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in done.stdout.splitlines()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("convention", view.CONVENTIONS)
def test_the_code_of_every_kind_prints_the_measures_of_the_page(kind, convention):
    params = state(kind=kind, omega=convention)
    found, printed = view.projected(params).measured, run(sums.listing(params))
    assert printed["Toeplitz share"] == pytest.approx(found.toeplitz, abs=1e-9)
    assert printed["asymmetry"] == pytest.approx(found.asymmetry, abs=1e-9)
    assert printed["decay"] == pytest.approx(found.decay, abs=1e-6)
    assert printed["commuting share"] == pytest.approx(found.commuting, abs=1e-9)


def test_the_code_of_the_four_terms_prints_their_energies():
    params = state(look="terms", kind="tied")
    parts, printed = view.terms(params), run(sums.listing(params))
    energies = [printed[term.name.replace("_", "-")] for term in parts.terms]
    assert [term.share for term in parts.terms] == pytest.approx([energy / sum(energies) for energy in energies])
    assert printed["Toeplitz share"] == pytest.approx(parts.total.toeplitz)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("tokens", view.TOKENS)
def test_the_code_of_every_scheme_prints_the_change_of_the_page(scheme, tokens):
    params = state(look="schemes", scheme=scheme, tokens=tokens, n=32, rank=8)
    change = run(sums.listing(params))["change"]
    if change < view.ROUNDING:
        assert view.scheme(params).change < view.ROUNDING
    else:
        assert view.scheme(params).change == pytest.approx(change)


@pytest.mark.parametrize("stretch", STRETCHES)
def test_a_stretched_rope_still_only_sees_distances(stretch):
    params = state(look="schemes", stretch=stretch, by=10_000)
    assert view.scheme(params).change < view.ROUNDING
    assert run(sums.listing(params))["change"] < view.ROUNDING


def test_the_map_and_its_diagonals_are_those_of_the_product():
    params = state(kind="shift", back=2, n=16, d=8, omega="notes")
    p = codes(16, 8, "notes")
    m = view.matrix(params, 0)
    expected = p @ m @ p.mT
    made = view.projected(params)
    assert read(made.map.data["map_cells"])["value"].tolist() == pytest.approx(expected.flatten().tolist(), abs=1e-5)
    along = read(made.along["along"]).set_index("offset")
    for offset in range(-15, 16):
        diagonal = expected.diagonal(offset)
        row = along.loc[offset]
        assert (row["mean"], row["low"], row["high"]) == pytest.approx(
            (diagonal.mean().item(), diagonal.min().item(), diagonal.max().item())
        )
    assert along["mean"].idxmax() == -2


def test_a_window_shows_only_what_it_sees():
    made = view.scheme(state(look="schemes", scheme="window", n=32))
    along = read(made.along["along"])
    assert along["offset"].abs().max() == 8
    assert read(made.map.data["map_cells"])["value"].isna().sum() == sum(
        abs(i - j) > 8 for i in range(32) for j in range(32)
    )


def test_a_learned_table_is_shown_as_far_as_it_goes():
    params = state(look="schemes", scheme="learned", n=128, by=10_000)
    assert (view.n_tokens(params), view.furthest(params)) == (64, 0)
    assert view.furthest(replace(params, n=32)) == 32
    view.scheme(params)


def test_bands_hold_their_draws():
    bands = view.bands(state(n=16), "untied")
    p = codes(16, 8, "paper")
    decays = []
    for seed in range(bands["decay"].count):
        generator = torch.Generator().manual_seed(seed)
        w_q, w_k = (torch.randn(1, 8, 4, generator=generator, dtype=torch.float64)[0] / 8**0.5 for _ in range(2))
        scores = p @ w_q @ w_k.mT @ p.mT
        diagonals = sum(scores.diagonal(o).mean() ** 2 * (16 - abs(o)) for o in range(-15, 16))
        decays.append((diagonals / scores.square().sum()).item())
    toeplitz = bands["toeplitz"]
    assert (toeplitz.low, toeplitz.high) == pytest.approx((min(decays), max(decays)))
    assert toeplitz.mean == pytest.approx(sum(decays) / len(decays))
    assert view.bands(state(), "identity")["decay"].count == 1


def test_the_sweep_starts_at_the_identity_and_ends_among_the_noise():
    sweep = read(view.noise(state(n=32, d=32))["sweep"]).set_index(["measure", "epsilon"])
    assert sweep.loc[("toeplitz", 0.0), "mean"] == pytest.approx(1)
    assert sweep.loc[("asymmetry", 0.0), "mean"] == pytest.approx(0)
    assert sweep.loc[("toeplitz", 4.0), "mean"] < 0.9
    assert (sweep["low"] <= sweep["mean"]).all()
    assert (sweep["mean"] <= sweep["high"]).all()


def test_settings_that_a_kind_does_not_read_make_no_new_state():
    one, other = state(kind="identity", eps=1.0, seed=3), state(kind="identity", eps=2.0, seed=5, rank=8)
    assert view.only_what_counts(one) == view.only_what_counts(other)
    assert view.projected(one) is view.projected(other)


@pytest.mark.parametrize("convention", view.CONVENTIONS)
def test_the_demands_at_the_pages_own_settings(convention):
    rows = {row.scheme: row for row in claims.measured_demands(64, 16, 0, convention)}
    met = {name: (row.apart, row.same, row.lengths, row.ordered) for name, row in rows.items()}
    assert met == {
        "none": ("no", "yes", "yes", "no"),
        "sinusoidal": ("yes", "no", "partly", "yes"),
        "learned": ("yes", "no", "no", "yes"),
        "shaw": ("partly", "yes", "yes", "yes"),
        "t5": ("partly", "yes", "partly", "yes"),
        "alibi": ("partly", "yes", "partly", "yes"),
        "rope": ("partly", "yes", "partly", "yes"),
        "window": ("partly", "yes", "yes", "yes"),
    }


def test_the_answers_to_the_notes():
    found = {row.name: row for row in claims.statements(state(n=64, d=64, rank=16))}
    assert {name: row.verdict for name, row in found.items()} == {
        "survive": "open",
        "almost": "only_if",
        "commute": "only_if",
        "content": "open",
        "variants": "open",
    }
    shares = [int(found["content"].values[name]) for name in ("content_content", "position_position")]
    # 1 : 1/2 : 1/2 : 1/4 in expectation, for a token has twice the energy of its position's code.
    assert shares == [pytest.approx(400 / 9, abs=6), pytest.approx(100 / 9, abs=4)]
    assert claims.at_size() == {"size": "512", "paper": "−0.99", "notes": "−0.28"}


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_stands_in_both_languages(open_page, look, lang):
    at = open_page("relative_positions", lang, rp_look=look, rp_n="128", rp_d="8")
    assert not at.exception
    assert not at.warning
    charts = {"map": 2, "families": 1, "noise": 1, "terms": 4, "schemes": 2, "demands": 1}
    assert len(at.get("vega_lite_chart")) == charts[look]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_own_setting_beside_it(open_page, kind):
    at = open_page("relative_positions", rp_kind=kind)
    assert not at.exception
    assert re.search(r"\\rho", " ".join(formula.value for formula in at.get("latex")) or at.markdown[0].value)
    more = next(box for box in at.expander if "settings" in box.label.lower())
    kinds = ("slider", "select_slider", "button_group", "selectbox")
    inside = {widget.key for each in kinds for widget in more.get(each)}
    everywhere = {widget.key for each in kinds for widget in at.main.get(each)}
    assert f"rp_{view.SPECIAL.get(kind, 'omega')}" in everywhere - inside
    assert {f"rp_{name}" for name in view.CONTROLS} <= everywhere


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_stands(open_page, scheme):
    at = open_page("relative_positions", rp_look="schemes", rp_scheme=scheme, rp_n="128", rp_by="10000", rp_rank="2")
    assert not at.exception
    assert len(at.get("vega_lite_chart")) == 2
