"""The positions page: its frames against direct computation, its statements, and its code run as pasted."""

import base64
import io
import math
import re
import subprocess
import sys

import pytest
import torch
from PIL import Image

from pages.ui.draw import read
from pages.views import maps
from pages.views import positions as view


def table(d_model, n, convention):
    exponent = (lambda k: 2 * k / d_model) if convention == "paper" else (lambda k: k / (d_model - 1))
    omega = [10000 ** -exponent(k) for k in range(d_model // 2)]
    return [[f(w * t) for w in omega for f in (math.sin, math.cos)] for t in range(n)]


@pytest.mark.parametrize("convention", view.CONVENTIONS)
def test_the_hover_cells_of_a_small_table_are_its_entries(convention):
    cells = read(view.table(convention, 8, 16, 1, 5, 3).data["map_cells"])
    expected = table(8, 16, convention)
    assert len(cells) == 8 * 16
    for cell in cells.itertuples():
        assert (cell.row_first, cell.column_first) == (cell.row_last, cell.column_last)
        assert cell.value == pytest.approx(expected[cell.row_first][cell.column_first], abs=1e-6)


def test_the_table_frames_the_pair_and_the_rows_that_exist():
    marks = read(view.table("paper", 8, 16, 2, 14, 3).data["map_marks"]).to_numpy().tolist()
    assert marks == [[0, 15, 4, 5], [14, 14, 0, 7]]


def test_a_gram_entry_is_the_product_of_two_rows():
    codes = torch.tensor(table(8, 20, "notes"), dtype=torch.float64)
    cells = read(view.gram("notes", 8, 20, 5, 3).data["map_cells"])
    expected = (codes @ codes.mT).flatten().tolist()
    assert cells["value"].tolist() == pytest.approx(expected, abs=1e-5)


def test_a_map_of_any_size_stays_small_in_pixels_rows_and_bytes():
    matrix = torch.randn(1000, 4096, generator=torch.Generator().manual_seed(0))
    found = maps.packed(matrix, 1.0)
    assert (found.picture_block, found.hover_block) == ((8, 32), (32, 128))
    assert len(read(found.data["map_cells"])) == 32 * 32
    assert sum(len(part) for part in found.data.values()) < 150_000
    url = read(found.data["map_image"])["url"][0]
    with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as image:
        assert image.size == (128, 128)


def test_the_hands_turn_by_one_angle_wherever_they_start():
    omega = 10000 ** (-2 / 16)
    for t in (0, 5, 90):
        found = view.clock("paper", 16, 12, 1, t, -7)
        hands = read(found.hands)
        angles = [math.atan2(hand.sine, hand.cosine) for hand in hands.itertuples()]
        assert math.cos(angles[1] - angles[0]) == pytest.approx(math.cos(7 * omega))
        assert hands["position"].tolist() == [t, t - 7]
        assert len(read(found.dots)) == 12


@pytest.mark.parametrize(("n", "delta", "inside"), [(64, -3, True), (8, 40, False)])
def test_the_product_marks_its_first_rise_and_the_chosen_distance(n, delta, inside):
    found = view.product("notes", 64, n, delta)
    points = read(found.points)
    for rise in read(found.rises).itertuples():
        codes = table(64, n, rise.line)
        row = [sum(a * b for a, b in zip(codes[0], code, strict=True)) for code in codes]
        own = points[points["line"] == rise.line]
        assert own["value"].tolist() == pytest.approx(row, abs=1e-9)
        rises = [i for i in range(n - 1) if row[i + 1] > row[i]]
        assert rise.found == bool(rises)
        assert rise.distance == (rises[0] if rises else n - 1)
    assert set(points.loc[points["chosen"], "line"]) == {"notes"}
    assert read(found.at)["inside"].tolist() == [inside, inside]


@pytest.mark.parametrize("convention", view.CONVENTIONS)
def test_the_verdicts_on_the_notes(convention):
    verdicts = {found.name: found.verdict for found in view.statements(convention, 64, 128, 3)}
    assert verdicts == {
        "rotation": "correct",
        "encoding": "imprecise",
        "frequency": "imprecise",
        "shift": "only_if",
        "product": "only_if",
        "relative": "correct",
        "symmetric": "correct",
        "decay": "wrong",
        "neighbours": "correct",
        "absolute": "only_if",
    }


def test_within_the_first_fall_the_decay_holds_and_the_page_says_how_far():
    near = next(found for found in view.statements("notes", 64, 8, 3) if found.name.startswith("decay"))
    assert (near.name, near.verdict, near.values["rise"]) == ("decay_near", "only_if", "11")


@pytest.mark.parametrize("convention", view.CONVENTIONS)
@pytest.mark.parametrize(("d_model", "n", "t", "delta", "pair"), [(32, 32, 5, 3, 0), (4, 64, 20, -6, 1)])
def test_the_code_runs_as_pasted_and_prints_the_numbers_of_the_page(convention, d_model, n, t, delta, pair):
    params = view.Params("table", convention, d_model, n, t, delta, pair)
    run = subprocess.run([sys.executable, "-c", view.listing(params)], capture_output=True, text=True, check=True)
    printed = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in run.stdout.splitlines()}
    sums, falls = view.sums(convention, d_model, t, delta, pair), view.decay(convention, d_model, n)
    assert f"{float(printed['product']):.4f}" == sums.product.rpartition("= ")[2].replace("−", "-")
    assert f"[{falls['rise']}]" == printed["first rise"]
    assert f"{100 * float(printed['rising steps']):.1f} %" == falls["rising"]
    assert f"{100 * float(printed['farther is smaller']):.1f} %" == falls["smaller"]
    turned = re.search(r"turned tensor\(\[(.*?)\].*?tensor\(\[(.*?)\]", run.stdout)
    assert turned[1] == turned[2]
