"""What the positions page's pictures draw as their own sliders move, computed by Vega from the data that was sent."""

import json
import math

import pytest
import torch
import vl_convert

from core.positions.sinusoidal import encode
from pages.ui.draw import read
from pages.ui.language import labels

LANGUAGES = ("en", "zh")
SLIDERS = {"t": (0, 127), "delta": (-64, 64)}


def says(key, lang):
    return labels()[f"positions.{key}"][lang]


def opened(open_page, look, lang="en", **link):
    at = open_page("positions", lang=lang, look=look, **{key: str(value) for key, value in link.items()})
    assert not at.exception
    return at.get("vega_lite_chart")[0].proto


def drawn(chart, **moved):
    """Return the marks that Vega draws, as lists of their items, with sliders moved to where ``moved`` says."""
    spec = json.loads(chart.spec)
    spec["datasets"] = {data.name: read(data.data.data).to_dict("records") for data in chart.datasets}
    for parameter in spec["params"]:
        if parameter["name"] in moved:
            parameter["expr"] = str(moved[parameter["name"]])
    return list(marks(vl_convert.vegalite_to_scenegraph(spec)))


def marks(node):
    """Yield the kind and the items of every mark that stands for data."""
    if isinstance(node, list):
        for inner in node:
            yield from marks(inner)
    elif isinstance(node, dict):
        if node.get("role") == "mark" and node["items"]:
            yield node["marktype"], node["items"]
        for inner in node.values():
            yield from marks(inner)


def of_kind(found, kind, **wanted):
    return [item for marked, items in found if marked == kind for item in items if wanted.items() <= item.items()]


def texts(found):
    return [item["text"] for item in of_kind(found, "text") if item["text"]]


def number(text):
    """Return the number at a text's end."""
    return float(text.rpartition(" ")[2].replace("−", "-"))


@pytest.mark.parametrize("look", ["table", "clock", "product", "gram"])
def test_the_sliders_of_a_picture_follow_the_data_and_span_what_the_page_allows(open_page, look):
    every = {parameter["name"]: parameter for parameter in json.loads(opened(open_page, look).spec)["params"]}
    params = {name: parameter for name, parameter in every.items() if "bind" in parameter}
    assert set(params) == ({"delta"} if look == "product" else {"t", "delta"})
    for name, parameter in params.items():
        # A map of n = 32 rows has no place beyond them; a clock and a curve go on.
        on_a_map = {"t": (0, 31), "delta": (-31, 31)}
        bounds = on_a_map if look in ("table", "gram") else SLIDERS
        assert (parameter["bind"]["min"], parameter["bind"]["max"]) == bounds[name]
        assert parameter["expr"] == every[f"start_{name}"]["expr"] == f"data('at')[0].{name}"


@pytest.mark.parametrize("look", ["table", "clock", "product", "gram"])
def test_where_t_and_delta_start_travels_as_data_and_the_spec_stays(open_page, look):
    one, other = (opened(open_page, look, t=t, delta=delta) for t, delta in ((5, 3), (90, -7)))
    assert one.spec == other.spec
    packed = [{data.name: data.data.data for data in chart.datasets} for chart in (one, other)]
    assert {name for name in packed[0] if packed[0][name] != packed[1][name]} == {"at"}
    assert read(packed[1]["at"]).to_dict("records") == [{"t": 90, "delta": -7}]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("convention", ["paper", "notes"])
@pytest.mark.parametrize(("t", "delta", "pair"), [(5, 3, 0), (0, -7, 1), (127, 64, 2), (40, 0, 7)])
def test_the_hands_point_where_the_encodings_own_pair_does(open_page, lang, convention, t, delta, pair):
    chart = opened(open_page, "clock", lang, omega=convention, d_model=16, pair=pair)
    found = drawn(chart, t=t, delta=delta)
    hands = of_kind(found, "rule")
    assert len(hands) == 2
    both = encode(torch.tensor([t, t + delta]), 16, convention)[:, 2 * pair : 2 * pair + 2]
    for hand, (sine, cosine) in zip(hands, both.tolist(), strict=True):
        angle = math.atan2(hand["x2"] - hand["x"], hand["y"] - hand["y2"])
        assert math.remainder(angle - math.atan2(sine, cosine), math.tau) == pytest.approx(0, abs=1e-6)
    lines = texts(found)
    assert number(next(text for text in lines if text.startswith(says("hands_product", lang)))) == pytest.approx(
        float(both[0] @ both[1]), abs=5e-5
    )
    shown = str(delta).replace("-", "−")
    assert any(text.startswith(f"Δ = {shown}{says('turned_by', lang)}") for text in lines)


