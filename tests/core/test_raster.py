"""The PNG against a reader that is not ours, and its colours against those that Vega gives the legend."""

import base64
import io
import re

import altair as alt
import pandas as pd
import pytest
import torch
import vl_convert
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.charts.theme import DIVERGING_RANGE, WEIGHT_RANGE, signed_color, weight_color
from core.errors import InputError
from core.raster import COLORS, UNDEFINED, data_uri, levels, png, ramp


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 999))
def test_a_reader_finds_every_cell_in_its_colour(rows, columns, seed):
    numbers = torch.randint(0, 256, (rows, columns), generator=torch.Generator().manual_seed(seed)).to(torch.uint8)
    colors = ramp(DIVERGING_RANGE)
    with Image.open(io.BytesIO(png(numbers, colors))) as image:
        assert image.size == (columns, rows)
        read = list(image.convert("RGBA").get_flattened_data())
    expected = [(0, 0, 0, 0) if level == UNDEFINED else (*colors[level], 255) for level in numbers.flatten().tolist()]
    assert read == expected


def test_levels_run_from_low_to_high_are_clamped_and_mark_the_undefined():
    values = torch.tensor([-9.0, -1.0, 0.0, 1.0, 9.0, torch.nan])
    assert levels(values, -1, 1).tolist() == [0, 0, (COLORS - 1) // 2, COLORS - 1, COLORS - 1, UNDEFINED]


@pytest.mark.parametrize(
    ("stops", "color", "low"), [(DIVERGING_RANGE, signed_color, -1), (WEIGHT_RANGE, weight_color, 0)]
)
def test_the_picture_has_the_colours_of_its_legend(stops, color, low):
    steps = 51
    frame = pd.DataFrame({"x": range(steps), "value": [low + (1 - low) * i / (steps - 1) for i in range(steps)]})
    chart = alt.Chart(frame).mark_rect().encode(x="x:O", color=color("value", "", 1.0))
    drawn = re.findall(r'fill="rgb\((\d+), (\d+), (\d+)\)"', vl_convert.vegalite_to_svg(chart.to_dict()))[:steps]
    painted = ramp(stops, steps)
    assert len(drawn) == steps
    for theirs, ours in zip(drawn, painted, strict=True):
        assert [int(part) for part in theirs] == pytest.approx(ours, abs=6)


def test_an_address_holds_the_picture_and_an_empty_map_is_refused():
    picture = png(torch.zeros(2, 3, dtype=torch.uint8), ramp(WEIGHT_RANGE))
    head, body = data_uri(picture).split(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(body) == picture
    with pytest.raises(InputError, match="shape"):
        png(torch.zeros(0, 3, dtype=torch.uint8), ramp(WEIGHT_RANGE))
