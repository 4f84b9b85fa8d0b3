"""Heads: decoding with a cache, one token a step, and how many bytes the caches of known models take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from core.attention import heads
from core.attention.decoding import Step, decode
from core.attention.masks import causal
from core.complexity import kv_cache
from core.complexity.kv_cache import PRESETS, Decoder
from core.errors import InputError
from core.matrix_text import Matrix, parse, spell
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views import heads as view
from pages.views.drawing import Mark, box, packed, word
from pages.views.heads import Params

MODELS = (*PRESETS, "own")
LENGTHS = tuple(2**power for power in range(7, 21))
BATCHES = (1, 4, 16, 64, 256)
BYTES = (1, 2, 4)
MOST_LAYERS = 128
COLUMNS = ("layers", "n_heads", "n_kv_heads", "d_head")
Rows = tuple[tuple[int, ...], ...]
_LEFT, _TOP, _HIGH = 190.0, 24.0, 23.0


@dataclass(frozen=True)
class Decoded:
    """Every step, the rows of one causal pass beside them [n, d_model], and how far apart they are at most."""

    steps: tuple[Step, ...]
    gaps: tuple[float, ...]


@remember(32)
def decoded(params: Params) -> Decoded:
    """Decode the words of this state one by one, and hold every row against one full causal pass."""
    params = replace(params, mask="causal", divisor="head")
    x, weights = view.operands(params)
    n = len(x)
    full = heads.multi_head(x, x, weights, params.n_heads, params.kv_heads, causal(n, n)).output
    steps = tuple(decode(x, weights, params.n_heads, params.kv_heads))
    return Decoded(steps, tuple(float((step.output - full[step.position]).abs().max()) for step in steps))


@remember(256)
def cache(params: Params, at: int, glossed: bool, words: tuple[str, ...]) -> dict[str, bytes]:
    """Draw the cache after step ``at`` (from 1): a row a key-value head, a column a token.

    ``words``: head, heads, key-value head, written now, from the cache, not yet there.
    """
    drawn, told = view.named(params.text, glossed)
    n, rows = len(drawn), params.kv_heads
    high = min(_HIGH, 190.0 / rows)
    across, narrow = 650.0 / n, 245.0 / n
    boxes: list[Mark] = []
    marks: list[Mark] = []
    for token, (name, full) in enumerate(zip(drawn, told, strict=True)):
        look = "later" if token >= at else "new" if token == at - 1 else "group"
        said = words[5] if token >= at else words[3] if token == at - 1 else words[4]
        left, small = _LEFT + token * across, 100 + token * narrow
        for row in range(rows):
            boxes.append(
                box(
                    (left, _TOP + row * high), (small, _TOP + row * high), (across - 3, high - 3),
                    (narrow - 2, high - 3), look=look, group=row, link=f"g{row}",
                    text="" if look == "later" or high < 16 or n > 10 else f"k{_sub(token)} v{_sub(token)}",
                    short="", tip=f"k, v · {full} · {words[2]} {row} · {said}",
                )
            )  # fmt: skip
        marks.append(
            word((left + across / 2 - 2, _TOP - 12), (small + narrow / 2, _TOP - 12), name, "centre", str(token))
        )
    for row in range(rows):
        mine = [str(head) for head, shared in enumerate(heads.head_map(params.n_heads, rows)) if shared == row]
        text = f"{words[0] if len(mine) == 1 else words[1]} {_span(mine)}"
        place = _TOP + (row + 0.5) * high - 2
        marks.append(
            word((_LEFT - 8, place), (94, place), f"{text} → {words[2]} {row}", "right", f"{_span(mine)} → {row}")
        )
    return packed(boxes, [], marks)


def cache_size(params: Params) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return width and height of the drawing on a desk and on a narrow screen."""
    high = _TOP + params.kv_heads * min(_HIGH, 190.0 / params.kv_heads) + 4
    return (845.0, high), (347.0, high)


