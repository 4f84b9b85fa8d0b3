"""Measured times of an LSTM layer and an attention layer, forward or forward and backward, a short slice at a time.

``measure`` yields after every slice, so that a page can show progress, draw what it has and stop. Both layers get the
same input, batch 1, width d, float32, without gradients or, ``backward``, with those of all weights and of the input:

    lstm        torch.nn.LSTM, one layer
    attention   W_Q, W_K, W_V with biases → F.scaled_dot_product_attention on [1, heads, n, d_head] → W_O

A slice is a few calls of one layer at one length, and its result their mean. All cases take turns within a round and
every other round runs backwards, so that a drifting clock touches all alike; a round of warm-up comes first. Times are
seconds a call, by events on CUDA and by the wall clock elsewhere: a statement about this machine, not
about arithmetic.  Axes: n = length, d = width.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend

from core import device as devices
from core.complexity.counts import require_heads
from core.complexity.modules import undrawn
from core.errors import require_range

LAYERS = ("lstm", "attention")
MAX_CASE_LENGTH = 4096
MAX_CASE_CELLS = 2**18  # length × width, so that no slice comes near a second
MAX_LENGTHS = 16
MAX_ROUNDS = 50
_SLICE_SECONDS = 0.02
_MAX_CALLS = 50


@dataclass(frozen=True)
class Case:
    """One thing that is timed: ``layer`` is "lstm" or "attention", at ``n`` tokens."""

    layer: str
    n: int


@dataclass(frozen=True, kw_only=True)
class Setting(devices.TimedOn):
    """All that a measured time depends on and a reader must know; kernels are those of the longest case."""

    batch: int
    d: int
    n_heads: int
    attention_kernel: str
    lstm_kernel: str
    backward: bool = False


@dataclass(frozen=True)
class Progress:
    """One finished slice: ``seconds`` of one call of ``case``, the mean of ``calls``, and ``done`` of ``total`` slices.

    Round 0 is the warm-up, whose seconds are no measurement.
    """

    case: Case
    round: int
    seconds: float
    calls: int
    done: int
    total: int
    setting: Setting

    @property
    def warm_up(self) -> bool:
        """Whether this slice only warmed up."""
        return self.round == 0


@dataclass(frozen=True)
class Timing:
    """Seconds a call of one case over its measured rounds; ``spread`` is (maximum − minimum)/median."""

    case: Case
    minimum: float
    median: float
    maximum: float
    rounds: int

    @property
    def spread(self) -> float:
        """Range of the rounds relative to their median, without unit."""
        return (self.maximum - self.minimum) / self.median


@dataclass(frozen=True)
class Slope:
    """Exponent b of seconds ∝ n^b, with the bootstrap interval low … high, from the lengths in ``lengths``."""

    slope: float
    low: float
    high: float
    lengths: tuple[int, ...]


def measure(
    lengths: Sequence[int],
    d: int,
    device: str = "cpu",
    n_heads: int = 1,
    rounds: int = 7,
    seed: int = 0,
    budget_seconds: float = 60.0,
    backward: bool = False,
) -> Iterator[Progress]:
    """Time an LSTM and an attention layer at every length, yielding after each slice of well under a second.

    A call is a forward pass or, with ``backward``, a forward and a backward one. lengths are in tokens, repeated ones
    taken once. Weights and inputs come from a generator with ``seed``; the global generator is not touched.
    No slice is begun once ``budget_seconds`` have been spent in slices, so the last ``done`` may be below ``total``.
    Raises, at the call and not at the first slice, InputError("range") unless there are 1 to 16 lengths within
    1 … 4096, 1 ≤ d, length·d ≤ 2¹⁸, 1 ≤ rounds ≤ 50 and 0 < budget_seconds ≤ 600, and InputError("divisible") unless
    n_heads divides d.
    Source: module docstring.
    """
    require_range("number of lengths", len(lengths), 1, MAX_LENGTHS)
    require_range("d", d, 1, MAX_CASE_CELLS)
    for n in lengths:
        require_range("length", n, 1, MAX_CASE_LENGTH)
        require_range("length × d", n * d, 1, MAX_CASE_CELLS)
    require_heads(d, n_heads)
    require_range("rounds", rounds, 1, MAX_ROUNDS)
    require_range("budget_seconds", budget_seconds, 1e-9, 600)
    return _slices(tuple(dict.fromkeys(lengths)), d, device, n_heads, rounds, seed, budget_seconds, backward)


def schedule(lengths: Sequence[int], rounds: int) -> list[tuple[int, Case]]:
    """The order of the slices as (round, case): warm-up, then all cases in turn, every other round backwards.

    Source: module docstring.
    """
    cases = [Case(layer, n) for n in lengths for layer in LAYERS]
    return [(number, case) for number in range(rounds + 1) for case in (cases[::-1] if number % 2 == 0 else cases)]


def seconds_by_case(results: Iterable[Progress]) -> dict[Case, list[float]]:
    """The measured seconds of every case, a round each, without the warm-up, in order of arrival."""
    seconds: dict[Case, list[float]] = {}
    for result in results:
        if not result.warm_up:
            seconds.setdefault(result.case, []).append(result.seconds)
    return seconds


def summarise(results: Iterable[Progress]) -> tuple[Timing, ...]:
    """Minimum, median and maximum seconds of every case measured so far, by layer and length; no warm-up.

    Source: the minimum is the time least disturbed by other work on the machine, the median the usual one.
    """
    timings = [
        Timing(case, min(rounds), statistics.median(rounds), max(rounds), len(rounds))
        for case, rounds in seconds_by_case(results).items()
    ]
    return tuple(sorted(timings, key=lambda timing: (LAYERS.index(timing.case.layer), timing.case.n)))


def fit_slope(
    lengths: Sequence[int],
    seconds: Sequence[Sequence[float]],
    octaves: int = 3,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Slope:
    """Fit log(least seconds) against log(length) over the top ``octaves`` doublings of length.

    seconds[i] holds the rounds measured at lengths[i], as ``seconds_by_case`` gives them; their unit drops out. The
    interval resamples the rounds of each length (percentile bootstrap at ``level``): it shows the noise of measuring,
    not a bend of the curve. With one round a length it has no width.
    Raises InputError("range") unless every length has a round, all are positive, and two lengths or more are fitted.
    Source: least squares; Efron 1979.
    """
    require_range("number of rows of seconds", len(seconds), len(lengths), len(lengths))
    require_range("number of lengths", len(lengths), 2, MAX_CASE_LENGTH)
    require_range("level", level, 0.5, 0.9999)
    require_range("resamples", resamples, 1, 100_000)
    floor = max(lengths) / 2**octaves
    rounds_at = {n: rounds for n, rounds in zip(lengths, seconds, strict=True) if n >= floor}
    require_range("number of lengths in the fit", len(rounds_at), 2, MAX_CASE_LENGTH)
    for n, rounds in rounds_at.items():
        require_range(f"number of rounds at length {n}", len(rounds), 1, math.inf)
        require_range(f"least seconds at length {n}", min(rounds), 1e-300, math.inf)
    logs = {n: torch.tensor(rounds, dtype=torch.float64).log() for n, rounds in rounds_at.items()}
    log_n = torch.tensor(list(logs), dtype=torch.float64).log()
    generator = devices.generator(seed)
    drawn = torch.stack([resampled_minima(values, resamples, generator) for values in logs.values()], dim=-1)
    ends = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.float64)
    low, high = _slopes(log_n, drawn).quantile(ends).tolist()
    measured = _slopes(log_n, torch.stack([values.min() for values in logs.values()]))
    return Slope(float(measured), low, high, tuple(logs))


def _slopes(log_n: Tensor, log_seconds: Tensor) -> Tensor:
    """Least-squares slopes of log_seconds [..., points] against log_n [points]."""
    centred = log_n - log_n.mean()
    return (log_seconds * centred).sum(dim=-1) / centred.square().sum()


def resampled_minima(values: Tensor, resamples: int, generator: torch.Generator) -> Tensor:
    """Least of as many values as there are, drawn with replacement, [resamples] (the bootstrap of a minimum)."""
    picked = torch.randint(len(values), (resamples, len(values)), generator=generator)
    return values[picked].amin(dim=-1)


def _slices(
    lengths: tuple[int, ...],
    d: int,
    device: str,
    n_heads: int,
    rounds: int,
    seed: int,
    budget_seconds: float,
    backward: bool,
) -> Iterator[Progress]:
    generator = devices.generator(seed)
    layers = {"lstm": _lstm(d, device, generator), "attention": _attention(d, n_heads, device, generator)}
    inputs = {n: torch.randn(1, n, d, generator=generator).to(device).requires_grad_(backward) for n in lengths}
    setting = _setting(max(lengths), d, device, n_heads, backward)
    plan, calls, spent = schedule(lengths, rounds), {}, 0.0
    for done, (number, case) in enumerate(plan, start=1):
        if spent >= budget_seconds:
            return
        if number == 0:
            once = _seconds(layers[case.layer], inputs[case.n], device, 1, backward)
            calls[case] = min(_MAX_CALLS, max(1, int(_SLICE_SECONDS / max(once, 1e-9))))
            spent += once
        seconds = _seconds(layers[case.layer], inputs[case.n], device, calls[case], backward)
        spent += seconds * calls[case]
        yield Progress(case, number, seconds, calls[case], done, len(plan), setting)


def _seconds(layer: Callable[[Tensor], Tensor], x: Tensor, device: str, calls: int, backward: bool) -> float:
    """Mean seconds of one call."""

    def work() -> None:
        with torch.set_grad_enabled(backward):
            for _ in range(calls):
                out = layer(x)
                if backward:
                    out.sum().backward()

    return devices.seconds(work, device) / calls


def _uniform(shape: tuple[int, ...], d: int, device: str, generator: torch.Generator) -> Tensor:
    """Entries uniform in ±1/√d, the default of torch's own layers."""
    return ((2 * torch.rand(shape, generator=generator) - 1) / math.sqrt(d)).to(device)


