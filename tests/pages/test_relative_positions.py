"""The relative positions page: its numbers against direct computation, and its code run as pasted."""

import json
import math
import re
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from core.positions.demands import Unseen
from core.positions.projection import KINDS
from core.positions.schemes import SCHEMES
from core.positions.stretch import STRETCHES
from pages.ui.draw import read
from pages.views import relative_positions as view
from pages.views import relative_positions_claims as claims
from pages.views import relative_positions_sums as sums
from tests.pages.test_every_page import texts
from tests.test_text import ENGLISH_SENTENCE, HAN, QUOTED, bare

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
    assert (view.n_tokens(params), view.furthest(params)) == (32, 32)
    # Shown whole it would have nowhere to go, and its scores would look as if they did not change.
    assert view.scheme(params).change > 0.1
    assert view.furthest(replace(params, n=16)) == 48


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
        "alibi": ("partly", "yes", "no", "yes"),
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
    size = claims.at_size("paper")
    assert {name: size[name] for name in ("size", "paper", "notes")} == {
        "size": "512",
        "paper": "−0.99",
        "notes": "−0.28",
    }
    assert 0.05 < float(size["lost"].split()[0]) < 0.2


def test_only_what_commutes_with_the_shifts_keeps_a_toeplitz_share_of_one():
    frame = read(view.families(state(n=64, d=16))["bands"])
    share = frame[frame["measure"] == "toeplitz"].set_index("kind")
    kept = {kind for kind in KINDS if share.loc[kind, "low"] > 1 - 1e-9}
    assert kept == {"identity", "orthogonal", "positive", "commuting", "shift"}


def test_commuting_alone_keeps_neither_symmetry_nor_decay():
    found = view.projected(state(kind="shift", back=16, n=16, d=8)).measured
    assert found.toeplitz == pytest.approx(1)
    assert found.asymmetry > 0.5
    assert abs(found.decay) < 0.1
    said = claims.take_away(state(n=64, d=64, rank=16))
    assert said["any_share"] == "100"
    assert float(said["any_asymmetry"].split()[0]) > 0.5
    assert abs(float(said["any_decay"].replace("−", "-").split()[0])) < 0.5


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_words_ask_more_than_commuting_for_symmetry_and_decay(open_page, lang):
    said = texts(open_page("relative_positions", lang))
    last = next(text for text in said if "RoPE" in text and "P P^" in text and "b_k = 0" in text)
    assert "a_k > 0" in last
    survive = next(text for text in said if "M = I" in text and "Toeplitz" in text and "b = 0" in text)
    assert "a > 0" in survive


@pytest.mark.parametrize(("n", "d"), [(3, 4), (4, 4), (5, 4), (8, 4), (6, 6), (7, 6)])
def test_only_more_positions_than_dimensions_show_that_m_must_commute(n, d):
    # The M with S Toeplitz are the null space of M → S[m+1, n+1] − S[m, n]; the commuting ones are d of its dimensions.
    omega = torch.linspace(0.4, 2.6, d // 2, dtype=torch.float64)
    angles = torch.outer(torch.arange(n).double(), omega)
    p = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    pairs = torch.einsum("ia,jb->ijab", p, p).reshape(n, n, d * d)
    rank = int(torch.linalg.matrix_rank((pairs[1:, 1:] - pairs[:-1, :-1]).flatten(0, 1)))
    only = d * d - rank == d
    assert only == (claims.decides(n, d) == "enough")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("n", "d"), [("16", "128"), ("64", "64"), ("128", "8")])
def test_the_condition_says_whether_the_positions_are_enough(open_page, lang, n, d):
    said = next(text for text in texts(open_page("relative_positions", lang, rp_n=n, rp_d=d)) if "M R = R M" in text)
    few = {"en": "too few", "zh": "还不足以"}[lang]
    assert f"n = {n} " in said
    assert f"n > d = {d}" in said
    assert (few in said) == (int(n) <= int(d))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_title_of_the_kinds_is_true_where_a_dot_that_does_not_commute_lies_on_one(open_page, lang):
    params = state(look="families", n=16, d=128, rank=16)
    gaps = claims.shortfalls(params)
    assert 0 < gaps["noisy"] < 0.005
    said = claims.short_of_one(params)
    assert [float(said[name]) for name in ("least", "most")] == pytest.approx([gaps["noisy"], gaps["untied"]], rel=0.05)
    link = {"rp_look": "families", "rp_n": "16", "rp_d": "128", "rp_rank": "16", "rp_eps": "0.5"}
    shown = texts(open_page("relative_positions", lang, **link))
    assert any(said["least"] in text and said["most"] in text for text in shown)


def test_without_noise_i_commutes_and_is_not_counted_among_the_rest():
    params = state(look="families", eps=0.0)
    gaps = claims.shortfalls(params)
    assert gaps["noisy"] == 0
    assert float(claims.short_of_one(params)["least"]) == pytest.approx(min(gaps["tied"], gaps["untied"]), rel=0.05)


