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
from pages.ui.language import labels
from pages.views import maps, positions_claims, positions_sums
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


def test_the_table_frames_the_pair_and_has_a_frame_for_each_of_the_two_rows():
    data = view.table("paper", 8, 16, 2, 14, 3).data
    assert read(data["map_marks"]).to_numpy().tolist() == [[0, 15, 4, 5]]
    frames = read(data["map_frames"])
    assert frames.to_numpy().tolist() == [["row", False, 15, 7], ["row", True, 15, 7]]


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


@pytest.mark.parametrize("n", [64, 8])
def test_the_product_marks_its_first_rise(n):
    found = view.product("notes", 64, n)
    points = read(found["product_points"])
    for rise in read(found["product_rises"]).itertuples():
        codes = table(64, n, rise.line)
        row = [sum(a * b for a, b in zip(codes[0], code, strict=True)) for code in codes]
        own = points[points["line"] == rise.line]
        assert own["value"].tolist() == pytest.approx(row, abs=1e-9)
        rises = [i for i in range(n - 1) if row[i + 1] > row[i]]
        assert rise.found == bool(rises)
        assert rise.distance == (rises[0] if rises else n - 1)
    assert set(points.loc[points["chosen"], "line"]) == {"notes"}


@pytest.mark.parametrize("convention", view.CONVENTIONS)
def test_the_verdicts_on_the_notes(convention):
    verdicts = {found.name: found.verdict for found in positions_claims.statements(convention, 64, 128, 3)}
    assert verdicts == {
        "absolute": "only_if",
        "lengths": "correct",
        "unseen": "only_if",
        "neighbours": "correct",
        "orthogonal": "imprecise",
        "rotation": "correct",
        "shift": "correct",
        "encoding": "imprecise",
        "frequency": "imprecise",
        "product": "only_if",
        "relative": "correct",
        "symmetric": "correct",
        "decay": "wrong",
    }


def test_within_the_first_fall_the_decay_holds_and_the_page_says_how_far():
    near = next(found for found in positions_claims.statements("notes", 64, 8, 3) if found.name.startswith("decay"))
    assert (near.name, near.verdict, near.values["rise"]) == ("decay_near", "only_if", "11")


@pytest.mark.parametrize("convention", view.CONVENTIONS)
@pytest.mark.parametrize(("d_model", "n", "t", "delta", "pair"), [(32, 32, 5, 3, 0), (4, 64, 20, -6, 1)])
def test_the_code_runs_as_pasted_and_prints_the_numbers_of_the_page(convention, d_model, n, t, delta, pair):
    params = view.Params("table", convention, d_model, n, t, delta, pair)
    run = subprocess.run(
        [sys.executable, "-c", positions_sums.listing(params)], capture_output=True, text=True, check=True
    )
    printed = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in run.stdout.splitlines()}
    sums, falls = (
        positions_sums.sums(convention, d_model, t, delta, pair),
        positions_claims.decay(convention, d_model, n),
    )
    assert f"{float(printed['product']):.4f}" == sums.product.rpartition("= ")[2].replace("−", "-")
    assert f"[{falls['rise']}]" == printed["first rise"]
    assert f"{100 * float(printed['rising steps']):.1f} %" == falls["rising"]
    assert f"{100 * float(printed['farther is smaller']):.1f} %" == falls["smaller"]
    turned = re.search(r"turned tensor\(\[(.*?)\].*?tensor\(\[(.*?)\]", run.stdout)
    assert turned[1] == turned[2]


@pytest.mark.parametrize("convention", view.CONVENTIONS)
@pytest.mark.parametrize("n", [8, 128])
def test_the_mean_cosine_is_over_the_distances_of_this_length(convention, n):
    codes = table(32, n, convention)
    cosines = [abs(sum(a * b for a, b in zip(codes[0], code, strict=True))) / 16 for code in codes[1:]]
    found = next(row for row in positions_claims.statements(convention, 32, n, 3) if row.name == "neighbours")
    assert found.values["far"] == f"{sum(cosines) / len(cosines):.4f}"
    assert found.values["n"] == str(n)


def test_the_demands_are_judged_by_what_is_computed():
    rows = {row.name: row.values for row in positions_claims.statements("notes", 512, 512, 3)}
    assert (
        rows["unseen"]
        == next(row for row in positions_claims.statements("paper", 4, 8, 3) if row.name == "unseen").values
    )
    assert (rows["unseen"]["notes"], rows["unseen"]["paper"]) == ("11", "243")
    assert rows["orthogonal"]["needed"] == "148"
    assert float(rows["lengths"]["gap"]) == 0
    assert (rows["lengths"]["short_step"], rows["lengths"]["long_step"]) == ("0.1", "0.01")


@pytest.mark.parametrize(
    ("look", "t", "delta", "lost"),
    [
        ("product", 0, 60, "|Δ| = 60"),
        ("product", 0, -8, "|Δ| = 8"),
        ("product", 90, -7, ""),
        ("table", 5, 3, "t + Δ = 8"),
        ("gram", 0, -2, "t + Δ = −2"),
        ("gram", 9, -2, "t = 9"),
        ("table", 20, 1, "t = 20, t + Δ = 21"),
        ("table", 5, 2, ""),
        ("clock", 100, 60, ""),
    ],
)
def test_what_lies_outside_the_picture_is_named(open_page, look, t, delta, lost):
    assert view.outside(view.Params(look, "paper", 4, 8, t, delta, 0)) == lost
    at = open_page("positions", look=look, d_model="4", n="8", t=str(t), delta=str(delta))
    assert not at.exception
    said = [caption.value for caption in at.caption if "n = 8" in caption.value]
    assert [sentence.partition(": ")[2] for sentence in said] == ([f"{lost}."] if lost else [])


@pytest.mark.parametrize("look", view.LOOKS)
def test_four_controls_stand_in_the_row_and_the_rest_in_the_expander(open_page, look):
    at = open_page("positions", look=look)
    more = next(e for e in at.expander if e.label == labels()["frame.more_settings"]["en"])
    kinds = ("slider", "select_slider", "button_group")
    inside = {widget.key for kind in kinds for widget in more.get(kind)}
    everywhere = {widget.key for kind in kinds for widget in at.main.get(kind)} - {"positions_lab", "positions_range"}
    assert set(view.ROW[look]) == set(view.CONTROLS) - inside
    assert everywhere >= set(view.CONTROLS)
    assert len(everywhere - inside) == 4


def test_a_control_keeps_its_value_where_the_picture_moves_it_to_another_place(open_page):
    at = open_page("positions", delta="7", omega="notes", pair="2")
    for look in ("clock", "product", "gram", "table"):
        at.session_state["look"] = look
        at.run()
        assert not at.exception
        assert (at.slider(key="delta").value, at.slider(key="pair").value) == (7, 2)
        assert at.session_state["omega"] == "notes"
