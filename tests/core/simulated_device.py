"""A second device without the hardware: memory of the CPU that behaves, for what is computed inside, as another's.

A storage made on it is marked, and every kernel that torch runs is watched, below autograd. As on a GPU, a kernel
refuses

    a marked and an unmarked tensor at once, unless what is unmarked is a single number or an index
    a generator of the CPU for a marked tensor
    matrix products of whole numbers
    whatever is named in ``lacking``

and numpy reads no marked tensor. Draws from the generators that all share are refused altogether. ``kernels`` counts
what ran on marked tensors; ``strays`` names what else ran, except the drawing of numbers on the CPU.
"""

from collections.abc import Iterable
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

DEVICE = torch.device("xla", 0)  # a name that torch knows and that wakes no driver
_aten = torch.ops.aten
_INDEXING = {_aten.index.Tensor, _aten.index_put_.default, _aten.index_put.default}
_PRODUCTS = {"mm", "bmm", "addmm", "baddbmm", "mv", "addmv", "dot"}
_DRAWS = {"bernoulli", "normal", "uniform", "rand", "randn", "randint", "randperm", "multinomial", "_standard_gamma"}


def _leaves(values: Iterable) -> list:
    found = []
    for value in values:
        if isinstance(value, tuple | list):
            found += _leaves(value)
        else:
            found.append(value)
    return found


class SimulatedDevice(TorchFunctionMode):
    """Entering it makes ``DEVICE`` a place to compute; ``lacking`` names kernels that it has not."""

    def __init__(self, lacking: Iterable[str] = ()) -> None:
        super().__init__()
        self.lacking = frozenset(lacking)
        self.kernels = 0
        self.strays: list[str] = []
        self._marked: dict[int, StorageWeakRef] = {}  # a weak reference keeps the address from being used again
        self._target: bool | None = None  # where what is made or moved goes, while that is said
        self._meant = False  # what an operation makes from nothing is made where its operands are
        self._drawing = False
        self._stack = ExitStack()

    def __enter__(self):
        self._stack.enter_context(_Kernels(self))
        return super().__enter__()

    def __exit__(self, *reason) -> None:
        super().__exit__(*reason)
        self._stack.close()

    def holds(self, tensor: Tensor) -> bool:
        """Say whether a tensor lies on the device."""
        while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            tensor = torch._C._functorch.get_unwrapped(tensor)
        return tensor.untyped_storage()._cdata in self._marked

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if func == Tensor.device.__get__:
            return DEVICE if self.holds(args[0]) else func(*args)
        if func.__name__ == "__get__":
            return func(*args, **kwargs)
        if func in (Tensor.numpy, Tensor.__array__) and self.holds(args[0]):
            raise TypeError(f"can't convert {DEVICE} device type tensor to numpy")
        if func in (Tensor.to, Tensor.cpu):
            return self._to(*args, **kwargs) if func is Tensor.to else self._moved(args[0], False)
        if kwargs.get("device") is not None and torch.device(kwargs["device"]).type in (DEVICE.type, "cpu"):
            return self._made(func, args, kwargs)
        leaves = _leaves((*args, *kwargs.values()))
        there = any(self.holds(each) for each in leaves if isinstance(each, Tensor))
        drawing = any(isinstance(each, torch.Generator) for each in leaves)
        with self._during(meant=there, drawing=self._drawing or drawing):
            return func(*args, **kwargs)

    def _moved(self, tensor: Tensor, there: bool) -> Tensor:
        if tensor.device.type == "meta" or self.holds(tensor) == there:
            return tensor
        with self._during(target=there):
            return tensor.clone()

    def _to(self, tensor: Tensor, *args, **kwargs) -> Tensor:
        if isinstance(args[0] if args else None, Tensor):
            args = (DEVICE if self.holds(args[0]) else args[0].device, args[0].dtype, *args[1:])
        if isinstance(args[0] if args else None, str | torch.device):
            kwargs["device"], args = args[0], args[1:]
        device = kwargs.pop("device", None)
        if device is not None:
            tensor = self._moved(tensor, torch.device(device) == DEVICE)
        return tensor.to(*args, **kwargs) if args or kwargs else tensor

    def _made(self, func, args, kwargs):
        """Run an operation that says on which device to make its result."""
        there = torch.device(kwargs["device"]) == DEVICE
        kwargs["device"] = torch.device("cpu")
        if args and isinstance(args[0], Tensor):
            return self._moved(func(*args, **kwargs), there)
        with self._during(target=there):
            made = func(*args, **kwargs)
        if there:
            self._mark(made)
        return made

    def _mark(self, tensor: Tensor) -> None:
        storage = tensor.untyped_storage()
        self._marked.setdefault(storage._cdata, StorageWeakRef(storage))

    @contextmanager
    def _during(self, **state):
        before = {name: getattr(self, f"_{name}") for name in state}
        self.__dict__.update({f"_{name}": value for name, value in state.items()})
        try:
            yield
        finally:
            self.__dict__.update({f"_{name}": value for name, value in before.items()})

    def run_kernel(self, func, args, kwargs):
        """Run one kernel as a device of its own would, or refuse it as that would."""
        name = func.overloadpacket.__name__
        inputs = [leaf for leaf in _leaves((*args, *kwargs.values())) if isinstance(leaf, Tensor)]
        there = any(map(self.holds, inputs)) or (self._meant and not inputs)
        seeded = any(isinstance(each, torch.Generator) for each in (*args, *kwargs.values()))
        on_meta = any(each.device.type == "meta" for each in inputs) or kwargs.get("device") == torch.device("meta")
        if name.removesuffix("_") in _DRAWS and not seeded and not on_meta:
            raise AssertionError(f"{name} draws from a generator that all share")
        if self._target is None:
            if there:
                self._refuse(func, name, inputs, seeded)
                self.kernels += 1
        elif self._target and seeded:
            raise RuntimeError(f"{name}: expected a '{DEVICE}' device type for generator but found 'cpu'")
        out = func(*args, **kwargs)
        made = [each for each in _leaves((out,)) if isinstance(each, Tensor)]
        elsewhere = not there and self._target is None and (inputs or made)
        if elsewhere and not (seeded or self._drawing or on_meta or func is _aten.lift_fresh.default):
            self.strays.append(name)
        if there if self._target is None else self._target:
            known = {each.untyped_storage()._cdata for each in inputs}
            for each in made:
                if each.untyped_storage()._cdata not in known:
                    self._mark(each)
        return out

    def _refuse(self, func, name: str, inputs: list[Tensor], seeded: bool) -> None:
        unmarked = [each for each in inputs if each.device.type == "cpu" and each.dim() and not self.holds(each)]
        an_index = func in _INDEXING and self.holds(inputs[0])
        if unmarked and not an_index and func is not _aten.copy_.default:
            raise RuntimeError(f"{name}: expected all tensors to be on the same device, {DEVICE} and cpu found")
        if seeded:
            raise RuntimeError(f"{name}: expected a '{DEVICE}' device type for generator but found 'cpu'")
        whole = bool(inputs) and not (inputs[0].is_floating_point() or inputs[0].is_complex())
        if name in self.lacking or (name in _PRODUCTS and whole):
            raise NotImplementedError(f'"{name}" not implemented for {DEVICE}')


class _Kernels(TorchDispatchMode):
    def __init__(self, device: SimulatedDevice) -> None:
        super().__init__()
        self._device = device

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self._device.run_kernel(func, args, kwargs or {})
