"""Attention over long sequences in memory that grows as n: output, pooled map and row entropy, no n × n matrix.

A tile of queries walks along the keys with three running numbers a row, the largest score m, l = Σ exp(s − m) and
h = Σ exp(s − m)(s − m), and the unnormalised output o = Σ exp(s − m) v. A tile of keys that raises m by δ first scales
what is there:

    l ← l e^(−δ)      o ← o e^(−δ)      h ← (h − δ l) e^(−δ)

and at the end  O = o / l,  H = ln l − h / l  (no large numbers cancel),  a_ij = exp(s_ij − m) / l.  Sums and maxima of
each block of keys are kept with the m of their time, and brought to the last m at the end.

Axes: n_q queries, n_k keys, d_k columns of q and k, d_v columns of v. Tiles are stored keys × queries, so that sums
along keys add whole vectors.
Source: Milakov and Gimelshein 2018 (running softmax); Dao et al. 2022 (tiles); the entropy follows from both.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from core.attention.dot_product import attention_scale, working_dtype
from core.attention.parts import FLOOR
from core.attention.shapes import broadcast_shape, require_no_gradient, require_operands
from core.errors import InputError, require_range
from core.pooling import spans

MOST = 128
_TILES = {"cpu": (512, 512), "cuda": (2048, 4096)}
_NOTHING = -1e38
"""The score of a hidden key: finite, so that 0 · score is 0."""


@dataclass(frozen=True)
class Streamed:
    """What ``attend_streaming`` keeps of n_q × n_k weights.

    ``output`` [..., n_q, d_v], ``entropy`` [..., n_q] in nats, ``mean`` and ``largest`` [..., rows, columns]: the map
    pooled as ``core.pooling.pool`` pools it, at most ``most`` cells a side.
    """

    output: Tensor
    entropy: Tensor
    mean: Tensor
    largest: Tensor


@dataclass(frozen=True)
class _Piece:
    """Consecutive keys: ``count`` runs of ``size`` keys from ``first`` on, one pooled column each from ``at`` on."""

    first: int
    size: int
    count: int
    at: int

    @property
    def last(self) -> int:
        return self.first + self.size * self.count


def attend_streaming(
    q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False, scale: float | None = None, most: int = MOST
) -> Streamed:
    """Attend, and keep the output, the entropy of every row and the map pooled to at most ``most`` × ``most`` cells.

    q [..., n_q, d_k], k [..., n_k, d_k], v [..., n_k, d_v]; scale is 1/√d_k unless given; ``causal`` hides keys after
    the query, positions aligned at the last ones (j ≤ i + n_k − n_q). A query without keys has zeros everywhere.
    Memory beside the result: a tile, and a number a query and pooled column of one tile of queries.
    Forward only. Raises ``InputError`` ("shape", "empty", "width", "rows", "leading", "real", "range", "gradient").
    Source: module docstring.
    """
    require_operands(q, k, v)
    require_no_gradient("attend_streaming", q, k, v)
    require_range("most", most, 1, 4096)
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    require_range("scale", scale, -1e30, 1e30)
    leading = broadcast_shape(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    dtype = working_dtype(q, k, v)
    q, k, v = (each.to(dtype).expand(*leading, *each.shape[-2:]).reshape(-1, *each.shape[-2:]) for each in (q, k, v))
    found = [_one_head(q[head], k[head], v[head], scale, causal, most) for head in range(len(q))]
    parts = [torch.stack(part).reshape(*leading, *part[0].shape) for part in zip(*found, strict=True)]
    return Streamed(*parts)


def streamed_output(q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False, scale: float | None = None) -> Tensor:
    """Compute the output alone by torch's fused kernel (flash attention where the device has it), O(n) memory.

    q, k, v [..., n, d] → [..., n_q, d_v]; ``causal`` wants n_q = n_k, where both corners are one.
    Raises ``InputError`` as ``attend_streaming``, "rows" for causal with n_q ≠ n_k.
    """
    require_operands(q, k, v)
    if causal and q.shape[-2] != k.shape[-2]:
        raise InputError("rows", left="q", left_rows=q.shape[-2], right="k", right_rows=k.shape[-2])
    leading = broadcast_shape(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    # 4-D operands: with three axes the CPU falls back to a path that does form the n_q × n_k matrix.
    q, k, v = (each.expand(*leading, *each.shape[-2:]).reshape(-1, 1, *each.shape[-2:]) for each in (q, k, v))
    output = F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)
    return output.reshape(*leading, *output.shape[-2:])


def _one_head(
    q: Tensor, k: Tensor, v: Tensor, scale: float, causal: bool, most: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    width, height = _TILES.get(q.device.type, _TILES["cpu"])
    width = min(width, n_q)
    pieces = _pieces(n_k, most, height)
    rows, columns = spans(n_q, most), spans(n_k, most)
    output, entropy = v.new_empty(n_q, v.shape[1]), q.new_empty(n_q)
    mean, largest = q.new_zeros(len(rows), len(columns)), q.new_zeros(len(rows), len(columns))
    # |s| ≤ ‖q‖‖k‖: where that is small, no exponent s − m can reach the floor, and none is held above it.
    longest_q, longest_k = (torch.linalg.vector_norm(each, dim=1).max() for each in (q, k))
    farthest = 2 * abs(scale) * float(longest_q * longest_k)
    cells = max(piece.last - piece.first for piece in pieces) * width
    buffers = q.new_empty(cells), q.new_empty(cells)
    for start in range(0, n_q, width):
        stop = min(start + width, n_q)
        offset = n_k - n_q if causal else n_k  # query i sees keys up to i + offset
        tile = _Tile(q[start:stop] * scale, len(columns), v.shape[1], buffers, farthest < -FLOOR)
        for piece in pieces:
            if piece.first <= stop - 1 + offset:
                hidden = _hidden(start, stop, offset, piece, q.device)
                tile.take(k[piece.first : piece.last], v[piece.first : piece.last], piece, hidden)
        output[start:stop], entropy[start:stop], sums, tops = tile.finish()
        _pool_rows(rows, start, sums, tops, mean, largest)
    sizes = _lengths(rows, q).unsqueeze(1) * _lengths(columns, q)
    return output, entropy, mean / sizes, largest


def _pool_rows(
    rows: tuple[tuple[int, int], ...], start: int, sums: Tensor, tops: Tensor, mean: Tensor, largest: Tensor
) -> None:
    """Add sums and largest weights [queries, columns] of the queries from ``start`` on to their rows of the map."""
    stop = start + sums.shape[0]
    if rows[-1][1] + 1 == len(rows):  # a row for each query
        mean[start:stop], largest[start:stop] = sums, tops
        return
    for row, (first, last) in enumerate(rows):
        if first < stop and last >= start:
            own = slice(max(first, start) - start, min(last + 1, stop) - start)
            mean[row] += sums[own].sum(0)
            torch.maximum(largest[row], tops[own].amax(0), out=largest[row])


class _Tile:
    """The running numbers of one tile of queries, [queries] or [anything, queries]."""

    def __init__(self, q: Tensor, columns: int, d_v: int, buffers: tuple[Tensor, Tensor], near: bool) -> None:
        n = q.shape[0]
        self.q = q.T
        self.buffers = buffers
        self.near = near  # no two scores are farther apart than the floor
        self.top = q.new_full((n,), _NOTHING)
        self.sum, self.spread = q.new_zeros(n), q.new_zeros(n)
        self.output = q.new_zeros(d_v, n)
        self.sums, self.tops = q.new_zeros(columns, n), q.new_full((columns, n), _NOTHING)
        self.taken: list[tuple[int, int, Tensor]] = []  # which columns were summed with which m

    def take(self, k: Tensor, v: Tensor, piece: _Piece, hidden: Tensor | None) -> None:
        """Go on with the keys of one piece: k [keys, d_k], v [keys, d_v]."""
        n_k, n_q = k.shape[0], self.q.shape[1]
        scores, powers = (buffer[: n_k * n_q].view(n_k, n_q) for buffer in self.buffers)
        torch.mm(k, self.q, out=scores)
        if hidden is not None:
            scores.masked_fill_(hidden, _NOTHING)
        shape, ends = (piece.count, piece.size, n_q), (piece.at, piece.at + piece.count)
        tops = scores.view(shape).amax(1)
        self._raise(torch.maximum(self.top, tops.amax(0)))
        torch.sub(scores, self.top, out=scores)
        if not self.near or hidden is not None:
            scores.clamp_(min=FLOOR)
        torch.exp(scores, out=powers)
        if hidden is not None:
            powers.masked_fill_(hidden, 0.0)
        sums = powers.view(shape).sum(1)
        scores.mul_(powers)
        self.sum += sums.sum(0)
        self.spread += scores.sum(0)
        self.output.addmm_(v.T, powers)
        here = slice(*ends)
        if piece.count == 1 and self.taken and self.taken[-1][0] == piece.at:
            self.sums[here] *= _exp(self.taken.pop()[2] - self.top)
        self.sums[here] += sums
        self.tops[here] = torch.maximum(self.tops[here], tops)
        self.taken.append((*ends, self.top))

    def _raise(self, top: Tensor) -> None:
        """Let the largest score so far be ``top`` [queries], and scale what was summed under the last one."""
        gained = self.top - top
        factor = _exp(gained)
        self.spread = (self.spread + gained * self.sum) * factor
        self.sum *= factor
        self.output *= factor
        self.top = top

    def finish(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return output [n, d_v], entropy [n], summed and largest weights of each column [n, columns]."""
        empty = self.top <= _NOTHING
        total = self.sum.masked_fill(empty, 1.0)
        for first, last, top in self.taken:
            self.sums[first:last] *= _exp(top - self.top) / total
        weights = _exp(self.tops - self.top) / total
        entropy = (total.log() - self.spread / total).clamp_(min=0.0)
        return (
            (self.output / total).masked_fill_(empty, 0.0).T,
            entropy.masked_fill_(empty, 0.0),
            self.sums.masked_fill_(empty, 0.0).T,
            weights.masked_fill_(empty, 0.0).T,
        )


