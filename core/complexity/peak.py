"""How much memory a computation holds at once, counted from what the allocator hands out and takes back.

On the CPU from the profiler's memory events, which carry a sign: their running sum begins at 0, so that what lived
before is not in it, and its largest value is the peak. On CUDA from the allocator's own peak. The process's resident
memory says less: it also holds what the allocator keeps for later, and never falls.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from core import device as devices
from core.complexity import cheaper_timing
from core.errors import require_choice, require_range

MEASURABLE = ("cpu", "cuda")
MAX_LENGTH = 4096


@dataclass(frozen=True)
class Peak:
    """The most bytes that ``way`` held at once at length ``n`` beyond its inputs, its output included."""

    way: str
    n: int
    bytes: int
    done: int
    total: int


def peak_bytes(work: Callable[[], object], device: str | torch.device) -> int:
    """Run ``work`` and return the most bytes of tensors that it held at once beyond those that lived before.

    One at a time in a process: the CPU's profiler is shared. Raises ``InputError("choice")`` for a device that has no
    such count.
    Source: module docstring.
    """
    kind = torch.device(device).type
    require_choice("device", kind, MEASURABLE)
    if kind == "cuda":
        devices.synchronize(device)
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        work()
        devices.synchronize(device)
        return int(torch.cuda.max_memory_allocated(device)) - before
    cpu = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=cpu, profile_memory=True) as profiled:
        kept = work()
    del kept
    recorded = profiled.profiler
    assert recorded is not None and recorded.kineto_results is not None
    changes = [
        (each.start_ns(), each.nbytes()) for each in recorded.kineto_results.events() if each.name() == "[memory]"
    ]
    held = most = 0
    for _, change in sorted(changes, key=lambda change: change[0]):
        held += change
        most = max(most, held)
    return most


def ways(device: str, n: int, seed: int = 0) -> Iterator[Peak]:
    """Yield the peak of every way to attend that ``cheaper_timing`` times, at length ``n``, each after one call before.

    Raises ``InputError("range")`` unless 2 ≤ n ≤ 4096, and as ``peak_bytes``, at the first step.
    """
    require_range("n", n, 2, MAX_LENGTH)
    inputs = torch.randn(3, n, cheaper_timing.WIDTH, generator=devices.generator(seed)).to(device)
    found = cheaper_timing.calls(inputs)
    for done, (way, call) in enumerate(found.items(), start=1):
        with torch.no_grad():
            call()  # what is made once and kept is no part of a call
            most = peak_bytes(call, device)
        yield Peak(way, n, most, done, len(found))
