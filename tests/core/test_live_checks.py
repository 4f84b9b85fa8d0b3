"""Every check on another device than the CPU finds what it finds on the CPU, and says where it was computed.

The other device is simulated: these tests need no hardware. On the hardware that is present, ``test_claims`` runs them.
"""

import dataclasses
import threading

import pytest
import torch
from torch import Tensor, nn

from core.claims import live
from core.claims.ledger import Claim, Found, Value
from core.claims.placed import Placed
from core.claims.statements import BY_ID, CLAIMS
from core.device import generator
from tests.core.simulated_device import DEVICE, SimulatedDevice

COMPUTED = [each for each in CLAIMS if each.check is not None]
# They count and compare in Python's whole numbers, fractions and floats.
WITHOUT_TENSORS = {
    "000-014", "000-015", "000-016", "002-009", "002-012", "003-004", "003-005", "003-007", "003-011", "003-016",
    "003-019", "003-020", "003-039", "003-040", "003-041", "003-042", "003-043", "003-044", "003-045", "003-053",
    "003-080", "003-081", "003-082", "003-083", "003-084", "003-085", "003-086", "003-087", "003-088", "003-090",
    "003-091", "003-092", "003-095", "003-096", "003-097", "003-104", "003-105", "003-107", "003-111",
}  # fmt: skip
REFUSED: set[str] = set()  # no check needs what the simulated device refuses
MADE_OUTSIDE = torch.tensor([[1.0, 2.0], [3.0, 4.0]])


def plain(found: Found) -> tuple[str, dict[str, str]]:
    """Return what was found in a form in which not-a-number equals itself and all digits count."""
    return found.verdict, {name: _exact(value) for name, value in found.values.items()}


def _exact(value: Value) -> str:
    return f"({', '.join(map(_exact, value))})" if isinstance(value, tuple) else repr(value)


@pytest.fixture
def simulated():
    """A simulated device, entered."""
    with SimulatedDevice() as device:
        yield device


@pytest.mark.parametrize("each", COMPUTED, ids=lambda each: each.id)
def test_a_check_finds_on_another_device_what_it_finds_on_the_cpu(each: Claim) -> None:
    assert each.check is not None
    expected = each.check()
    with SimulatedDevice() as device:
        got = live.run(each.check, DEVICE)
    assert plain(got.found) == plain(expected)
    why = "refused" if each.id in REFUSED else "numbers" if each.id in WITHOUT_TENSORS else "asked"
    assert (got.why, got.device, got.refusal) == (why, DEVICE.type if why == "asked" else "cpu", "")
    assert (device.kernels > 0) == (why == "asked")
    assert not device.strays, "part of it was computed elsewhere than it says"


def test_most_checks_compute_with_tensors() -> None:
    assert set(BY_ID) > WITHOUT_TENSORS | REFUSED
    assert len(WITHOUT_TENSORS) < len(COMPUTED) / 4


@pytest.mark.parametrize(("id", "kernel"), [("003-025", "_softmax"), ("003-034", "tanh"), ("002-022", "bmm")])
def test_a_check_that_the_device_refuses_runs_on_the_cpu_and_is_named(id: str, kernel: str) -> None:
    check = BY_ID[id].check
    assert check is not None
    with SimulatedDevice(lacking=[kernel]) as device:
        got = live.run(check, DEVICE)
    assert (got.device, got.why) == ("cpu", "refused")
    assert got.refusal == f'NotImplementedError: "{kernel}" not implemented for {DEVICE}'
    assert device.kernels > 0
    assert plain(got.found) == plain(check())


@pytest.mark.parametrize("id", ["000-001", "003-025", "003-076"])
def test_a_device_that_holds_no_numbers_is_refusal_itself(id: str) -> None:
    check = BY_ID[id].check
    assert check is not None
    got = live.run(check, "meta")
    assert (got.device, got.why) == ("cpu", "refused")
    assert "meta" in got.refusal
    assert plain(got.found) == plain(check())


def test_what_fails_on_the_cpu_too_is_no_refusal(simulated: SimulatedDevice) -> None:
    def check() -> Found:
        raise RuntimeError("a fault of the check")

    with pytest.raises(RuntimeError, match="a fault of the check"):
        live.run(check, DEVICE)


def test_the_cpu_is_asked_for_without_a_mode() -> None:
    modes = []

    def check() -> Found:
        modes.append(torch._C._len_torch_function_stack())
        return Found("correct")

    assert dataclasses.astuple(live.run(check, "cpu"))[1:] == ("cpu", "asked", "")
    assert modes == [0]


def test_a_device_without_float64_gives_way_to_the_cpu() -> None:
    assert [live.place(name) for name in ("cuda", "mps", "cpu")] == ["cuda", "cpu", "cpu"]


def _orthogonal(source: torch.Generator) -> Tensor:
    return nn.init.orthogonal_(torch.empty(4, 4), generator=source)