@remember(256)
def step_map(params: Params, at: int, glossed: bool, head: str) -> bytes:
    """Pack the weights of the token that is decoded in step ``at``: a row a head, keys that are not there hidden."""
    drawn, told = view.named(params.text, glossed)
    step = decoded(params).steps[at - 1]
    wide = torch.zeros(1, params.n_heads, len(drawn), dtype=torch.float64)
    wide[0, :, :at] = step.weights
    there = (torch.arange(len(drawn)) < at).expand_as(wide)
    names = tuple(f"{head} {number}" for number in range(params.n_heads))
    return view.packed(wide, there, (names, names), (drawn, told))


@dataclass(frozen=True)
class Taken:
    """What one model's cache takes at the chosen length: all bytes, and those of one token of one sequence."""

    model: str
    decoder: Decoder
    bytes: int
    per_token: int


USUAL: Rows = tuple((each.layers, each.n_heads, each.n_kv_heads, each.d_head) for each in PRESETS.values())
"""The sizes of the known models."""


def own(params: Params, layers: int) -> Decoder:
    """Return so many layers of the page's own."""
    return Decoder(layers, params.n_heads, params.kv_heads, params.d_head)


def decoders(rows: Rows) -> tuple[Decoder, ...]:
    """Return rows as decoders. Raises ``InputError`` ("range", "shared_by", "sides"), which names model and size."""
    if len(rows) != len(USUAL) or any(len(row) != len(COLUMNS) for row in rows):
        raise InputError("sides", name="models", rows=len(rows), columns=len(rows[0]), limit=len(USUAL))
    return tuple(_decoder(name, row) for name, row in zip(PRESETS, rows, strict=True))


def _decoder(model: str, row: tuple[int, ...]) -> Decoder:
    found = Decoder(*row)
    try:
        kv_cache.require_decoder(found)
    except InputError as error:
        if error.code == "range":
            raise InputError("range", **{**error.values, "name": f"{model}, {error.values['name']}"}) from error
        raise InputError("shared_by", name=model, **error.values) from error
    return found


def read_rows(text: str) -> Rows:
    """Return the rows that a link spells. Raises ``InputError`` as ``decoders`` and the reading of matrices do."""
    return whole(parse(text, "models"))


def whole(matrix: Matrix) -> Rows:
    """Return a matrix of whole numbers as rows. Raises ``InputError`` as ``decoders``, and "integers"."""
    for model, row in zip(PRESETS, matrix, strict=False):
        for size, value in zip(COLUMNS, row, strict=False):
            if value != int(value):
                raise InputError("integers", name=f"{model}, {size}", got=value)
    rows = tuple(tuple(int(value) for value in row) for row in matrix)
    decoders(rows)
    return rows


def spell_rows(rows: Rows) -> str:
    """Return rows as a link spells them."""
    return spell(tuple(tuple(float(value) for value in row) for row in rows))


@remember(128)
def taken(rows: Rows, last: Decoder, n: int, batch: int, bytes_each: int) -> tuple[Taken, ...]:
    """Return what every model's cache takes, and that of the page's own layers."""
    return tuple(
        Taken(
            name, decoder, kv_cache.cache_bytes(decoder, n, batch, bytes_each),
            kv_cache.cache_bytes(decoder, 1, 1, bytes_each),
        )
        for name, decoder in zip(MODELS, (*decoders(rows), last), strict=True)
    )  # fmt: skip


@remember(128)
def curves(rows: Rows, last: Decoder, n: int, batch: int, bytes_each: int) -> dict[str, bytes]:
    """Pack bytes against the length, a line a model."""
    chosen = list(zip(MODELS, (*decoders(rows), last), strict=True))
    return {
        "cached": arrow(
            {
                "n": list(LENGTHS) * len(chosen),
                "model": [name for name, _ in chosen for _ in LENGTHS],
                "bytes": [
                    float(kv_cache.cache_bytes(decoder, length, batch, bytes_each))
                    for _, decoder in chosen
                    for length in LENGTHS
                ],
            }
        ),
        "at": arrow({"n": [n]}),
    }


def _span(numbers: Sequence[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{numbers[0]}, {numbers[1]}" if len(numbers) == 2 else (
        f"{numbers[0]} … {numbers[-1]}"
    )  # fmt: skip


def _sub(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
