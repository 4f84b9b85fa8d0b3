"""Statements on attention as a soft look-up in a library."""

import torch

from core.attention.dot_product import masked_softmax
from core.claims import printed
from core.claims.compare import verdict
from core.claims.ledger import Found, claim


@claim("003-006", "lookup", "L43-45", "number", "相似度 0.8、0.2、0.9 → 权重 0.5、0.1、0.4", "wrong", "home", tolerance="±0.05")
def library_weights() -> Found:
    """The softmax of the three similarities, at any temperature."""
    scores, said = printed.LIBRARY_SIMILARITIES, printed.LIBRARY_WEIGHTS
    right = masked_softmax(torch.tensor(scores, dtype=torch.float64))[0].tolist()
    values = {"scores": scores, "said": tuple(map(float, said)), "right": tuple(right)}
    return Found(verdict(said, right), values)
