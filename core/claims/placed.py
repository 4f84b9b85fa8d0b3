"""A stretch of code that is written for the CPU, computed on another device, number for number from the same seeds.

Inside ``Placed("cuda")`` the device stands where the code says, or leaves it unsaid, that it means the CPU:

    a tensor that is made               is made on the device, and so is one that is sent to the CPU
    a draw from a generator of the CPU  happens on the CPU, so that a seed means the same numbers, and is then sent over
    a tensor made outside               is sent over, for this one operation, when it meets one that is there
    numbers read out                    as numpy reads them, come to the CPU

Code that torch runs below Python needs none of this. The mode belongs to the thread that entered it. Every operation
passes through Python here: on the CPU itself, enter nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

_CPU = torch.device("cpu")
_FACTORIES: frozenset[Callable[..., Any]] = frozenset(
    (
        torch.arange, torch.as_tensor, torch.asarray, torch.empty, torch.empty_strided, torch.eye, torch.fft.fftfreq,
        torch.fft.rfftfreq, torch.full, torch.hann_window, torch.linspace, torch.logspace, torch.ones, torch.rand,
        torch.randint, torch.randn, torch.randperm, torch.scalar_tensor, torch.tensor, torch.tril_indices,
        torch.triu_indices, torch.zeros,
    )
)  # fmt: skip
_READING: tuple[Callable[..., Any], ...] = (Tensor.numpy, Tensor.__array__)
_WRITING = ("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ipow__", "__iand__", "__ior__")


class Placed(TorchFunctionMode):
    """Compute on ``device``, another than the CPU, what is computed inside.  Source: module docstring.

    ``used`` says whether any tensor was on the device so far. What the device cannot do raises as torch raises it.
    """

    def __init__(self, device: torch.device | str) -> None:
        super().__init__()
        self.device = torch.device(device)
        self.used = False

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run one operation where the module docstring says."""
        named = dict(kwargs or {})
        if getattr(func, "__name__", "") == "__get__":  # a tensor's shape, its type, its transpose
            return func(*args, **named)
        leaves = _leaves((*args, *named.values()))
        if any(isinstance(leaf, torch.Generator) and leaf.device.type == "cpu" for leaf in leaves):
            return self._drawn(func, args, named)
        if func in _READING:
            return func(args[0].detach().to(_CPU), *args[1:], **named)
        if func is Tensor.cpu:
            return args[0].to(self.device)
        if func in _FACTORIES and named.get("device") is None:
            named["device"] = self.device
        if any(map(_is_cpu, leaves)):
            args, named = _replaced((tuple(args), named), self._device)
        result = self._met(func, args, named, [leaf for leaf in leaves if isinstance(leaf, Tensor)])
        self.used = self.used or any(isinstance(leaf, Tensor) and self._is_there(leaf) for leaf in _leaves((result,)))
        return result

    def _met(self, func: Callable[..., Any], args: Sequence[Any], named: dict[str, Any], tensors: list[Tensor]) -> Any:
        """Run an operation with all ``tensors`` among its arguments on the device if one is."""
        there = sum(map(self._is_there, tensors))
        self.used = self.used or there > 0
        if 0 < there < len(tensors):
            kept = args[:1] if _writes(func) else ()
            args, named = (*kept, *_replaced(tuple(args[len(kept) :]), self._sent)), _replaced(named, self._sent)
        return func(*args, **named)

    def _drawn(self, func: Callable[..., Any], args: Sequence[Any], named: dict[str, Any]) -> Any:
        """Draw on the CPU and send what came out; what was to be filled in place is filled."""
        originals: dict[int, Tensor] = {}
        copies: list[Tensor] = []  # kept, so that no address is used twice

        def fetched(value: Any) -> Any:
            if not isinstance(value, Tensor) or not self._is_there(value):
                return value
            copies.append(value.to(_CPU))
            originals[id(copies[-1])] = value
            return copies[-1]

        learns = bool(named.pop("requires_grad", False))
        args, named = _replaced((tuple(args), named), fetched)
        result = func(*args, **named)
        if (filled := originals.get(id(result))) is not None:
            with torch.no_grad():
                filled.copy_(result)
            return filled
        self.used = True
        sent = _replaced(result, self._sent)
        return sent.requires_grad_() if learns else sent

    def _is_there(self, tensor: Tensor) -> bool:
        return bool(tensor.device.type == self.device.type)

    def _sent(self, value: Any) -> Any:
        on_cpu = isinstance(value, Tensor) and value.device.type == "cpu"
        return value.to(self.device) if on_cpu else value

    def _device(self, value: Any) -> Any:
        """Put the device in the place of the CPU, where an argument names that."""
        return self.device if _is_cpu(value) else value


def _is_cpu(value: Any) -> bool:
    return value == "cpu" if isinstance(value, str) else isinstance(value, torch.device) and value.type == "cpu"


def _writes(func: Callable[..., Any]) -> bool:
    """Say whether an operation changes its first argument, so that a copy of that would not do."""
    name = getattr(func, "__name__", "")
    return name in _WRITING or (name.endswith("_") and not name.endswith("__"))


def _replaced(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return ``value`` with everything inside its tuples, lists and dictionaries changed."""
    if isinstance(value, dict):
        return {key: _replaced(each, change) for key, each in value.items()}
    if type(value) in (tuple, list):
        return type(value)(_replaced(each, change) for each in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_replaced(each, change) for each in value))
    return change(value)


def _leaves(values: Iterable[Any]) -> list[Any]:
    """Return what stands inside nested tuples, lists and dictionaries."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, tuple | list):
            found += _leaves(value)
        elif isinstance(value, dict):
            found += _leaves(value.values())
        else:
            found.append(value)
    return found
