"""The structure of a measurement: order, fairness, stopping, what it leaves alone. Never how fast something is."""

import math
from itertools import pairwise

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from core.complexity import timing
from core.complexity.timing import (
    Case,
    Progress,
    Slope,
    fit_slope,
    measure,
    schedule,
    seconds_by_case,
    summarise,
)
from core.device import available, generator
from core.errors import InputError

DEVICES = available()


def run(**changes: object) -> list[Progress]:
    return list(measure(**{"lengths": (4, 8), "d": 8, "rounds": 3, **changes}))


@pytest.mark.parametrize("device", DEVICES)
def test_every_case_is_measured_once_a_round_after_a_warm_up(device):
    results = run(device=device, n_heads=2)
    assert [(r.round, r.case) for r in results] == schedule((4, 8), 3)
    assert [r.done for r in results] == list(range(1, len(results) + 1))
    assert {r.total for r in results} == {4 * 4}
    assert [r.warm_up for r in results] == [True] * 4 + [False] * 12
    assert all(r.seconds > 0 and r.calls >= 1 for r in results)
    setting = results[0].setting
    assert (setting.device, setting.dtype, setting.d, setting.n_heads, setting.batch) == (device, "float32", 8, 2, 1)
    assert setting.threads == torch.get_num_threads()
    assert setting.device_label and setting.torch_version == torch.__version__


def test_rounds_alternate_direction_and_interleave_the_layers():
    rounds = [[case for number, case in schedule((16, 32), 4) if number == r] for r in range(5)]
    assert rounds[1] == [Case("lstm", 16), Case("attention", 16), Case("lstm", 32), Case("attention", 32)]
    assert all(later == earlier[::-1] for earlier, later in pairwise(rounds))


def test_repeated_lengths_are_taken_once():
    assert len(run(lengths=(4, 4), rounds=1)) == 4


def test_neither_generator_state_nor_gradient_mode_leaks():
    before = torch.get_rng_state()
    for _ in measure((4,), 8, rounds=1):
        assert torch.is_grad_enabled()
        assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(before, torch.get_rng_state())


def test_it_can_be_stopped_between_slices(monkeypatch):
    timed = []
    monkeypatch.setattr(timing, "_seconds", lambda layer, x, device, calls, backward: timed.append(x.shape[1]) or 1e-3)
    slices = measure((4, 8), 8, rounds=3)
    assert timed == [], "nothing runs before the first slice is asked for"
    next(slices)
    slices.close()
    assert len(timed) == 2


def test_the_budget_ends_it_early(monkeypatch):
    monkeypatch.setattr(timing, "_seconds", lambda layer, x, device, calls, backward: 0.5)
    results = list(measure((4, 8), 8, rounds=50, budget_seconds=10))
    assert 10 <= sum(r.seconds * r.calls for r in results) + 0.5 * 4 < 11
    assert results[-1].done < results[-1].total


@pytest.mark.parametrize("device", DEVICES)
def test_the_timed_layers_compute_what_they_are_named_after(device):
    d, n_heads, n = 12, 3, 5
    x = torch.randn(1, n, d, generator=generator(1)).to(device)
    attention = timing._attention(d, n_heads, device, generator(2))
    reference = torch.nn.MultiheadAttention(d, n_heads, batch_first=True, device=device)
    weights = dict(zip(("w_in", "b_in", "w_out", "b_out"), drawn_weights(d, device), strict=True))
    with torch.no_grad():
        reference.in_proj_weight.copy_(weights["w_in"])
        reference.in_proj_bias.copy_(weights["b_in"])
        reference.out_proj.weight.copy_(weights["w_out"])
        reference.out_proj.bias.copy_(weights["b_out"])
        torch.testing.assert_close(attention(x), reference(x, x, x)[0])
        again = timing._lstm(d, device, generator(2))(x)
        torch.testing.assert_close(timing._lstm(d, device, generator(2))(x), again)
    assert again.shape == x.shape
    assert bool((again.abs() < 1).all()) and float(again.std()) > 0


def drawn_weights(d: int, device: str) -> list[torch.Tensor]:
    source = generator(2)
    return [timing._uniform(shape, d, device, source) for shape in ((3 * d, d), (3 * d,), (d, d), (d,))]


@pytest.mark.parametrize("backward", [False, True])
def test_the_kernels_are_named_as_they_run(backward):
    class Names(TorchDispatchMode):
        def __init__(self) -> None:
            super().__init__()
            self.seen: set[str] = set()

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.seen.add(func.overloadpacket.__name__)
            return func(*args, **(kwargs or {}))

    setting = next(measure((4,), 8, n_heads=2, rounds=1, backward=backward)).setting
    assert setting.backward == backward
    x = torch.ones(1, 4, 8, requires_grad=backward)
    with torch.set_grad_enabled(backward), Names() as names:
        timing._lstm(8, "cpu", generator(0))(x)
        timing._attention(8, 2, "cpu", generator(0))(x)
    assert (setting.lstm_kernel == "oneDNN") == ("mkldnn_rnn_layer" in names.seen)
    assert (setting.attention_kernel == "FLASH_ATTENTION") == (
        "_scaled_dot_product_flash_attention_for_cpu" in names.seen
    )


