"""Conventions: their variants in numbers, what this torch answers when it is asked, and who follows which."""

from dataclasses import dataclass

import torch

from core import snippets
from core.conventions.stated import STATED
from core.conventions.variants import EXAMPLES
from pages.ui.cache import remember
from pages.views.exhibit_cells import SmallMap, of_numbers

FOLDER = "conventions"
CONVENTIONS = tuple(EXAMPLES)
SIGNED = frozenset({"rope_layout", "sine_layout", "norm", "flop_or_mac", "bytes"})
OF_KEYS = frozenset(
    {"bool_mask", "padding_mask", "float_mask", "causal_corner", "empty_row", "rows", "batch_first", "root"}
)
"""Examples whose rows are queries and whose columns are keys."""


@dataclass(frozen=True)
class Follower:
    """Who follows which variant: ``call``, ``variant``, and the ``source`` that says so ("" where torch was asked).

    Where a call follows none, ``variant`` is one of ``ABSENT`` and ``reason`` the id of why.
    """

    call: str
    variant: str
    source: str
    reason: str = ""


def variants(name: str) -> tuple[str, ...]:
    """List the variants of a convention."""
    return tuple(_examples(name))


@remember(64)
def picture(name: str, variant: str) -> SmallMap:
    """Pack one variant's numbers."""
    return of_numbers(_examples(name)[variant])


def bound(name: str) -> float:
    """Return where the colours of all variants of a convention end."""
    return max(picture(name, variant).bound for variant in variants(name))


def code(name: str) -> str:
    """Return the snippet that tells the variants apart; it runs as pasted."""
    return snippets.source(FOLDER, name)


@remember(32)
def answers(name: str) -> dict[str, str]:
    """Run the snippet here and return its answers: call → variant."""
    ran = snippets.run(code(name))
    if ran.error:
        raise RuntimeError(f"snippet {name}: {ran.error}")
    return dict(ran.values["answers"])


def followers(name: str) -> list[Follower]:
    """List who follows which variant: first what was asked here, then what is stated elsewhere."""
    asked = [Follower(call, variant, "") for call, variant in answers(name).items()]
    return asked + [Follower(row.call, row.variant, row.source, row.reason) for row in STATED[name]]


@remember(32)
def _examples(name: str) -> dict[str, torch.Tensor]:
    return dict(EXAMPLES[name]())


def torch_version() -> str:
    """Name the torch that was asked."""
    return torch.__version__.partition("+")[0]
