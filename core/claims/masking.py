"""What the notes state about masks, by the function of their listing: which keys it hides, and when it does not."""

import math

import torch
from torch import Tensor

from core.attention.masks import causal
from core.claims import listing, printed_listing
from core.claims.compare import verdict
from core.claims.ledger import Found, Value, claim
from core.claims.listing import D_MODEL, N_HEADS, SHOWN_ROW, N
from core.claims.self_attention import ROUNDING, listed, operands
from core.complexity import modules
from core.device import generator

EXACT = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
EMPTY_KEYS = 3
DECODED, CHUNK, CACHED = 1, 3, 8
"""Queries of one decoding step, of a chunk, and the keys that are there."""


@claim(
    "003-062", "masks", "L263", "code", "scores = scores.masked_fill(mask == 0, -1e9)", "only_if", "worked_example",
    "mask=lower_right&fill=1e9&precision=float16", tolerance="= 0",
)  # fmt: skip
def overwritten() -> Found:
    """The largest hidden weight in four number formats, and the weights of a row in which every key is hidden."""
    hidden = {name: _largest_hidden(dtype) for name, dtype in EXACT.items()}
    exact = tuple(name for name, weight in hidden.items() if weight == 0)
    refused = tuple(name for name, weight in hidden.items() if weight is None)
    q, k, v = (each[0, 0, :EMPTY_KEYS].double() for each in operands())
    empty = tuple(listed(q, k, v, torch.zeros(EMPTY_KEYS, EMPTY_KEYS))[1][0].tolist())
    values: dict[str, Value] = {"exact": exact, "refused": refused, "keys": EMPTY_KEYS, "empty": empty}
    everywhere = len(exact) == len(EXACT) and not any(empty)
    return Found("correct" if everywhere else "only_if" if "float32" in exact else "wrong", values)


@claim(
    "003-063", "masks", "L263", "code", "mask == 0", "only_if", "worked_example", "mask=lower_right&reading=hide",
    tolerance="= 0",
)  # fmt: skip
def zero_is_forbidden() -> Found:
    """One causal mask as Boolean, as 0 and 1, as 0 and −∞ to be added, and with halves; and in torch's own module."""
    keep = causal(N, N)
    plain, by_bool, by_number, added, soft = (_weights(mask) for mask in (None, keep, keep.float(), *_others(keep)))
    x = torch.randn(N, D_MODEL, generator=generator(0))
    with torch.no_grad():
        theirs = modules.attention(D_MODEL, N_HEADS, generator(1))(x, x, x, attn_mask=keep)[0]
    same = float((by_bool - by_number).abs().max())
    future = 1 - float(added[0, 0, 0, 0])
    ignored = float((soft - plain).abs().max())
    values = {"same": same, "future": future, "ignored": ignored, "nan_rows": int(theirs.isnan().any(-1).sum())}
    everywhere = future == 0 and ignored > 0
    return Found("wrong" if same > 0 else "correct" if everywhere else "only_if", values)


@claim(
    "003-064", "masks", "L254", "code", "mask: (batch, 1, seq_len_q, seq_len_k) 或 (1, 1, seq_len_q, seq_len_k)",
    "correct", "worked_example", "mask=lower_right", tolerance="±1e-12",
)  # fmt: skip
def mask_shapes() -> Found:
    """A mask for every sample and one for all, broadcast, against one sample and one head after the other, float64."""
    q, k, v = (each.double() for each in operands())
    batch, n_heads = q.shape[:2]
    drawn = torch.rand(batch, 1, N, N, generator=generator(0)) < 0.5
    gaps = []
    for mask in (drawn | torch.eye(N, dtype=torch.bool), causal(N, N)[None, None]):
        every = mask.expand(batch, n_heads, N, N)
        together = listed(q, k, v, mask)[0]
        alone = [listed(q[b, h], k[b, h], v[b, h], every[b, h])[0] for b in range(batch) for h in range(n_heads)]
        gaps.append(float((together.flatten(0, 1) - torch.stack(alone)).abs().max()))
    values = {"batch": batch, "heads": n_heads, "gap": max(gaps)}
    return Found("correct" if max(gaps) < ROUNDING else "wrong", values)


