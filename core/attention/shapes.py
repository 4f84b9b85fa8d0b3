"""What tensors must look like before one attends with them, and the shape that their leading axes have together."""

import torch
from torch import Tensor

from core.errors import InputError


def require_operands(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse q [..., n_q, d_k], k [..., n_k, d_k] and v [..., n_k, d_v] that do not fit each other.

    Raises ``InputError`` ("shape", "real", "empty", "width", "rows", "leading").
    """
    for name, operand, axes in (("q", q, "n_q, d_k"), ("k", k, "n_k, d_k"), ("v", v, "n_k, d_v")):
        require_axes(name, operand, 2, f"[..., {axes}]")
        if 0 in operand.shape[-2:]:
            raise InputError("empty", name=name)
    if q.shape[-1] != k.shape[-1]:
        raise InputError("width", left="q", left_width=q.shape[-1], right="k", right_width=k.shape[-1])
    if k.shape[-2] != v.shape[-2]:
        raise InputError("rows", left="k", left_rows=k.shape[-2], right="v", right_rows=v.shape[-2])
    leading = [operand.shape[:-2] for operand in (q, k, v)]
    if _together(*leading) is None:
        raise InputError("leading", shapes=", ".join(str(list(shape)) for shape in leading))


def require_no_gradient(routine: str, q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse operands that ask for gradients where ``routine`` works in buffers of its own and carries none.

    Raises ``InputError("gradient")``.
    """
    for name, operand in (("q", q), ("k", k), ("v", v)):
        if operand.requires_grad and torch.is_grad_enabled():
            raise InputError("gradient", name=name, routine=routine)


def require_axes(name: str, tensor: Tensor, least: int, expected: str) -> None:
    """Refuse a tensor with fewer than ``least`` axes or with complex numbers.

    Raises ``InputError`` ("shape", "real").
    """
    if tensor.dim() < least:
        raise InputError("shape", name=name, expected=expected, got=list(tensor.shape))
    if tensor.is_complex():
        raise InputError("real", name=name, got=tensor.dtype)


def broadcast_shape(*shapes: tuple[int, ...]) -> torch.Size:
    """Return the shape to which ``shapes`` broadcast, without an element of it being made.

    ``torch.broadcast_shapes`` does the same, but imports sympy when it is first called: 0.3 s and 36 MB.
    Raises RuntimeError where they do not broadcast.
    """
    one = torch.empty(())
    return torch.broadcast_tensors(*(one.expand(shape) for shape in shapes))[0].shape


def broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Return whether ``shape`` broadcasts to ``target`` without enlarging it."""
    return _together(torch.Size(shape), torch.Size(target)) == torch.Size(target)


def _together(*shapes: tuple[int, ...]) -> torch.Size | None:
    try:
        return broadcast_shape(*shapes)
    except RuntimeError:
        return None
