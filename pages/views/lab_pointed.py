"""Every rung's histogram and one row's weights, small, so that the browser shows whichever d_k is pointed at."""

import torch

from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views import sqrt_dk as bench

REACH, BINS = 20.0, 80  # a window in which q·k/√d_k is seen as well as q·k
PLACES = 8


def data(params: bench.Params) -> dict[str, bytes]:
    """Return the packed frames of ``core.charts.pointed``."""
    return {
        "points": bench.variance_data(params)[0]["points"],
        "spreads": _spreads(params.n_samples, params.draw),
        "weights": _weights(params.n_keys, params.draw),
        "now": bench.here_at(params.d_k),
    }


@remember(32)
def _spreads(n_samples: int, draw: int) -> bytes:
    """Densities of all samples within ±REACH at every rung, by the exact law."""
    edges = torch.linspace(-REACH, REACH, BINS + 1)
    width, raw, scaled = 2 * REACH / BINS, [], []
    for d_k in bench.RUNGS:
        scores = bench.samples(d_k, n_samples, draw, "exact")
        raw.append(torch.histc(scores, BINS, -REACH, REACH) / n_samples / width)
        scaled.append(torch.histc(scores / d_k**0.5, BINS, -REACH, REACH) / n_samples / width)
    columns = {
        "d_k": torch.tensor(bench.RUNGS, dtype=torch.int16).repeat_interleave(BINS),
        "x0": edges[:-1].repeat(len(bench.RUNGS)),
        "x1": edges[1:].repeat(len(bench.RUNGS)),
        "raw": torch.cat(raw).float(),
        "scaled": torch.cat(scaled).float(),
    }
    return arrow({name: column.numpy() for name, column in columns.items()})


@remember(64)
def _weights(n_keys: int, draw: int) -> bytes:
    """The largest weights of the page's one row at every rung, from the largest down."""
    places = min(PLACES, n_keys)
    columns: dict[str, list[float]] = {name: [] for name in ("d_k", "place", "raw", "scaled")}
    for d_k in bench.RUNGS:
        row = bench.row(d_k, n_keys, draw)
        columns["d_k"] += [d_k] * places
        columns["place"] += list(range(1, places + 1))
        columns["raw"] += row.raw[:places]
        columns["scaled"] += row.scaled[:places]
    return arrow(columns)
