"""The laboratory of the positions page: its numbers against direct sums, in both languages, and what a link can ask."""

import json
import math
import re

import pytest
import torch

from core.positions.properties import shift_defect
from core.positions.sinusoidal import encode, shift_map
from pages.ui.draw import read
from pages.ui.positions_lab import EXPERIMENTS
from pages.views import positions_lab as view
from pages.views.positions import CONVENTIONS, WIDTHS

LANGUAGES = ("en", "zh")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", EXPERIMENTS)
@pytest.mark.parametrize(("d_model", "omega"), [("4", "notes"), ("8", "paper"), ("512", "notes")])
def test_an_experiment_stands_in_both_languages(open_page, lang, lab, d_model, omega):
    at = open_page("positions", lang, positions_lab=lab, d_model=d_model, omega=omega)
    assert not at.exception
    assert not at.warning
    assert at.segmented_control(key="positions_lab").value == lab


@pytest.mark.parametrize("asked", ["", "nothing", "<b>", "decay,shift", "9" * 400])
def test_an_experiment_that_there_is_not_is_named_and_the_first_one_stands(open_page, asked):
    at = open_page("positions", positions_lab=asked)
    assert not at.exception
    assert len(at.warning) == 1
    assert at.segmented_control(key="positions_lab").value == "decay"


@pytest.mark.parametrize("asked", ["1", "65", "1e9", "nan", "x"])
def test_a_range_beyond_its_bounds_is_refused(open_page, asked):
    at = open_page("positions", positions_range=asked)
    assert not at.exception
    assert len(at.warning) == 1
    assert at.slider(key="positions_range").value == view.RANGE


@pytest.mark.parametrize("lab", EXPERIMENTS)
def test_one_spec_serves_every_state(open_page, lab):
    specs = []
    for link in (
        {"d_model": "4", "omega": "paper", "delta": "3"},
        {"d_model": "512", "omega": "notes", "delta": "-60"},
    ):
        at = open_page("positions", positions_lab=lab, **link)
        specs.append([json.loads(chart.proto.spec) for chart in at.get("vega_lite_chart")[1:]])
    for one, other in zip(*specs, strict=True):
        for spec in (one, other):
            spec.pop("datasets", None)
        assert one == other


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("d_model", [4, 64])
def test_the_curve_is_the_product_over_half_the_width(convention, d_model):
    packed = view.curve(convention, d_model)
    curve, rise = read(packed["curve"]), read(packed["rise"])
    codes = encode(range(view.FARTHEST + 1), d_model, convention)
    direct = (codes @ codes[0]) / (d_model / 2)
    assert curve["product"].tolist() == pytest.approx(direct[1:].tolist(), abs=1e-6)
    assert (curve["product"].abs() <= curve["envelope"] + 1e-6).all()
    place = int(rise["distance"][0])
    assert direct[place + 1] > direct[place] == direct[: place + 1].min()
    assert len(packed["curve"]) < 12_000


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("reach", [2, 5, 16, 40, 64])
def test_the_search_finds_the_widths_that_fall_all_the_way(convention, reach):
    wanted = []
    for d_model in WIDTHS:
        codes = encode(range(reach + 1), d_model, convention)
        if bool(((codes @ codes[0]).diff() <= 0).all()):
            wanted.append(d_model)
    assert view.falling_widths(convention, reach) == tuple(wanted)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_no_width_falls_far_enough_the_page_says_so(open_page, lang):
    at = open_page("positions", lang, positions_range="64")
    none = {"en": "d = none with the paper’s", "zh": "论文的频率下 d = 没有"}[lang]
    assert any(none in text.value for text in at.markdown)


def test_counts_are_those_of_direct_products():
    codes = encode(range(512), 32, "notes")
    row = (codes @ codes[0]) / 16
    n, rising, lowest, where = view.counts("notes", 32)[1]
    assert n == "512"
    assert rising == f"{100 * float((row.diff() > 0).double().mean()):.1f} %"
    assert lowest.replace("−", "-") == f"{float(row.min()):.3f}"
    assert where == str(int(row.argmin()))


def test_far_away_the_notes_have_no_slow_pair_left():
    omega = {
        "paper": [10000 ** (-2 * k / 512) for k in range(256)],
        "notes": [10000 ** (-k / 511) for k in range(256)],
    }
    for row, distance in zip(view.far(512), view.FAR, strict=True):
        slow = [sum(2 * math.pi / w > distance for w in omega[line]) for line in CONVENTIONS]
        assert row[1:3] == tuple(map(str, slow))
    assert view.far(512)[2][2] == "0"
    assert float(view.far(512)[2][3]) > 0.1 > abs(float(view.far(512)[2][4].replace("−", "-")))


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_digits_are_lost_where_the_picture_says(convention):
    errors = read(view.errors(convention, 512)["traces"]).set_index("x")
    assert errors["table"].max() <= view.KEPT_DIGITS
    assert 1e-2 < errors["textbook"][10**6] < 0.2
    assert 0.3 < errors["textbook"][10**7] < 1.2
    assert errors["bfloat16"][1000] > 0.9
    assert (errors > 0).all().all()


def test_the_shift_matrix_is_written_as_it_is():
    rows = re.search(r"bmatrix\} (.*) \\end", view.shift_matrix("paper", 4, 3))[1].split(r" \\ ")
    written = [[float(cell.strip().replace("−", "-") or 0) for cell in row.split("&")] for row in rows]
    assert written == pytest.approx(shift_map(3, 4).round(decimals=2), abs=1e-9)
    assert view.shift_matrix("notes", 64, -5).count(r"\begin{bmatrix}") == 4


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("delta", [-64, 0, 3])
def test_even_widths_shift_exactly_and_odd_ones_do_not(convention, delta):
    found = read(view.defects(convention, delta)["traces"])
    assert found["x"].tolist() == list(range(2, view.LAST_WIDTH + 1))
    assert found["even"].dropna().max() < view.ROUNDING
    assert found["even"].isna().tolist() == found["odd"].notna().tolist()
    assert (found["odd"].dropna().min() > view.ROUNDING) == bool(delta)
    assert found["odd"][3] == pytest.approx(max(shift_defect(delta, view.FITTED, 5, convention), 2.0**-53))
    t = torch.arange(16)
    codes = encode(t, 5, convention)
    assert (codes @ codes.mT).diagonal().diff().abs().max() > 1e-8


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("delta", ["0", "3"])
def test_without_a_shift_odd_widths_are_not_said_to_fail(open_page, lang, delta):
    at = open_page("positions", lang, positions_lab="shift", delta=delta)
    start = {"en": "An odd d leaves", "zh": "d 为奇数时，最后"}[lang]
    assert any(text.value.startswith(start) for text in at.markdown) == (delta != "0")
