"""From frame to picture at the least cost: a spec is built once a set of words, and only its data travels anew."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import altair as alt
import pandas as pd
import pyarrow as pa
import streamlit as st
from altair.utils.schemapi import debug_mode

from core.charts.scrub import followed
from core.charts.theme import styled
from pages.ui.cache import remember

Value: TypeAlias = float | str | bool | tuple[float, float] | tuple[str, ...]

VALIDATE = False
"""Whether a new spec and its parts are held against Vega-Lite's schema: half of the price, so that only tests do it."""


def arrow(frame: pd.DataFrame | Mapping[str, Any]) -> bytes:
    """Return a tidy frame, or its columns by name, as Arrow IPC bytes, ready to be sent; its index is dropped.

    Columns cost a third of a frame made of them.
    """
    table = pa.table({str(name): pa.array(column, from_pandas=True) for name, column in frame.items()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def by_column(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows that have the same names as columns by name; without rows there are none."""
    found = list(rows)
    return {name: [row[name] for row in found] for name in found[0]} if found else {}


def read(data: bytes) -> pd.DataFrame:
    """Return the frame that ``arrow`` packed."""
    return pa.ipc.open_stream(data).read_all().to_pandas()


@dataclass(frozen=True)
class Figure:
    """One picture on a page: its finished spec, its packed data, its title and its description."""

    name: str
    spec: Mapping[str, Any]
    data: Mapping[str, bytes]
    title: str
    alt: str

    def with_values(self) -> dict[str, Any]:
        """Return the spec with its data written out in it, as an export needs it."""
        values = {name: read(packed).to_dict("records") for name, packed in self.data.items()}
        return {**self.spec, "datasets": values, "title": self.title, "background": "#ffffff"}


@remember(512)
def _spec(
    build: Callable[..., Any], sources: tuple[str, ...], options: tuple[tuple[str, Hashable], ...]
) -> dict[str, Any]:
    with debug_mode(VALIDATE):
        chart = build(**{name: alt.NamedData(name) for name in sources}, **dict(options))
        spec = followed(styled(chart.to_dict(validate=VALIDATE)))
    if not spec.keys().isdisjoint(("hconcat", "vconcat", "concat", "facet")):
        spec["autosize"] = {"type": "pad", "contains": "padding"}
    return spec


def _filled(spec: dict[str, Any], values: Mapping[str, Value]) -> dict[str, Any]:
    """Return a spec with values for its parameters, ends for its sliders, and its size, if they are given."""
    if not values:
        return spec
    size = {side: values[side] for side in ("width", "height") if side in values}
    given = [_given(each, values[each["name"]]) if each["name"] in values else each for each in spec["params"]]
    if unknown := values.keys() - size.keys() - {each["name"] for each in spec["params"]}:
        raise KeyError(f"the spec has no parameters {sorted(unknown)}")
    return {**spec, **size, "params": given}


def _given(parameter: dict[str, Any], value: Value) -> dict[str, Any]:
    if "bind" not in parameter:
        return {**parameter, "value": value}
    ends = {"min": value[0], "max": value[1]} if isinstance(value, tuple) else {"max": value}
    return {**parameter, "bind": {**parameter["bind"], **ends}}


def figure(
    name: str,
    build: Callable[..., Any],
    data: Mapping[str, bytes],
    *,
    title: str,
    description: str,
    wide: bool = False,
    values: Mapping[str, Value] | None = None,
    **options: Hashable,
) -> Figure:
    """Draw ``build(**data, **options)`` under a title that says what to see, and return it for export.

    ``build`` is a function of ``core.charts`` whose spec depends on ``options`` alone, never on the data; ``wide``
    keeps the picture's own width (in a box that scrolls) in place of the column's. ``values`` are for the spec's
    parameters, by name; for those with a slider its last value, or its first and its last; ``width`` and ``height`` are
    those of the picture. No spec is built for them.
    """
    spec = _filled(_spec(build, tuple(data), tuple(sorted(options.items()))), values or {})
    made = Figure(name, spec, data, title, description)
    st.markdown(f"**{title}**")
    st.vega_lite_chart(
        spec={**spec, "datasets": dict(data)},
        width="content" if wide else "stretch",
        key=f"figure_{name}",
        alt=description,
    )
    return made