def _lstm(d: int, device: str, generator: torch.Generator) -> Callable[[Tensor], Tensor]:
    """One LSTM layer, [1, n, d] to [1, n, d]; built without drawing, because its own start draws globally."""
    module = undrawn(torch.nn.LSTM(d, d, batch_first=True, device="meta"), device)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(_uniform(tuple(parameter.shape), d, device, generator))
    module.eval()
    return lambda x: module(x)[0]


def _attention(d: int, n_heads: int, device: str, generator: torch.Generator) -> Callable[[Tensor], Tensor]:
    """One self-attention layer, [1, n, d] to [1, n, d]."""
    w_in, b_in = _uniform((3 * d, d), d, device, generator), _uniform((3 * d,), d, device, generator)
    w_out, b_out = _uniform((d, d), d, device, generator), _uniform((d,), d, device, generator)
    for weight in (w_in, b_in, w_out, b_out):
        weight.requires_grad_()

    def layer(x: Tensor) -> Tensor:
        n = x.shape[1]
        q, k, v = F.linear(x, w_in, b_in).view(1, n, 3, n_heads, d // n_heads).permute(2, 0, 3, 1, 4)
        heads = F.scaled_dot_product_attention(q, k, v)  # [1, heads, n, d_head]
        return F.linear(heads.transpose(1, 2).reshape(1, n, d), w_out, b_out)

    return layer


def _setting(n: int, d: int, device: str, n_heads: int, backward: bool) -> Setting:
    q = torch.empty(1, n_heads, n, d // n_heads, device=device, requires_grad=backward)
    kernel = SDPBackend(torch._fused_sdp_choice(q, q, q)).name
    kind = torch.device(device).type
    return Setting(
        **vars(devices.timed_on(device)),
        batch=1,
        d=d,
        n_heads=n_heads,
        attention_kernel=kernel,
        lstm_kernel=_lstm_kernel(kind),
        backward=backward,
    )


def _lstm_kernel(kind: str) -> str:
    """Name the library behind torch.nn.LSTM in float32 without gradients on this kind of device."""
    if kind == "cuda" and torch.backends.cudnn.is_available() and torch.backends.cudnn.enabled:
        return "cuDNN"
    if kind == "cpu" and torch.backends.mkldnn.is_available() and torch.backends.mkldnn.enabled:
        return "oneDNN"
    return "ATen"
