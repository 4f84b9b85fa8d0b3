"""Choosing a device on machines that have it and on machines that do not."""

import contextlib
import time

import pytest
import torch

from core import device as devices
from core.errors import InputError


@pytest.fixture
def machine(monkeypatch):
    """Pretend which accelerators are present, and answer for the drivers of those that are not."""

    def pretend(*, cuda, mps):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
        monkeypatch.setattr(devices, "_label", lambda name: f"a {name}")
        monkeypatch.setattr(devices, "_memory_bytes", lambda name: None)

    return pretend


@pytest.mark.parametrize(
    ("cuda", "mps", "order"),
    [
        (True, False, ("cuda", "cpu")),
        (False, True, ("mps", "cpu")),
        (True, True, ("cuda", "mps", "cpu")),
        (False, False, ("cpu",)),
    ],
)
def test_the_best_present_device_comes_first_and_auto_takes_it(machine, cuda, mps, order):
    machine(cuda=cuda, mps=mps)
    assert devices.available() == order
    choice = devices.choose()
    assert (choice.asked, choice.name, choice.missing, choice.label) == ("auto", order[0], False, f"a {order[0]}")
    for asked in ("cuda", "mps", "cpu"):
        choice = devices.choose(asked)
        assert choice.asked == asked
        assert choice.missing == (asked not in order)
        assert choice.name == (asked if asked in order else order[0])


@pytest.mark.parametrize("asked", ["gpu", "cuda:1", "", "CPU"])
def test_an_unknown_name_is_refused(asked):
    with pytest.raises(InputError) as refusal:
        devices.choose(asked)
    assert refusal.value.code == "choice"


def test_a_present_device_has_a_name_and_memory_and_computes(device):
    choice = devices.choose(device.type)
    assert choice.name == device.type and not choice.missing
    assert choice.label.strip()
    assert choice.memory_bytes is None or choice.memory_bytes > 2**27
    result = torch.ones(3, device=choice.name).sum()
    devices.synchronize(choice.name)
    devices.synchronize(device)
    assert result.item() == 3


def test_a_machine_that_tells_nothing_of_itself_still_has_a_label(monkeypatch):
    monkeypatch.setattr(devices.Path, "read_text", lambda *_, **__: (_ for _ in ()).throw(OSError()))
    monkeypatch.setattr(devices.platform, "processor", lambda: "")
    monkeypatch.setattr(devices.platform, "machine", lambda: "")
    monkeypatch.delattr(devices.os, "sysconf")
    choice = devices.choose("cpu")
    assert choice.label == "CPU"
    assert choice.memory_bytes is None


def test_one_seed_draws_the_same_numbers_and_leaves_the_global_generator_alone():
    before = torch.get_rng_state()
    drawn = [torch.randn(4, generator=devices.generator(42)) for _ in range(2)]
    assert torch.equal(*drawn)
    assert not torch.equal(drawn[0], torch.randn(4, generator=devices.generator(43)))
    assert torch.equal(torch.get_rng_state(), before)
    assert devices.generator(0).device.type == "cpu"
    for seed in (-1, 2**63):
        with pytest.raises(InputError, match="seed"):
            devices.generator(seed)


def test_a_time_is_of_the_work_alone_and_never_less_than_it_took(device):
    assert devices.seconds(lambda: None, device) >= 0
    if device.type == "cpu":
        assert devices.seconds(lambda: time.sleep(0.02), device) >= 0.02


def test_on_cuda_a_time_is_between_two_events_around_the_work(monkeypatch):
    told = []

    class Event:
        def __init__(self, enable_timing):
            assert enable_timing
            self.at = None

        def record(self):
            self.at = len(told)
            told.append("recorded")

        def synchronize(self):
            told.append("waited")

        def elapsed_time(self, end):
            assert told[self.at : end.at + 1] == ["recorded", "worked", "recorded"]
            return 1500.0

    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: told.append("idle"))
    monkeypatch.setattr(torch.cuda, "device", lambda device: contextlib.nullcontext())
    assert devices.seconds(lambda: told.append("worked"), "cuda") == 1.5
    assert told == ["idle", "recorded", "worked", "recorded", "waited"]
