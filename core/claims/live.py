"""A check run live on a device, with the place where it really was computed and why it was there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch

from core.claims.ledger import Found
from core.claims.placed import Placed

Why = Literal["asked", "numbers", "refused"]


@dataclass(frozen=True)
class Ran:
    """What a check found, and on which kind of ``device`` ("cuda", "cpu").

    ``why`` it was there: "asked", it was asked for; "numbers", the check makes no tensor, only Python's own numbers;
    "refused", the device asked for could not do an operation, which torch said in ``refusal``, and the CPU did it all.
    """

    found: Found
    device: str
    why: Why
    refusal: str = ""


def place(device: str) -> str:
    """Return where checks run if ``device`` is chosen: there, or on the CPU if it computes no float64."""
    return "cpu" if device == "mps" else device


def run(check: Callable[[], Found], device: torch.device | str) -> Ran:
    """Run a check on ``device``, and anew on the CPU if the device refuses; what the CPU raises is raised."""
    kind = torch.device(device).type
    if kind == "cpu":
        return Ran(check(), kind, "asked")
    try:
        with Placed(device) as placed:
            found = check()
    except (RuntimeError, TypeError) as error:  # which of the two depends on the operation
        return Ran(check(), "cpu", "refused", f"{type(error).__name__}: {error}".partition("\n")[0])
    return Ran(found, kind, "asked") if placed.used else Ran(found, "cpu", "numbers")


def wake(device: torch.device | str) -> None:
    """Make the device compute once, so that no check is charged for starting its driver."""
    torch.zeros(1, device=device).sum().item()