@claim("003-070", "listing", "L452", "number", "Mask 形状: [1, 1, 10, 10]", "correct", "heads", "hd_look=listing")
def mask_shape() -> Found:
    """The shape of the listing's mask, and of the weights that it makes of its Q and K."""
    mask = torch.tril(torch.ones(N, N)).unsqueeze(0).unsqueeze(0)
    q, k, v = operands()
    right, weights = tuple(mask.shape), tuple(listed(q, k, v, mask)[1].shape)
    values = {"said": printed_listing.MASK, "right": right, "weights": weights}
    return Found("correct" if right == printed_listing.MASK else "wrong", values)


@claim(
    "003-071", "listing", "L383, L453", "number", "位置 (0,0) 的权重: [1.0, 0.0, 0.0, …]", "correct",
    "heads", "hd_look=listing", tolerance="= 0",
)  # fmt: skip
def first_row() -> Found:
    """Row 0 of the listing's masked weights, sample 0, head 0 (seed 42)."""
    right = listing.run().masked.weights[0, 0, 0].tolist()
    return Found(verdict(printed_listing.ROW_0, right), {"right": tuple(right)})


@claim(
    "003-074", "listing", "L384", "number", "位置 (5,5) 的权重（应只看前6个）", "correct",
    "heads", "hd_look=listing", tolerance="= 0",
)  # fmt: skip
def sees_the_first_six() -> Found:
    """The weights that are not 0 in row 5 of the listing's masked weights, and the largest above the diagonal."""
    weights = listing.run().masked.weights
    row = weights[0, 0, SHOWN_ROW]
    seen, above = int((row != 0).sum()), float(weights.triu(1).max())
    values = {"row": SHOWN_ROW, "seen": seen, "above": above, "own": float(row[SHOWN_ROW])}
    holds = seen == printed_listing.ROW_5_SEES and not row[seen:].any() and above == 0
    return Found("correct" if holds else "wrong", values)


@claim(
    "003-114", "masks", "L380", "code", "causal_mask = torch.tril(torch.ones(seq_len, seq_len))", "only_if",
    "worked_example", "source=cross&mask=upper_left", tolerance="= 0",
)  # fmt: skip
def lower_triangle() -> Found:
    """Keys that ``torch.tril`` shows to one and to three queries of eight keys, against those that they may see."""
    shown = {n: torch.tril(torch.ones(n, CACHED)) for n in (DECODED, CHUNK, CACHED)}
    right = {n: causal(n, CACHED) for n in shown}
    agree = {n: torch.equal(mask == 1, right[n]) for n, mask in shown.items()}
    q, k, v = (torch.randn(n, 4, generator=generator(0)) for n in (DECODED, CACHED, CACHED))
    values: dict[str, Value] = {
        "queries": CHUNK,
        "keys": CACHED,
        "seen": tuple(int(count) for count in shown[CHUNK].sum(1)),
        "right": tuple(int(count) for count in right[CHUNK].sum(1)),
        "decoded": tuple(listed(q, k, v, shown[DECODED])[1][0].tolist()),
    }
    return Found("correct" if all(agree.values()) else "only_if" if agree[CACHED] else "wrong", values)


def _largest_hidden(dtype: torch.dtype) -> float | None:
    """The largest weight above the diagonal under the causal mask; None where torch refuses to write −10⁹."""
    try:
        q, k, v = (each.to(dtype) for each in operands())
        weights = listed(q, k, v, causal(N, N))[1]
    except RuntimeError:
        return None
    return float(weights.triu(1).max())


def _weights(mask: Tensor | None) -> Tensor:
    q, k, v = (each.double() for each in operands())
    return listed(q, k, v, mask)[1]


def _others(keep: Tensor) -> tuple[Tensor, Tensor]:
    """The same mask to be added to scores, and with halves in the place of zeros."""
    return torch.zeros(keep.shape).masked_fill(~keep, -math.inf), torch.where(keep, 1.0, 0.5)