@pytest.mark.parametrize("delta", [3, -20, 64])
def test_the_turn_in_the_picture_is_the_angle_in_turns(open_page, delta):
    chart = opened(open_page, "clock", d_model=8, pair=1)
    line = next(text for text in texts(drawn(chart, delta=delta)) if text.startswith("Δ"))
    angle, turns = (float(part.replace("−", "-")) for part in line.removesuffix(" turns").split(" = ")[-2:])
    omega = 10000 ** (-2 / 8)
    assert angle == pytest.approx(omega * delta, rel=1e-3)
    assert turns == pytest.approx(omega * delta / math.tau, rel=1e-3)


def test_the_dots_are_the_positions_of_the_table(open_page):
    found = drawn(opened(open_page, "clock", d_model=8, n=16, pair=1))
    dots = of_kind(found, "symbol", size=26)
    codes = encode(range(16), 8)[:, 2:4].tolist()
    middle, top = dots[0]["x"], dots[0]["y"]
    # The first position stands at twelve: its dot is one radius above the middle.
    hand = of_kind(found, "rule")[0]
    radius = hand["y"] - top
    assert middle == pytest.approx(hand["x"])
    assert [(dot["x"] - hand["x"]) / radius for dot in dots] == pytest.approx([sine for sine, _ in codes], abs=1e-6)
    assert [(hand["y"] - dot["y"]) / radius for dot in dots] == pytest.approx([cosine for _, cosine in codes], abs=1e-6)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("delta", [0, 3, -20, 31])
def test_the_marker_says_the_product_of_the_two_encodings(open_page, lang, delta):
    found = drawn(opened(open_page, "product", lang, d_model=32, n=32), delta=delta)
    said = [number(text) for text in texts(found) if text.startswith(f"|Δ| = {abs(delta)}: ")]
    assert len(said) == 2
    for value, convention in zip(said, ("paper", "notes"), strict=True):
        now, moved = encode(torch.tensor([40, 40 + delta]), 32, convention)
        assert value == pytest.approx(float(now @ moved), abs=5e-5)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_beyond_the_last_distance_there_is_no_marker_and_the_picture_says_so(open_page, lang):
    found = drawn(opened(open_page, "product", lang, n=32), delta=-32)
    assert f"|Δ| = 32{says('beyond', lang)}31" in texts(found)
    assert not of_kind(found, "symbol", stroke="#e6399b")


@pytest.mark.parametrize(
    ("look", "t", "delta", "shares"),
    [
        ("table", 5, 3, {("y", 5), ("y", 8)}),
        ("table", 0, -1, {("y", 0)}),
        ("table", 40, -40, {("y", 0)}),
        ("gram", 5, 3, {("y", 5), ("x", 8)}),
        ("gram", 31, 1, {("y", 31)}),
        ("gram", 33, -2, {("x", 31)}),
    ],
)
def test_the_frames_stand_at_t_and_t_plus_delta_and_not_beyond_the_map(open_page, look, t, delta, shares):
    found = drawn(opened(open_page, look, d_model=32, n=32), t=t, delta=delta)
    image = of_kind(found, "image")[0]
    framed = [item for item in of_kind(found, "rect") if item.get("stroke") == "#e6399b" and item.get("opacity", 1)]
    places = set()
    for frame in framed:
        if frame["width"] == pytest.approx(image["width"]):
            places.add(("y", round(32 * frame["y"] / image["height"])))
        elif look == "gram":
            places.add(("x", round(32 * frame["x"] / image["width"])))
    assert places == shares


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("look", ["table", "clock", "product", "gram"])
def test_the_words_say_that_the_pictures_sliders_move_the_picture_alone(open_page, lang, look):
    at = open_page("positions", lang=lang, look=look)
    assert says("inside_moves", lang) in [caption.value for caption in at.caption]
