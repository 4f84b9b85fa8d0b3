"""Statements on what weights and scores tell: whether a weight explains, and whether a larger product is more alike."""

import torch
import torch.nn.functional as F
from torch import Tensor

from core.attention import alternative_weights
from core.attention.dot_product import attend
from core.claims.ledger import Found, Value, claim
from core.device import generator

CLOSE = 1e-12
N, D_V = 64, 16
LISTING_N, LISTING_D_V = 10, 16
"""Tokens and width of a head in the notes' own listing."""
WIDTHS, N_KEYS, DRAWS = (2, 64, 512), 16, 20_000


@claim(
    "003-003", "lookup", "L10, L175", "qualitative",
    "注意力权重是可解释的——可以看到模型“在看什么”",
    "imprecise", "scores", "sc_look=explanation&sc_n=16&sc_d_v=4", tolerance="10⁻¹²",
)  # fmt: skip
def weights_explain() -> Found:
    """Another row of weights with the same output and sum, and the number of directions in which such rows lie."""
    source = generator(0)
    q, k, v = (torch.randn(N, D_V, generator=source, dtype=torch.float64) for _ in range(3))
    step = attend(q[:1], k, v)
    row = step.weights[0]
    top = int(row.argmax())
    other = alternative_weights.walk(row, v, top)[-1]
    free = alternative_weights.freedom(v).nullity
    few = torch.randn(LISTING_N, LISTING_D_V, generator=source, dtype=torch.float64)
    gap = float((other @ v - step.output[0]).abs().max())
    valid = float(other.min()) >= 0 and abs(float(other.sum()) - 1) < CLOSE and gap < CLOSE
    values: dict[str, Value] = {
        "n": N,
        "d_v": D_V,
        "free": free,
        "before": float(row[top]),
        "after": float(other[top]),
        "gap": gap,
        "sum": float(other.sum()),
        "elsewhere": float(alternative_weights.variation(row, other)),
        "listing_n": LISTING_N,
        "listing_free": alternative_weights.freedom(few).nullity,
    }
    return Found("imprecise" if valid and int(other.argmax()) != top else "correct", values)


@claim("003-014", "scores", "L89", "qualitative", "点积越大，越相似", "imprecise", "scores", "sc_fn=cosine&sc_longer=4")
def larger_product() -> Found:
    """Two keys whose order by product and by cosine differs, and how often the best key differs for random ones."""
    q = torch.tensor([[1.0, 0.0]], dtype=torch.float64)
    k = torch.tensor([[1.0, 0.0], [10.0, 10.0]], dtype=torch.float64)
    products, cosines = (q @ k.T)[0], F.cosine_similarity(q, k)
    agree = int(products.argmax()) == int(cosines.argmax())
    source = generator(0)
    values: dict[str, Value] = {
        "products": tuple(map(int, products.tolist())),
        "cosines": tuple(cosines.tolist()),
        "n": N_KEYS,
    }
    for d in WIDTHS:
        along, length = _keys(d, source)
        differ = along.argmax(-1) != (along / length).argmax(-1)
        values[f"differ_{d}"] = float(differ.double().mean())
    return Found("correct" if agree else "imprecise", values)


def _keys(d: int, source: torch.Generator) -> tuple[Tensor, Tensor]:
    """Components along a query of keys ~ N(0, I_d), and the keys' lengths: two [draws, n]; across it χ²_(d−1)."""
    along = torch.randn(DRAWS, N_KEYS, generator=source, dtype=torch.float64)
    half = torch.full_like(along, (d - 1) / 2)
    across = 2 * torch._standard_gamma(half, generator=source)
    return along, torch.hypot(along, across.sqrt())
