"""Layers put together once, with everything that the whole of them has."""

from collections.abc import Iterable
from typing import Any

import altair as alt


def layered(
    *layers: alt.Chart | alt.LayerChart, params: Iterable[alt.Parameter] = (), **properties: Any
) -> alt.LayerChart | alt.FacetChart:
    """Return the layers as one chart with ``params`` that are no selections and with ``properties`` such as its size.

    What ``add_params``, ``properties`` and ``resolve_scale`` do one after the other, each with a copy of every layer.
    """
    return alt.layer(*layers, params=[each.param for each in params], **properties)


def apart(*channels: str) -> dict[str, Any]:
    """Return the property ``resolve`` that gives every layer scales of its own for ``channels``."""
    return {"scale": dict.fromkeys(channels, "independent")}