@pytest.mark.parametrize(
    ("found", "met"),
    [
        (Unseen(True, 0, 0), "yes"),
        (Unseen(True, 0, 17), "yes"),
        (Unseen(True, 4, 32), "partly"),
        (Unseen(True, 1, 1), "no"),
        (Unseen(False, 0, 64), "no"),
    ],
)
def test_a_scheme_is_in_range_as_far_as_its_numbers_are(found, met):
    assert claims.in_range(found) == met


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_that_leaves_is_not_called_a_part_nor_a_failure(open_page, lang):
    said = texts(open_page("relative_positions", lang, rp_look="demands"))
    table = next(text for text in said if "1/1" in text)
    alibi = next(line for line in table.splitlines() if "ALiBi" in line).split("|")[4]
    assert {"en": "no", "zh": "否"}[lang] in alibi
    assert "1/1" in alibi
    assert any({"en": "does not yet mean to fail", "zh": "不等于就会失败"}[lang] in text for text in said)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("scheme", ["rope", "none", "sinusoidal"])
def test_a_text_that_does_not_move_is_not_said_to_change(open_page, lang, scheme):
    at = open_page("relative_positions", lang, rp_look="schemes", rp_scheme=scheme, rp_by="0")
    said = " ".join(texts(at))
    assert not re.search(r"at most 0 of|最多是自身大小的 0 倍", said)
    assert {"en": "nothing moves", "zh": "什么也没动"}[lang] in said
    assert not any("t+0" in formula.value for formula in at.get("latex"))


def test_the_four_terms_without_content_leave_the_positions_alone():
    params = state(look="terms", content=0)
    own, silent = view.projected(params).measured, view.terms(params)
    assert [term.share for term in silent.terms] == [0, 0, 0, 1]
    assert vars(silent.total) == pytest.approx(vars(replace(own, commuting=0.0)))


def test_a_fall_with_distance_is_built_into_one_scheme_only():
    rows = {row.scheme: row for row in claims.measured_demands(32, 8, 0, "paper")}
    assert {name for name, row in rows.items() if row.falling == "yes"} == {"alibi"}


def test_a_stretch_counts_for_rope_alone():
    one = state(look="schemes", scheme="t5", stretch="yarn", factor=4)
    assert view.scheme(one) is view.scheme(replace(one, stretch="ntk", factor=8))
    assert view.scheme(replace(one, scheme="rope")) is not view.scheme(replace(one, scheme="rope", stretch="ntk"))


@pytest.mark.parametrize(
    "link",
    [
        {"rp_look": "everything"},
        {"rp_kind": "<b>"},
        {"rp_n": "4096"},
        {"rp_d": "63"},
        {"rp_rank": "1e9"},
        {"rp_omega": "other"},
        {"rp_look": "noise", "rp_eps": "NaN"},
        {"rp_look": "terms", "rp_content": "-10"},
        {"rp_look": "schemes", "rp_scheme": "xpos"},
        {"rp_look": "schemes", "rp_by": "99999999"},
        {"rp_look": "schemes", "rp_factor": "3"},
        {"rp_look": "demands", "rp_seed": "100"},
        {"rp_kind": "shift", "rp_back": "17"},
    ],
)
def test_what_a_link_cannot_have_is_said(open_page, link):
    at = open_page("relative_positions", **link)
    assert not at.exception
    assert len(at.warning) == 1


@pytest.mark.parametrize("look", view.LOOKS)
def test_what_moves_never_makes_another_spec(open_page, look):
    def specs(**link):
        at = open_page("relative_positions", rp_look=look, rp_scheme="alibi", **link)
        found = [json.loads(chart.proto.spec) for chart in at.get("vega_lite_chart")]
        return [without_values(spec) for spec in found]

    small = specs(rp_n="16", rp_d="8", rp_rank="2", rp_by="1", rp_eps="0.0", rp_content="10", rp_omega="notes")
    large = specs(rp_n="128", rp_d="64", rp_rank="32", rp_by="1000", rp_eps="3.0", rp_content="200", rp_seed="9")
    assert small == large


def without_values(spec):
    return {**spec, "datasets": None, "params": [{**each, "value": None} for each in spec.get("params", [])]}


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_stands_in_both_languages(open_page, look, lang):
    at = open_page("relative_positions", lang, rp_look=look, rp_n="128", rp_d="8")
    assert not at.exception
    assert not at.warning
    charts = {"map": 2, "families": 1, "noise": 1, "terms": 4, "schemes": 2, "demands": 1}
    assert len(at.get("vega_lite_chart")) == charts[look]
    for text in texts(at):
        if lang == "en":
            assert not HAN.search(QUOTED.sub("", bare(text))), text
        else:
            assert not ENGLISH_SENTENCE.search(bare(text)), text


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