DRAWS = {
    "randn": lambda source: torch.randn(3, 2, generator=source),
    "on its generator's device": lambda source: torch.rand(5, generator=source, device=source.device),
    "randperm": lambda source: torch.randperm(6, generator=source),
    "gamma": lambda source: torch._standard_gamma(torch.full((4,), 2.5), generator=source),
    "in place": lambda source: torch.empty(4).normal_(generator=source).mul_(2),
    "part of a tensor": lambda source: (made := torch.zeros(2, 3), made[1].uniform_(generator=source))[0],
    "init": _orthogonal,
    "learning": lambda source: torch.randn(3, generator=source, requires_grad=True),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_means_the_same_numbers_on_every_device(name: str, simulated: SimulatedDevice) -> None:
    expected = DRAWS[name](generator(3))
    with Placed(DEVICE) as placed:
        got = DRAWS[name](generator(3))
        assert got.device == DEVICE
        assert got.is_leaf and got.requires_grad == expected.requires_grad
        assert got.tolist() == expected.tolist()
    assert placed.used


def test_without_the_mode_a_seed_is_refused(simulated: SimulatedDevice) -> None:
    with pytest.raises(RuntimeError, match="generator"):
        torch.randn(3, generator=generator(0), device=DEVICE)
    with pytest.raises(RuntimeError, match="generator"):
        torch.zeros(3, device=DEVICE).normal_(generator=generator(0))


def test_a_tensor_made_outside_is_sent_over_when_it_meets_one_that_is_there(simulated: SimulatedDevice) -> None:
    with pytest.raises(RuntimeError, match="same device"):
        torch.ones(2, 2, device=DEVICE) @ MADE_OUTSIDE
    with Placed(DEVICE):
        product = torch.ones(2, 2) @ MADE_OUTSIDE
        joined = torch.cat([torch.ones(1, 2), MADE_OUTSIDE])
        picked = MADE_OUTSIDE[torch.tensor([1, 0])]
        filled = torch.zeros(2, 2)
        filled[:] = MADE_OUTSIDE
        assert {each.device for each in (product, joined, picked, filled)} == {DEVICE}
        assert product.tolist() == [[4, 6], [4, 6]]
        assert joined.tolist() == [[1, 1], [1, 2], [3, 4]]
        assert picked.tolist() == [[3, 4], [1, 2]]
        assert filled.tolist() == MADE_OUTSIDE.tolist()


def test_a_tensor_made_outside_is_never_written_into_a_copy(simulated: SimulatedDevice) -> None:
    for write in (lambda old, new: old.add_(new), lambda old, new: old.__iadd__(new)):
        old = torch.zeros(3)
        with Placed(DEVICE), pytest.raises(RuntimeError, match="same device"):
            write(old, torch.ones(3))


def test_the_cpu_means_the_device(simulated: SimulatedDevice) -> None:
    with Placed(DEVICE):
        made = torch.arange(4.0, device="cpu")
        for same in (made.cpu(), made.to("cpu"), made.to(torch.device("cpu")), made.to(MADE_OUTSIDE)):
            assert same is made
        assert made.to("cpu", torch.float64).dtype == torch.float64
        assert MADE_OUTSIDE.cpu().device == DEVICE
        assert torch.empty(2, device="meta").device.type == "meta"
        layer = nn.Linear(2, 2, device="meta")
        layer.weight = nn.Parameter(torch.ones(2, 2, device="cpu"))
        layer.bias = nn.Parameter(torch.zeros(2))
        layer(torch.ones(1, 2)).sum().backward()
        assert layer.weight.grad is not None
        assert layer.weight.grad.device == DEVICE


def test_numbers_can_be_read_out(simulated: SimulatedDevice) -> None:
    with pytest.raises(TypeError, match="numpy"):
        torch.ones(2, device=DEVICE).numpy()
    with Placed(DEVICE):
        made = torch.tensor([1.5, 2.5])
        assert made.numpy().tolist() == made.tolist() == [1.5, 2.5]
        assert float(made[1]) == made.max().item() == 2.5


def test_the_mode_ends_and_stays_in_its_thread(simulated: SimulatedDevice) -> None:
    elsewhere: list[str] = []
    with Placed(DEVICE):
        other = threading.Thread(target=lambda: elsewhere.append(torch.zeros(1).device.type))
        other.start()
        other.join()
        assert torch.zeros(1).device == DEVICE
    assert elsewhere == ["cpu"]
    assert torch.zeros(1).device.type == "cpu"


def test_a_check_that_makes_no_tensor_needs_no_device(simulated: SimulatedDevice) -> None:
    got = live.run(lambda: Found("correct", {"sum": 1 + 1}), DEVICE)
    assert (got.device, got.why) == ("cpu", "numbers")
    got = live.run(lambda: Found("correct", {"sum": float(torch.ones(2).sum())}), DEVICE)
    assert (got.device, got.why) == (DEVICE.type, "asked")


def test_waking_uses_the_device(simulated: SimulatedDevice) -> None:
    live.wake(DEVICE)
    assert simulated.kernels > 0


def test_whole_number_products_and_shared_generators_would_be_noticed(simulated: SimulatedDevice) -> None:
    got = live.run(lambda: Found("correct", {"n": int((torch.eye(2).long() @ torch.eye(2).long()).sum())}), DEVICE)
    assert (got.why, got.found.values) == ("refused", {"n": 2})
    with Placed(DEVICE), pytest.raises(AssertionError, match="all share"):
        torch.randn(2)
