"""Measured forward times of ways to attend, one short slice at a time, on one head of float32 without gradients.

    plain      scores, softmax, sums, all n² weights formed
    fused      F.scaled_dot_product_attention on [1, 1, n, d_k]
    streaming  output, pooled map and entropy in O(n) memory
    window     each query beside the keys at most 64 positions away
    strided    near keys and every √n-th one, causal
    linear     the kernel elu + 1, both directions

and on CUDA beside them

    half          the fused call in bfloat16, because torch's flash kernel takes no float32 there
    flex_window   the window by FlexAttention, compiled
    flex_strided  the strided pattern by FlexAttention, compiled

What can be made before the first call is not timed: inputs in bfloat16, block masks, kernels that are compiled (for
FlexAttention seconds a kernel, before its first slice and outside the budget).
``measure`` yields after every slice, which is one call, so that a page can show progress and stop. All cases take turns
within a round, every other round backwards; the first round is warm-up. Seconds are those of events on CUDA
and of the wall clock elsewhere.
"""

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend

from core import device as devices
from core.attention import flex
from core.attention.linear import linear_attention
from core.attention.streaming import attend_streaming
from core.attention.windowed import attend_strided, attend_windowed
from core.errors import require_range

WAYS = ("plain", "fused", "streaming", "window", "strided", "linear")
CUDA_WAYS = ("half", "flex_window", "flex_strided")
KNOWN = (*WAYS, *CUDA_WAYS)
LENGTHS = (256, 512, 1024, 2048, 4096)
RADIUS = 64
_MOST_PLAIN = 2048  # beyond it one call of the plain way takes more than a slice may
WIDTH = 64

Way = Callable[[Tensor, Tensor, Tensor], object]


@dataclass(frozen=True, kw_only=True)
class Setting(devices.TimedOn):
    """All that a measured time depends on and a reader must know; ``kernels`` are pairs of a way and its kernel."""

    d: int
    radius: int
    kernels: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Slice:
    """One timed call: ``seconds`` of ``way`` at ``n``, in round ``round`` (0 is warm-up), ``done`` of ``total``."""

    way: str
    n: int
    round: int
    seconds: float
    done: int
    total: int
    setting: Setting


@dataclass(frozen=True)
class Timing:
    """Least and median seconds of one way at one length over the measured rounds."""

    way: str
    n: int
    least: float
    median: float
    rounds: int


def plain(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attend by forming every weight: q, k, v [n, d] → [n, d]."""
    return torch.softmax(q @ k.T / math.sqrt(q.shape[-1]), -1) @ v


def ways() -> dict[str, Way]:
    """Return what is timed, by name."""
    return {
        "plain": plain,
        "fused": lambda q, k, v: F.scaled_dot_product_attention(q[None, None], k[None, None], v[None, None]),
        "streaming": attend_streaming,
        "window": lambda q, k, v: attend_windowed(q, k, v, RADIUS),
        "strided": attend_strided,
        "linear": linear_attention,
    }


def offered(device: str) -> tuple[str, ...]:
    """Name the ways that may be timed on this kind of device, in order; a device need not be there."""
    return KNOWN if torch.device(device).type == "cuda" else WAYS


def setting(device: str) -> Setting:
    """Say what is timed on: the device, and the kernel behind every way ("ATen": operators one after the other)."""
    q = torch.empty(1, 1, LENGTHS[0], WIDTH, device=device)
    kernels = dict.fromkeys(WAYS, "ATen") | {"fused": _fused_kernel(q)}
    if torch.device(device).type == "cuda":
        kernels |= {"half": f"{_fused_kernel(q.bfloat16())}, bfloat16"}
        kernels |= dict.fromkeys(_flex_ways(), "FlexAttention, torch.compile")
    return Setting(**vars(devices.timed_on(device)), d=WIDTH, radius=RADIUS, kernels=tuple(kernels.items()))


def _fused_kernel(q: Tensor) -> str:
    return SDPBackend(torch._fused_sdp_choice(q, q, q)).name


def _flex_ways() -> tuple[str, ...]:
    return CUDA_WAYS[1:] if flex.has_compiler() else ()


def cuda_ways(inputs: Tensor) -> dict[str, Callable[[], object]]:
    """Return what is timed on CUDA beside the rest, on inputs [3, n, d], with all that is made once made.

    Block masks are made here; the kernels of FlexAttention by the first call, where there is a compiler.
    """
    q, k, v = inputs
    n = q.shape[0]
    near = flex.blocked(flex.window(RADIUS), n, n, q.device)
    far = flex.blocked(flex.both(flex.strided(round(math.sqrt(n))), flex.causal()), n, n, q.device)
    halves = inputs.bfloat16()[:, None, None]
    found = {
        "half": lambda: F.scaled_dot_product_attention(*halves),
        "flex_window": lambda: flex.attend_flex(q, k, v, near),
        "flex_strided": lambda: flex.attend_flex(q, k, v, far),
    }
    return {name: found[name] for name in ("half", *_flex_ways())}


def calls(inputs: Tensor) -> dict[str, Callable[[], object]]:
    """Return everything that is timed on the device of inputs [3, n, d], by name, ready to be called."""
    q, k, v = inputs
    found: dict[str, Callable[[], object]] = {name: partial(way, q, k, v) for name, way in ways().items()}
    return found | (cuda_ways(inputs) if q.device.type == "cuda" else {})


def measure(
    device: str = "cpu", rounds: int = 7, seed: int = 0, budget_seconds: float = 10.0, longest: int = LENGTHS[-1]
) -> Iterator[Slice]:
    """Time every way at every length up to ``longest``; no slice is begun once the budget is spent.

    Inputs come from a CPU generator with ``seed``. Raises ``InputError("range")`` at the first slice.
    Source: module docstring.
    """
    require_range("rounds", rounds, 1, 50)
    require_range("budget_seconds", budget_seconds, 1e-9, 600)
    require_range("longest", longest, LENGTHS[0], LENGTHS[-1])
    generator = devices.generator(seed)
    lengths = [n for n in LENGTHS if n <= longest]
    inputs = {n: torch.randn(3, n, WIDTH, generator=generator).to(device) for n in lengths}
    found, spent, known = {n: calls(each) for n, each in inputs.items()}, 0.0, setting(device)
    cases = [(way, n) for n in lengths for way in found[n] if way != "plain" or n <= _MOST_PLAIN]
    plan = [(number, case) for number in range(rounds + 1) for case in (cases[::-1] if number % 2 else cases)]
    for done, (number, (way, n)) in enumerate(plan, start=1):
        if spent >= budget_seconds:
            return
        if way in CUDA_WAYS and not number:
            _seconds(found[n][way], device)  # compiles
        seconds = _seconds(found[n][way], device)
        spent += seconds
        yield Slice(way, n, number, seconds, done, len(plan), known)


def summarise(slices: Sequence[Slice]) -> tuple[Timing, ...]:
    """Return least and median of every case measured so far, by way and length; no warm-up."""
    seconds: dict[tuple[str, int], list[float]] = {}
    for each in slices:
        if each.round:
            seconds.setdefault((each.way, each.n), []).append(each.seconds)
    timings = [Timing(*case, min(values), statistics.median(values), len(values)) for case, values in seconds.items()]
    return tuple(sorted(timings, key=lambda timing: (KNOWN.index(timing.way), timing.n)))


@torch.no_grad()
def _seconds(call: Callable[[], object], device: str) -> float:
    return devices.seconds(call, device)
