"""Heads: the notes' verification listing, what it is printed to print beside what it really prints."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from core.claims import listing, printed
from core.claims.compare import Verdict
from core.claims.listing import Run
from core.complexity.counts import notes_table
from core.complexity.paths import attention_path, rnn_path
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, thousands
from pages.views import heads as view

EXPLAINED = ("row_0", "row_5", "parameters", "block_parameters", "table", "longest")
"""The lines of which more is said than the verdict."""


@dataclass(frozen=True)
class Line:
    """One line of the expected output: by what name, what is printed, what the listing really prints, and the verdict.

    ``printed`` is empty where the expected output leaves the line out.
    """

    id: str
    printed: str
    real: str
    verdict: Verdict


@remember(1)
def ran() -> Run:
    """Work the listing out, once for all visitors."""
    return listing.run()


@remember(1)
def lines() -> tuple[Line, ...]:
    """Return every line whose content the expected output states, in its order."""
    run = ran()
    row_0, row_5 = run.masked.weights[0, 0, 0], run.masked.weights[0, 0, listing.SHOWN_ROW]
    sizes = [listing.BATCH, listing.N, listing.D_MODEL]
    mask = [1, 1, listing.N, listing.N]
    longest = str(printed.COMPLEXITY_TABLE[-1][0])
    costs = notes_table(printed.COMPLEXITY_D, [row[0] for row in printed.COMPLEXITY_TABLE])
    paths = tuple((row[0], rnn_path(row[0]), attention_path(row[0])) for row in printed.PATH_TABLE)
    stated = (
        ("row_sum", printed.LISTING_ROW_SUM, f"{run.free.weights[0, 0, 0].sum().item():.6f}"),
        ("mask_shape", printed.LISTING_MASK_SHAPE, str(mask)),
        ("row_0", printed.LISTING_ROW_0, str(row_0.tolist())),
        ("row_5", str(list(printed.LISTING_ROW_5)), listing.as_printed(row_5)),
        ("module_shapes", " ".join(printed.LISTING_SHAPES), f"{sizes} {sizes} {list(run.free.weights.shape)}"),
        ("parameters", printed.LISTING_PARAMETERS, thousands(run.module)),
        ("block_parameters", printed.LISTING_BLOCK_PARAMETERS, thousands(run.block)),
        ("table", "", _table(run)),
        (
            "costs",
            _rows([row[1:] for row in printed.COMPLEXITY_TABLE]),
            _rows([(row.rnn_multiplications, row.attention_multiplications, row.attention_memory) for row in costs]),
        ),
        ("longest", printed.LISTING_LONGEST, longest),
        ("paths", _rows(printed.PATH_TABLE), _rows(paths)),
    )
    return tuple(Line(name, said, real, "correct" if said == real else "wrong") for name, said, real in stated)


@remember(1)
def row() -> dict[str, bytes]:
    """Pack row 5 of the masked weights of sample 0, head 0: as printed and as computed."""
    real = ran().masked.weights[0, 0, listing.SHOWN_ROW].tolist()
    said = [float(value) for value in printed.LISTING_ROW_5]
    keys = list(range(listing.N))
    return {
        "compared": arrow(
            {"key": keys * 2, "what": ["printed"] * listing.N + ["real"] * listing.N, "value": said + real}
        )
    }


@dataclass(frozen=True)
class Row5:
    """What is read from row 5: where its largest weight is, printed and real, and how far apart the two rows are."""

    said_at: int
    said: str
    real_at: int
    real: str
    real_there: str
    apart: str
    seen: int


@remember(1)
def row_5() -> Row5:
    """Read row 5."""
    real = ran().masked.weights[0, 0, listing.SHOWN_ROW].double()
    said = torch.tensor([float(value) for value in printed.LISTING_ROW_5], dtype=torch.float64)
    at, real_at = int(said.argmax()), int(real.argmax())
    return Row5(
        at, printed.LISTING_ROW_5[at], real_at, fixed(float(real[real_at]), 3), fixed(float(real[at]), 3),
        fixed(float((said - real).abs().sum()), 2), int((real > 0).sum()),
    )  # fmt: skip


@dataclass(frozen=True)
class Dropped:
    """What dropout did to the map that the listing shows: zeros among all cells, and the sums of its rows."""

    zeros: int
    cells: int
    low: str
    high: str
    row: str
    row_sum: str


@remember(1)
def dropped() -> Dropped:
    """Read the map that the listing shows as its visualisation."""
    shown = ran().dropped
    sums = shown.sum(-1)
    it = printed.LISTING_WORDS.index("它")
    return Dropped(
        int((shown == 0).sum()), shown.numel(), fixed(float(sums.min()), 3), fixed(float(sums.max()), 3),
        printed.LISTING_WORDS[it], fixed(float(sums[it]), 3),
    )  # fmt: skip


@remember(4)
def maps(glossed: bool) -> bytes:
    """Pack two maps of the block's sample 0, head 0: after dropout, as the listing prints it, and as it is."""
    run = ran()
    words = view.named("listing", glossed)
    return view.packed(torch.stack([run.dropped, run.kept]), None, words, words)


def bound() -> float:
    """Return the largest weight of both maps."""
    run = ran()
    return float(torch.stack([run.dropped, run.kept]).max())


def _rows(rows: Iterable[Sequence[int]]) -> str:
    """Write rows of numbers as the listing prints them, one after another."""
    return " · ".join(" ".join(map(thousands, row)) for row in rows)


def _table(run: Run) -> str:
    side = listing.SHOWN_SIDE
    return f"{side} × {side}: " + " ".join(f"{value:.3f}" for value in run.dropped[0, :side].tolist()) + " …"