def _exp(exponents: Tensor) -> Tensor:
    """e to the power of numbers that are not positive; 0 from ``FLOOR`` on."""
    return torch.where(exponents > FLOOR, exponents.clamp(min=FLOOR).exp(), 0.0)


def _pieces(n: int, most: int, height: int) -> list[_Piece]:
    """Cut n keys into tiles of at most about ``height``, none of which mixes pooled columns of different sizes."""
    found, at = [], 0
    columns = spans(n, most)
    while at < len(columns):
        first, last = columns[at]
        size = last - first + 1
        if size > height:
            found += [_Piece(start, min(height, last + 1 - start), 1, at) for start in range(first, last + 1, height)]
            at += 1
            continue
        alike = at
        while (
            alike < len(columns) and columns[alike][1] - columns[alike][0] + 1 == size and alike - at < height // size
        ):
            alike += 1
        found.append(_Piece(first, size, alike - at, at))
        at = alike
    return found


def _hidden(start: int, stop: int, offset: int, piece: _Piece, device: torch.device) -> Tensor | None:
    """Which keys lie after their query: [keys, queries], or None where no key does."""
    if piece.last - 1 <= start + offset:
        return None
    keys = torch.arange(piece.first, piece.last, device=device).unsqueeze(1)
    return keys > torch.arange(start, stop, device=device) + offset


def _lengths(parts: tuple[tuple[int, int], ...], like: Tensor) -> Tensor:
    return torch.tensor([last - first + 1 for first, last in parts], device=like.device, dtype=like.dtype)
