"""Memory held at once: sizes that are known beforehand, what is freed again, and the CUDA allocator's own count."""

import pytest
import torch

from core.attention.streaming import attend_streaming
from core.complexity import cheaper_timing, peak
from core.complexity.peak import peak_bytes
from core.errors import InputError


def measurable(device) -> None:
    if device.type not in peak.MEASURABLE:
        pytest.fail(f"{device} has no count of memory and should not be offered")


@pytest.mark.parametrize("n", [64, 500, 1024])
def test_a_product_holds_its_result_and_nothing_else(device, n):
    measurable(device)
    x = torch.randn(n, 32).to(device)
    assert peak_bytes(lambda: x @ x.T, device) == pytest.approx(4 * n * n, abs=1024)


def test_what_is_given_back_is_not_held(device):
    measurable(device)

    def one_after_the_other() -> None:
        for size in (1_000_000, 2_000_000, 500_000):
            torch.empty(size, device=device)

    def at_once() -> list[torch.Tensor]:
        return [torch.empty(size, device=device) for size in (1_000_000, 2_000_000, 500_000)]

    assert peak_bytes(one_after_the_other, device) == pytest.approx(8_000_000, abs=2**21)
    assert peak_bytes(at_once, device) == pytest.approx(14_000_000, abs=2**21)


def test_what_lived_before_does_not_count(device):
    measurable(device)
    held = [torch.ones(4_000_000, device=device)]
    assert peak_bytes(held.clear, device) == 0
    assert not held


def test_plain_attention_holds_two_maps_and_streaming_far_less_than_one():
    n = 2048
    q, k, v = torch.randn(3, n, 64, generator=torch.Generator().manual_seed(0))
    one = 4 * n * n
    with torch.no_grad():
        assert peak_bytes(lambda: cheaper_timing.plain(q, k, v), "cpu") == pytest.approx(2 * one, rel=0.05)
        attend_streaming(q, k, v)
        assert peak_bytes(lambda: attend_streaming(q, k, v), "cpu") < 0.4 * one


def test_linear_memory_doubles_with_the_length_and_a_map_grows_fourfold():
    found = {n: {each.way: each.bytes for each in peak.ways("cpu", n)} for n in (1024, 2048)}
    growth = {way: found[2048][way] / found[1024][way] for way in cheaper_timing.WAYS}
    assert growth["plain"] == pytest.approx(4, rel=0.05)
    for way in ("fused", "window", "strided", "linear"):
        assert growth[way] < 3


def test_every_way_is_counted_once_in_order_and_gradients_are_as_before():
    torch.set_grad_enabled(True)
    steps = []
    for each in peak.ways("cpu", 256):
        assert torch.is_grad_enabled()
        steps.append(each)
    assert [each.way for each in steps] == list(cheaper_timing.WAYS)
    assert [each.done for each in steps] == list(range(1, len(steps) + 1))
    assert {(each.n, each.total) for each in steps} == {(256, len(steps))}


def test_on_cuda_the_allocator_s_own_peak_is_taken(monkeypatch):
    held = {"now": 1000, "most": 9999}

    def reset(device):
        held["most"] = held["now"]

    def work():
        held["most"] = held["now"] + 700
        held["now"] += 200

    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", reset)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda device: held["now"])
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: held["most"])
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: None)
    assert peak_bytes(work, "cuda") == 700


def test_refusals():
    with pytest.raises(InputError):
        peak_bytes(lambda: None, "mps")
    for n in (1, 4097):
        with pytest.raises(InputError):
            next(peak.ways("cpu", n))
