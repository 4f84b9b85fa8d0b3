"""The √d_k pictures: valid specs that depend on words and options alone."""

import json
from dataclasses import fields

import altair as alt
import pandas as pd
import pytest

from core.charts import scaling
from core.charts.scrub import followed
from core.charts.theme import styled

WORDS = scaling.Words(**{field.name: f"«{field.name}» it's" for field in fields(scaling.Words)})
NOW = pd.DataFrame({"d_k": [4]})
POINTS = pd.DataFrame({"d_k": [1, 1], "side": ["raw", "scaled"], "measured": 1.0, "low": 0.9, "high": 1.1, "theory": 1})
CURVES = pd.DataFrame({"d_k": [1, 2], "side": ["raw", "scaled"], "what": ["largest", "entropy"], "value": [0.5, 0.6]})
FRAMES = {
    "spread": {
        "bars": pd.DataFrame({"x0": [-1.0, 0.0], "x1": [0.0, 1.0], "density": [0.5, 0.5], "count": [5, 5]}),
        "curve": pd.DataFrame({"x": [-1.0, 0.0, 1.0], "density": [0.2, None, 0.2]}),
        "marks": pd.DataFrame({"sigma": [1.0], "top": [0.6], "measured": ["1.01"], "theory": ["1"]}),
    },
    "variance": {"points": POINTS, "now": NOW},
    "ratio": {"ratios": POINTS.drop(columns=["side", "theory"]), "now": NOW},
    "softmax": {"curves": CURVES, "now": NOW},
    "gradient": {"curves": CURVES, "now": NOW},
    "row": {
        "sweep": pd.DataFrame(
            {"d_k": [1, 4], "key": 1, "score": [1.0, 3.0], "relative": 1.0, "raw": 1.0, "scaled": 1.0}
        ),
        "tops": pd.DataFrame({"d_k": [1, 4], "reach": [1.0, 3.0], "raw": [0.25, 0.75], "scaled": [0.125, 0.625]}),
        "row_at": pd.DataFrame({"log_d_k": [0]}),
    },
}


def spec(name: str, data: dict) -> dict:
    options = {"side": "raw"} if name == "spread" else {}
    return styled(getattr(scaling, name)(**data, height=160, words=WORDS, **options).to_dict())


def svg(name: str, data: dict) -> str:
    """Draw a picture as a page sends it: data sets by name."""
    vl_convert = pytest.importorskip("vl_convert")
    made = followed(spec(name, {key: alt.NamedData(key) for key in data}))
    values = {key: json.loads(frame.to_json(orient="records")) for key, frame in data.items()}
    return vl_convert.vegalite_to_svg(vl_spec={**made, "datasets": values}, allowed_base_urls=[])


@pytest.mark.parametrize("name", FRAMES)
def test_a_picture_is_a_valid_spec_with_named_data_and_with_frames(name):
    named = spec(name, {key: alt.NamedData(key) for key in FRAMES[name]})
    assert named["height"] == 160
    assert "datasets" not in named
    assert "datasets" in spec(name, FRAMES[name])
    for key in FRAMES[name]:
        assert f'{{"name": "{key}"}}' in json.dumps(named)


def test_every_word_is_used_somewhere():
    text = "".join(
        json.dumps(spec(name, {key: alt.NamedData(key) for key in frames}), ensure_ascii=False)
        for name, frames in FRAMES.items()
    ) + json.dumps(scaling.spread(**FRAMES["spread"], side="scaled", height=9, words=WORDS).to_dict())
    text = text.encode().decode("unicode_escape", errors="ignore") + text
    for field in fields(scaling.Words):
        assert field.name + "»" in text, field.name


def test_pictures_are_drawn_without_a_warning():
    for name, frames in FRAMES.items():
        drawn = svg(name, frames)
        assert "<svg" in drawn
        assert "it's" in drawn or "it&#39;s" in drawn


def test_a_row_is_drawn_at_the_d_k_where_its_slider_starts():
    for start, shown, hidden in ((0, "0.2500", "0.7500"), (2, "0.7500", "0.2500")):
        drawn = svg("row", {**FRAMES["row"], "row_at": pd.DataFrame({"log_d_k": [start]})})
        assert f"d_k = {2**start} ·" in drawn
        assert shown in drawn
        assert hidden not in drawn


def test_pointing_at_a_variance_chooses_by_d_k_alone():
    for name in ("variance", "ratio"):
        (near,) = spec(name, FRAMES[name])["params"]
        assert near["select"]["nearest"]
        assert near["select"]["encodings"] == ["x"]
