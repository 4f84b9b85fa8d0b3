"""An output as a mixture, and how spread each row of weights is: packed frames for ``core.charts.mixture``."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from core.attention.summary import contributions, effective_keys, normalised_entropy, row_entropy
from pages.ui.cache import remember
from pages.ui.draw import arrow, by_column
from pages.ui.numbers import fixed
from pages.views import arithmetic
from pages.views.bench_step import Params, keep_of, run


@dataclass(frozen=True)
class Spread:
    """How spread one row of weights is: its entropy in nats, the largest it could have with as many ``visible`` keys
    (their logarithm), the first over the second, and e^entropy, the number of keys it uses."""

    entropy: float
    largest: float
    share: float
    keys: float
    visible: int


@remember(128)
def parts(params: Params, queries: tuple[str, ...], keys: tuple[str, ...]) -> bytes:
    """Pack what every key gives to every column of every output, stacked: what is positive upwards from 0, what is
    negative downwards, so that both ends together are the output."""
    step = run(params)
    if step.v is None:
        return arrow({})
    given = contributions(step.weights, step.v).nan_to_num(0.0)
    lines = [
        {
            "query": i + 1, "key": j + 1, "column": c + 1, "low": low, "high": high, "part": part,
            "weight": step.weights[i, j].item(), "key_name": keys[j], "name": f"{queries[i]} → {keys[j]}",
            "sum": arithmetic.product_sum([step.weights[i, j].item()], [step.v[j, c].item()], part),
        }
        for i in range(len(queries))
        for c in range(step.v.shape[1])
        for j, (part, low, high) in enumerate(_stacked(given[i, :, c].tolist()))
    ]  # fmt: skip
    frame = by_column(lines)
    axis = max(1e-300, max(0.0, *frame["high"]) - min(0.0, *frame["low"]))
    room = [(high - low) / axis for low, high in zip(frame["low"], frame["high"], strict=True)]
    return arrow({**frame, "room": room})


@remember(128)
def outputs(params: Params) -> bytes:
    """Pack every cell of the output, to be marked where its parts end."""
    output = run(params).output
    rows = [] if output is None else output.tolist()
    lines = [
        {"query": i + 1, "column": c + 1, "value": value, "text": arithmetic.places(value, 4)}
        for i, row in enumerate(rows)
        for c, value in enumerate(row)
    ]
    return arrow(by_column(lines))


@remember(128)
def spread(params: Params) -> tuple[Spread, ...]:
    """Measure every row of weights."""
    weights = run(params).weights
    seen = keep_of(params)
    keep = torch.ones_like(weights).bool() if seen is None else seen
    measured = (row_entropy(weights), normalised_entropy(weights, keep), effective_keys(weights), keep.sum(-1))
    entropy, share, used, visible = (found.tolist() for found in measured)
    largest = keep.sum(-1).clamp(min=1).double().log().tolist()
    return tuple(map(Spread, entropy, largest, share, used, visible))


@remember(128)
def entropies(params: Params, queries: tuple[str, ...]) -> bytes:
    """Pack the spread of every row for its bar."""
    rows = (
        {
            "query": i, "name": name, "entropy": one.entropy, "largest": one.largest, "share": one.share,
            "keys": one.keys, "visible": one.visible, "text": f"{fixed(one.entropy)} / {fixed(one.largest)}",
        }
        for i, (name, one) in enumerate(zip(queries, spread(params), strict=True), start=1)
    )  # fmt: skip
    return arrow(by_column(rows))


def _stacked(given: list[float]) -> Iterator[tuple[float, float, float]]:
    """Each part with its lower and upper end."""
    up = down = 0.0
    for part in given:
        end = (up if part >= 0 else down) + part
        yield part, min(end, end - part), max(end, end - part)
        if part >= 0:
            up = end
        else:
            down = end
