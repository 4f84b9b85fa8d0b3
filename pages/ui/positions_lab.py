"""The laboratory of the positions page: experiments by name, of which only the chosen one is computed and sent."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.charts import positions_lab as charts
from pages.ui import anatomy, controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.views import positions_lab as view
from pages.views.positions import CONVENTIONS, Params

PAGE = "positions"
HEIGHT = 290


def show(params: Params) -> list[Figure]:
    """Offer the experiments, show the chosen one, and return its pictures."""
    tried = {name: partial(made, params) for name, made in EXPERIMENTS.items()}
    return anatomy.laboratory("positions_lab", "positions_lab", tried)


def _decay(params: Params) -> list[Figure]:
    convention, d_model = params.convention, params.d_model
    left, right = st.columns(2, gap="medium")
    with left:
        curve = figure(
            "lab_falling", charts.falling, view.curve(convention, d_model),
            title=t("positions_lab.picture_falling", d_model=d_model, convention=t(f"{PAGE}.{convention}")),
            description=t("positions_lab.alt_falling", d_model=d_model, last=view.FARTHEST),
            names=tuple(t(f"positions_lab.{name}") for name in charts.CURVES),
            x_title=t(f"{PAGE}.distance"), y_title=t("positions_lab.over_half"), height=HEIGHT,
        )  # fmt: skip
        prose.show(PAGE, "lab_decay", **view.decay_values(convention, d_model))
    with right:
        label, help_text = t("positions_lab.range"), t("positions_lab.range_help")
        reach = controls.whole("positions_range", label, view.SHORTEST, view.LONGEST, view.RANGE, help=help_text)
        search = _traces(
            "search", view.search(reach), CONVENTIONS, _conventions(), x=t(f"{PAGE}.d_model"),
            y=t("positions_lab.falls_to"), base=2, number="d", height=HEIGHT - 90,
        )  # fmt: skip
        found = {line: ", ".join(map(str, view.falling_widths(line, reach))) for line in CONVENTIONS}
        none = t("positions_lab.none")
        prose.show(PAGE, "lab_search", reach=reach, **{line: widths or none for line, widths in found.items()})
    _table(
        [t(f"positions_lab.{name}_head") for name in ("n", "rising", "lowest", "where")],
        view.counts(convention, d_model),
    )
    return [curve, search]


def _wavelengths(params: Params) -> list[Figure]:
    left, right = st.columns(2, gap="medium")
    with left:
        picture = _traces(
            "spectra", view.spectra(params.d_model), CONVENTIONS, _conventions(), x=t(f"{PAGE}.pair"),
            y=t("positions_lab.wavelength"), base=0, number="~e", height=HEIGHT,
        )  # fmt: skip
    with right:
        prose.show(PAGE, "lab_wavelengths", **view.longest(params.d_model))
        by = [t(f"positions_lab.{name}_{line}_head") for name in ("slower", "mean") for line in CONVENTIONS]
        _table([t("positions_lab.far_head"), *by], view.far(params.d_model))
    return [picture]


def _precision(params: Params) -> list[Figure]:
    convention, d_model = params.convention, params.d_model
    names = tuple(t(f"positions_lab.way_{way}") for way in view.WAYS)
    left, right = st.columns(2, gap="medium")
    with left:
        picture = _traces(
            "rounding", view.errors(convention, d_model), view.WAYS, names, x=t("positions_lab.position"),
            y=t("positions_lab.error"), base=10, number="~e", height=HEIGHT,
        )  # fmt: skip
    with right:
        _table([t("positions_lab.position"), *names], view.large(convention, d_model))
        prose.show(PAGE, "lab_precision", d_model=d_model, **view.merged())
    return [picture]


def _shift(params: Params) -> list[Figure]:
    convention, d_model, delta = params.convention, params.d_model, params.delta
    prose.formula(view.shift_matrix(convention, d_model, delta))
    left, right = st.columns(2, gap="medium")
    with left:
        values = view.shift_values(convention, d_model, delta)
        prose.show(PAGE, "lab_shift", **values)
        prose.show(PAGE, "lab_odd" if delta else "lab_still", **values)
    with right:
        names = (t("positions_lab.even"), t("positions_lab.odd"))
        picture = _traces(
            "defects", view.defects(convention, delta), ("even", "odd"), names, x=t(f"{PAGE}.d_model"),
            y=t("positions_lab.defect"), base=0, number="~e", height=HEIGHT,
        )  # fmt: skip
    return [picture]


EXPERIMENTS: dict[str, Callable[[Params], list[Figure]]] = {
    "decay": _decay,
    "wavelengths": _wavelengths,
    "precision": _precision,
    "shift": _shift,
}
"""In the order of teaching: what the product does, why, what is left of it in few digits, and the map of a shift."""


def _conventions() -> tuple[str, ...]:
    return tuple(t(f"{PAGE}.{line}") for line in CONVENTIONS)


def _traces(
    name: str,
    data: dict[str, bytes],
    lines: tuple[str, ...],
    names: tuple[str, ...],
    *,
    x: str,
    y: str,
    base: int,
    number: str,
    height: int,
) -> Figure:
    return figure(
        f"lab_{name}", charts.traces, data,
        title=t(f"positions_lab.picture_{name}"), description=t(f"positions_lab.alt_{name}"),
        lines=lines, names=names, x_title=x, y_title=y, x_base=base, number=number, height=height,
    )  # fmt: skip


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, ["---:"] * len(head), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
