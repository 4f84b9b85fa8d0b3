"""What is rarely changed on the bench: the scale, further masks, how exactly or how wrongly it is computed."""

from dataclasses import dataclass

import streamlit as st

from pages.ui import bench, bench_predict, controls
from pages.ui.held import Held
from pages.ui.language import t
from pages.views import bench_step
from pages.views.bench_step import Params

PAGE = "worked_example"


@dataclass(frozen=True)
class Settings:
    """What was chosen: the state to compute, the queries (from 0) that see nothing and why, the mistake that was
    ``asked`` for, whether the picture is turned, whether a guess comes first."""

    params: Params
    empty: dict[int, tuple[str, ...]]
    asked: str
    flip: bool
    predict: bool


def offer(work: Held, causal: str) -> Settings:
    """Offer the settings in a box that is closed at first."""
    with st.expander(t("frame.more_settings"), icon=":material/tune:"):
        scaling, masking, mistaking, computing = st.columns(4)
    with scaling:
        scale = _choose("scale", bench_step.SCALES)
        temperature = (
            controls.real("temperature", t(f"{PAGE}.temperature"), 0.1, 10.0, 1.0, 0.1) if scale == "free" else 1.0
        )
        drawn = _choose("drawn", ("rows", "columns"))
    with masking:
        masks = bench.masks(causal, work)
    with mistaking:
        asked = _choose("mistake", bench_step.MISTAKEN)
        predict = bench_predict.switch()
    with computing:
        precision = _choose("precision", tuple(bench_step.PRECISIONS))
        fill = _choose("fill", tuple(bench_step.FILLS))
    keep, empty = bench_step.joined(masks, *work.shape)
    mistake = bench_step.possible(work.start, asked)
    matrices = tuple(work.matrices.items())
    params = Params(work.start, matrices, keep, scale, temperature, fill, precision, mistake)
    return Settings(params, empty, asked, drawn == "columns", predict)


def _choose(key: str, ids: tuple[str, ...]) -> str:
    names = [t(f"{PAGE}.{key}_{each}") for each in ids]
    return controls.choice(key, t(f"{PAGE}.{key}"), ids, names, ids[0], kind="select")
