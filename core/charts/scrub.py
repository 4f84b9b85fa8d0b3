"""Sliders inside a picture: they move what is drawn, in the browser alone, on data that was sent once."""

import json
from collections.abc import Sequence
from typing import Any

import altair as alt


def slider(name: str, source: str, label: str, low: int, high: int) -> alt.Parameter:
    """Return a whole number that a slider under the picture moves from ``low`` to ``high``.

    It starts at column ``name`` of the first row of the data set ``source``, and goes back there whenever the page
    sends another start; ``followed`` sees to the latter.
    """
    bind = alt.binding_range(min=low, max=high, step=1, name=f"{label} ")
    return alt.param(name=name, bind=bind, expr=f"data('{source}')[0].{name}")


def followed(spec: dict[str, Any]) -> dict[str, Any]:
    """Let every slider of a finished spec go back to its start when that moves, and return the spec.

    Vega-Lite makes of a slider's expression Vega's ``init``, which is read once. Other keys of a parameter it hands
    on to Vega as they are, so Vega's ``on`` takes the start again when it is another one.
    """
    starts = []
    for parameter in spec.get("params", []):
        if "bind" in parameter and "expr" in parameter:
            start = f"start_{parameter['name']}"
            starts.append({"name": start, "expr": parameter["expr"]})
            parameter["on"] = [{"events": {"signal": start}, "update": start}]
    return {**spec, "params": [*starts, *spec["params"]]} if starts else spec


def said(words: str) -> str:
    """Return words as a string of Vega's expression language."""
    return json.dumps(words, ensure_ascii=False)


def named(field: str, ids: Sequence[str], names: Sequence[str]) -> str:
    """Return the Vega expression that turns the id in a row's ``field`` into its name, and any other into nothing."""
    shown = (f"datum.{field} === '{key}' ? {said(name)}" for key, name in zip(ids, names, strict=True))
    return " : ".join([*shown, "''"])


def whole(expression: str) -> str:
    """Return the Vega expression that writes a whole number, with a true minus sign."""
    return f"format({expression}, 'd')"


def unseen(source: alt.NamedData | Any) -> alt.Chart:
    """Return a layer that draws nothing: a data set that no layer uses does not reach the sliders."""
    return alt.Chart(source).mark_point(opacity=0)
