"""Where to compute: CUDA, then Apple's MPS, then the CPU, and random numbers that are the same on all of them."""

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from core.errors import require_choice, require_range

ASKABLE = ("auto", "cuda", "mps", "cpu")
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class DeviceChoice:
    """The device that will be used, and whether it is the one that was asked for.

    ``memory_bytes`` is the device's total memory in bytes, None where the system does not tell.
    """

    asked: str
    name: str
    missing: bool
    label: str
    memory_bytes: int | None


@dataclass(frozen=True, kw_only=True)
class TimedOn:
    """What measured seconds depend on whatever was timed: the device and its trade name, intra-op threads, torch."""

    device: str
    device_label: str
    threads: int
    dtype: str
    torch_version: str


def timed_on(device: str) -> TimedOn:
    """Say where and with what float32 is timed on ``device``."""
    label = choose(torch.device(device).type).label
    return TimedOn(
        device=device,
        device_label=label,
        threads=torch.get_num_threads(),
        dtype="float32",
        torch_version=torch.__version__,
    )


def available() -> tuple[str, ...]:
    """Name the kinds of device present on this machine, best first; the CPU is always the last."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return tuple(name for name, is_present in present.items() if is_present)


def choose(asked: str = "auto") -> DeviceChoice:
    """Choose the asked device, or the best one present with ``missing=True`` if it is absent.

    Raises ``InputError("choice")`` for a name that is no device.
    """
    require_choice("device", asked, ASKABLE)
    present = available()
    name = asked if asked in present else present[0]
    missing = asked not in ("auto", *present)
    return DeviceChoice(asked, name, missing, _label(name), _memory_bytes(name))


def synchronize(device: str | torch.device) -> None:
    """Wait until ``device`` has finished what was queued on it; a CPU queues nothing."""
    device = torch.device(device)
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


def seconds(work: Callable[[], object], device: str | torch.device) -> float:
    """Run ``work`` once and return the seconds that it took on ``device``, which is idle before and after.

    On CUDA between two events in its own stream, so that the time between the last kernel's end and this thread's
    noticing it is not counted; elsewhere by the wall clock.
    """
    device = torch.device(device)
    synchronize(device)
    if device.type == "cuda":
        with torch.cuda.device(device):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            work()
            end.record()
            end.synchronize()
        return float(begin.elapsed_time(end)) / 1e3  # milliseconds
    start = time.perf_counter()
    work()
    synchronize(device)
    return time.perf_counter() - start


def generator(seed: int) -> torch.Generator:
    """Make a CPU generator, so that one seed draws the same numbers whatever the device computes with.

    Raises ``InputError("range")`` for a seed below 0 or above 2⁶³ − 1.
    """
    require_range("seed", seed, 0, MAX_SEED)
    return torch.Generator(device="cpu").manual_seed(seed)


def _label(name: str) -> str:
    if name == "cuda":
        return torch.cuda.get_device_name()
    if name == "mps":
        return "Apple GPU"
    return _cpu_model() or platform.processor() or platform.machine() or "CPU"


def _cpu_model() -> str:
    """Read the processor's trade name where Linux tells it; ``platform.processor`` gives only its family there."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _memory_bytes(name: str) -> int | None:
    if name == "cuda":
        return int(torch.cuda.get_device_properties(torch.cuda.current_device()).total_memory)
    if name == "mps":
        return int(torch.mps.recommended_max_memory())
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
