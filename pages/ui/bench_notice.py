"""The notice that what is shown is a demonstration: what it does to these numbers, and how to notice it."""

from collections.abc import Iterator

import streamlit as st

from pages.ui.language import Labels, t
from pages.ui.numbers import fixed, significant
from pages.views import bench_symptoms
from pages.views.bench_step import Params
from pages.views.bench_symptoms import Noticed

TABLE = "bench_more"
words = Labels(TABLE)


def demonstration(params: Params, asked: str, shown: bool = True) -> None:
    """Name what is done coarsely or wrongly, if anything is; ``asked`` is the mistake that was chosen.

    Its numbers come from the weights, so they wait while those are not ``shown``.
    """
    if asked != params.mistake:
        st.info(words("not_possible", mistake=t(f"worked_example.mistake_{asked}")), icon=":material/science:")
    if params.right:
        return
    lines = [words("demonstration", done=words("comma").join(_done(params)))]
    if shown:
        lines += [f"- {line}" for line in (*_seen(params, bench_symptoms.noticed(params)), *_why(params))]
    st.warning("\n".join(lines), icon=":material/science:")


def _done(params: Params) -> Iterator[str]:
    if params.mistake != "none":
        yield t(f"worked_example.mistake_{params.mistake}")
    if params.precision != "float64":
        yield words("computed_in", precision=params.precision)
    if params.fill != "inf":
        yield words("filled_with", fill=t(f"worked_example.fill_{params.fill}"))


def _seen(params: Params, found: Noticed) -> Iterator[str]:
    if found.unchanged:
        yield words("unchanged", gap=significant(found.weights_gap or 0.0, 2))
        return
    if found.rows is not None:
        yield words("row_sums", low=fixed(found.rows[0]), high=fixed(found.rows[1]))
    if params.mistake == "axis" and found.columns is not None:
        yield words("column_sums", low=fixed(found.columns[0]), high=fixed(found.columns[1]))
    if found.nan:
        yield words("nan_cells", count=found.nan)
    if found.infinite:
        yield words("infinite_cells", count=found.infinite)
    if params.keep is not None:
        yield words("leak", leak=significant(found.leak, 4))
    if found.weights_gap is not None:
        yield words("weights_gap", gap=significant(found.weights_gap, 3))
    if found.output_gap is not None:
        yield words("output_gap", gap=significant(found.output_gap, 3))


def _why(params: Params) -> Iterator[str]:
    about = bench_symptoms.known(params)
    values = {
        "d_model": about.d_model,
        "d_k": about.d_k,
        "scale": significant(about.scale, 4),
        "right": significant(about.right_scale, 4),
        "limit": fixed(about.limit, 1),
        "precision": params.precision,
        "digits": fixed(about.digits, 1),
        "largest": significant(about.largest, 3),
    }
    if params.mistake != "none":
        yield words(f"why_{params.mistake}", **values)
    if params.precision != "float64":
        yield words("why_precision", **values)
    if params.fill != "inf" and params.mistake != "axis":
        yield words("why_fill_unmasked" if params.keep is None else f"why_fill_{_held(params)}")


def _held(params: Params) -> str:
    return "lost" if params.precision == "float16" else "held"
