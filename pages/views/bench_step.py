"""One attention step as the bench computes it: rightly by default, coarsely or wrongly where that is asked for."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.attention.demonstrations import MISTAKES, SCALE_MISTAKES, attend_in, attend_mistaken, weigh_in, weigh_mistaken
from core.attention.dot_product import attend, fused_output, masked_softmax
from core.attention.masks import causal, combine, empty_row_causes, key_padding, opposite, sliding_window
from core.matrix_text import Matrix
from pages.ui.cache import remember

Keep = tuple[tuple[bool, ...], ...]
SCALES = ("sqrt_d_k", "none", "d_k", "free")
FILLS = {"inf": -math.inf, "1e9": -1e9}
PRECISIONS = {
    "float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16,
}  # fmt: skip
MISTAKEN = ("none", *MISTAKES)


@dataclass(frozen=True)
class Params:
    """Everything that decides the numbers of a step.

    ``matrices``: name and cells, for the ``start`` they belong to ("q", "x" or "s"); ``temperature`` counts where
    ``scale`` is "free". The right way is a fill of "inf" in "float64" without a mistake.
    """

    start: str
    matrices: tuple[tuple[str, Matrix], ...]
    keep: Keep | None = None
    scale: str = "sqrt_d_k"
    temperature: float = 1.0
    fill: str = "inf"
    precision: str = "float64"
    mistake: str = "none"

    @property
    def right(self) -> bool:
        """Say whether nothing is done coarsely or wrongly."""
        return (self.fill, self.precision, self.mistake) == ("inf", "float64", "none")


@dataclass(frozen=True)
class Step:
    """What a step computed, in the fields of ``Attended``; q, k and v are None where it starts without them."""

    q: Tensor | None
    k: Tensor | None
    v: Tensor | None
    scores: Tensor
    scaled: Tensor
    masked: Tensor
    weights: Tensor
    output: Tensor | None
    empty_rows: Tensor
    scale: float


@dataclass(frozen=True)
class Masks:
    """The masks that are joined on the bench: a causal one by its alignment or "none", a window by its radius or None,
    how many keys at the end are padding, painted cells, and whether the whole is read the other way round."""

    causal: str = "none"
    window: int | None = None
    padding: int = 0
    painted: Keep | None = None
    hide: bool = False


def tensor(matrix: Matrix) -> Tensor:
    """Return a matrix in float64."""
    return torch.tensor(matrix, dtype=torch.float64)


def keep_of(params: Params) -> Tensor | None:
    """Return the mask of this state, or None."""
    return None if params.keep is None else torch.tensor(params.keep)


def operands(params: Params) -> dict[str, Tensor]:
    """Return q, k, v (of those there are) and s, projected first where the start is X."""
    given = {name: tensor(matrix) for name, matrix in params.matrices}
    if params.start == "x":
        return {name: given["x"] @ given[f"w{name}"] for name in "qkv"}
    return given


def joined(masks: Masks, n_q: int, n_k: int) -> tuple[Keep | None, dict[int, tuple[str, ...]]]:
    """Join masks for n_q queries and n_k keys; also which of them leave a query (from 0) with nothing to see."""
    align = "lower_right" if masks.causal == "none" else masks.causal
    made = {
        "causal": None if masks.causal == "none" else causal(n_q, n_k, align),
        "window": None if masks.window is None else sliding_window(n_q, n_k, masks.window, align),
        "padding": _padded(n_q, n_k, masks.padding) if masks.padding else None,
        "painted": None if masks.painted is None else torch.tensor(masks.painted),
    }
    present = {name: mask for name, mask in made.items() if mask is not None}
    keep = combine(*present.values())
    if keep is None:
        return None, {}
    if masks.hide:
        keep = opposite(keep)
        present = {"opposite": keep}
    causes = empty_row_causes(present)
    empty = {
        int(row): tuple(name for name, rows in causes.items() if bool(rows[row]))
        for row in (~keep.any(-1)).nonzero().flatten()
    }
    return tuple(tuple(row) for row in keep.tolist()), empty


def _padded(n_q: int, n_k: int, padding: int) -> Tensor:
    keep_tokens = torch.arange(n_k) < n_k - padding
    return key_padding(keep_tokens.unsqueeze(0))[0, 0].expand(n_q, n_k)


def scale_of(params: Params) -> float:
    """Return the number by which the scores are multiplied; 1/√d_k and 1/d_k are 1 where there is no d_k."""
    if params.scale == "free":
        return 1 / params.temperature
    if params.scale == "none" or params.start == "s":
        return 1.0
    d_k = dict(params.matrices)["q" if params.start == "q" else "wq"]
    return 1 / math.sqrt(len(d_k[0])) if params.scale == "sqrt_d_k" else 1 / len(d_k[0])


@remember(256)
def run(params: Params) -> Step:
    """Compute the step that is shown."""
    found = operands(params)
    q, k, v, s = (found.get(name) for name in "qkvs")
    keep = keep_of(params)
    scale = scale_of(params)
    if params.right:
        return _right(q, k, v, s, keep, scale)
    fill, dtype = FILLS[params.fill], PRECISIONS[params.precision]
    mistake = possible(params.start, params.mistake)
    if s is not None:
        wrong = weigh_in(s, v, keep, scale, fill=fill, dtype=dtype) if mistake == "none" else weigh_mistaken(
            s, v, keep, scale, mistake=mistake, fill=fill, dtype=dtype
        )  # fmt: skip
    else:
        assert q is not None and k is not None and v is not None
        wrong = attend_in(q, k, v, keep, scale, fill=fill, dtype=dtype) if mistake == "none" else attend_mistaken(
            q, k, v, keep, scale, mistake=mistake, fill=fill, dtype=dtype
        )  # fmt: skip
    return Step(
        q, k, v, wrong.scores, wrong.scaled, wrong.masked, wrong.weights, wrong.output, wrong.empty_rows, wrong.scale
    )


def right_way(params: Params) -> Params:
    """Return the same state without anything done coarsely or wrongly."""
    return replace(params, fill="inf", precision="float64", mistake="none")


def possible(start: str, mistake: str) -> str:
    """Return the mistake, or "none" where it needs a d_k and there is none."""
    return "none" if start == "s" and mistake in SCALE_MISTAKES else mistake


def _right(
    q: Tensor | None, k: Tensor | None, v: Tensor | None, s: Tensor | None, keep: Tensor | None, scale: float
) -> Step:
    if q is not None and k is not None and v is not None:
        done = attend(q, k, v, keep, scale)
        return Step(
            q, k, v, done.scores, done.scaled, done.masked, done.weights, done.output, done.empty_rows, done.scale
        )
    assert s is not None
    scaled = s * scale
    weights, empty = masked_softmax(scaled, keep)
    masked = scaled if keep is None else scaled.masked_fill(~keep, -math.inf)
    return Step(None, None, v, s, scaled, masked, weights, None if v is None else weights @ v, empty, scale)


@remember(256)
def difference_to_torch(params: Params) -> float | None:
    """Return the largest difference to the output of torch's fused attention; None where it does not apply."""
    step = run(params)
    if step.q is None or step.k is None or step.v is None or step.output is None or not params.right:
        return None
    keep = keep_of(params)
    return float((fused_output(step.q, step.k, step.v, keep, step.scale) - step.output).abs().max())