def test_summaries_are_of_measured_rounds_only():
    setting = run(rounds=1)[0].setting
    case, other = Case("attention", 8), Case("lstm", 8)
    results = [Progress(case, r, s, 1, 1, 9, setting) for r, s in enumerate([99.0, 3.0, 1.0, 2.0])]
    results += [Progress(other, 1, 5.0, 1, 1, 9, setting)]
    first, second = summarise(results)
    assert (first.case, first.rounds, first.spread) == (other, 1, 0)
    assert (second.minimum, second.median, second.maximum, second.rounds, second.spread) == (1, 2, 3, 3, 1)
    assert seconds_by_case(results) == {case: [3.0, 1.0, 2.0], other: [5.0]}
    assert summarise(results[:1]) == ()


@pytest.mark.parametrize("power", [1.0, 2.0, 1.5])
def test_the_slope_of_a_power_law_is_its_power(power):
    lengths = (16, 512, 64, 128, 256)
    seconds = [[3e-6 * n**power] * 4 for n in lengths]
    fitted = fit_slope(lengths, seconds)
    assert (fitted.slope, fitted.low, fitted.high) == pytest.approx((power, power, power))
    assert set(fitted.lengths) == {64, 128, 256, 512}


def test_the_slope_looks_at_the_top_octaves_and_at_the_least_of_the_rounds():
    lengths = (1, 2, 4, 64, 128)
    seconds = [[1.0], [1.0], [1.0], [64.0, 900.0, 64.0], [128.0, 128.0, 500.0]]
    assert fit_slope(lengths, seconds, octaves=1).slope == pytest.approx(1)
    assert fit_slope(lengths, seconds, octaves=9).slope != pytest.approx(1, abs=0.1)


def test_the_interval_shows_the_noise_and_a_seed_repeats_it():
    lengths, noise = (64, 128, 256, 512), generator(3)
    seconds = [(n**2 * (1 + torch.rand(9, generator=noise, dtype=torch.float64))).tolist() for n in lengths]
    fitted, again, other = (fit_slope(lengths, seconds, seed=s) for s in (0, 0, 1))
    assert isinstance(fitted, Slope) and fitted == again != other
    assert fitted.low < 2 < fitted.high
    assert fitted.high - fitted.low < 1
    narrow = fit_slope(lengths, seconds, level=0.5)
    assert fitted.low <= narrow.low <= narrow.high <= fitted.high


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("range", lambda: measure((), 8)),
        ("range", lambda: measure((0,), 8)),
        ("range", lambda: measure((4097,), 8)),
        ("range", lambda: measure((4096,), 128)),
        ("range", lambda: measure(tuple(range(1, 18)), 8)),
        ("range", lambda: measure((4,), 8, rounds=51)),
        ("range", lambda: measure((4,), 8, budget_seconds=math.inf)),
        ("divisible", lambda: measure((4,), 8, n_heads=3)),
        ("range", lambda: fit_slope((4,), [[1.0]])),
        ("range", lambda: fit_slope((4, 8), [[1.0]])),
        ("range", lambda: fit_slope((4, 8), [[1.0], []])),
        ("range", lambda: fit_slope((4, 8), [[1.0], [0.0]])),
        ("range", lambda: fit_slope((4, 4096), [[1.0], [1.0]])),
    ],
)
def test_what_lies_outside_the_bounds_is_refused_at_the_call(code, call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == code


def test_a_call_is_timed_without_gradients_and_divided_by_the_calls():
    seen = []
    seconds = timing._seconds(lambda x: seen.append(torch.is_grad_enabled()) or x, torch.ones(1), "cpu", 3, False)
    assert seen == [False] * 3
    assert 0 < seconds < 10


def test_a_call_with_its_backward_pass_leaves_gradients_of_input_and_weights(monkeypatch):
    made = []
    for name in ("_lstm", "_attention"):
        build = getattr(timing, name)
        monkeypatch.setattr(timing, name, lambda *sizes, build=build: made.append(build(*sizes)) or made[-1])
    results = list(measure((4,), 8, rounds=1, backward=True))
    assert len(results) == 4
    x = torch.ones(1, 4, 8, requires_grad=True)
    for layer in made:
        x.grad = None
        seconds = timing._seconds(layer, x, "cpu", 2, True)
        assert seconds > 0
        assert x.grad is not None and bool((x.grad != 0).any())
    weights = [cell.cell_contents for cell in made[1].__closure__ if isinstance(cell.cell_contents, torch.Tensor)]
    assert len(weights) == 4
    assert all(weight.grad is not None for weight in weights)
