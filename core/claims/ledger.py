"""The ledger: every checkable statement of the lecture notes, each with the function that recomputes it.

A statement is a ``Claim``; ``@claim(...)`` makes one of the small function that checks it. That function takes
nothing, draws from generators of its own, costs well under half a second on one core, and returns ``Found``: the
verdict, decided by comparing what is printed with what is computed, and the values that the words about it need.

What cannot be computed here (history, citations, folklore about hardware, results of trained models that nobody can
train on the spot) is listed with ``listed(...)``, under the verdict that its source gives.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Literal, TypeAlias, get_args

from core.claims.compare import Verdict

Value: TypeAlias = int | float | str | Fraction | tuple[int | float | str | Fraction, ...]
Kind = Literal["number", "formula", "code", "qualitative", "question", "history"]
Topic = Literal[
    "lookup", "example", "scaling", "masks", "scores", "heads", "block", "listing", "cost", "recurrence", "cheaper",
    "positions", "projection",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
TOPICS: tuple[Topic, ...] = get_args(Topic)


@dataclass(frozen=True)
class Found:
    """What a check came to: the verdict, and values by name: numbers, exact fractions, texts without words."""

    verdict: Verdict
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """One statement of the notes.

    ``id`` is notes file and number ("003-025"), ``line`` where it stands there, ``quote`` the original in short.
    ``recorded`` is the verdict it had when it was entered; a check that finds another one is a fault of ours or a
    new fact. ``page`` and ``link`` lead to the state where it can be seen and moved. ``tolerance`` says how close
    counts as equal. ``check`` is None for what is listed and not computed.
    """

    id: str
    topic: Topic
    line: str
    kind: Kind
    quote: str
    recorded: Verdict
    page: str
    link: str
    tolerance: str
    check: Callable[[], Found] | None

    @property
    def notes(self) -> str:
        """Which of the notes files it is in."""
        return self.id.partition("-")[0]

    @property
    def function(self) -> str:
        """The full name of the function that checks it, or nothing."""
        return f"{self.check.__module__}.{self.check.__name__}" if self.check is not None else ""


def claim(
    id: str,
    topic: Topic,
    line: str,
    kind: Kind,
    quote: str,
    recorded: Verdict,
    page: str,
    link: str = "",
    tolerance: str = "",
) -> Callable[[Callable[[], Found]], Claim]:
    """Make a claim of the function that checks it."""

    def decorate(check: Callable[[], Found]) -> Claim:
        return Claim(id, topic, line, kind, quote, recorded, page, link, tolerance, check)

    return decorate


def listed(id: str, topic: Topic, line: str, quote: str, recorded: Verdict, page: str, link: str = "") -> Claim:
    """Return a claim that is listed with its source and not computed."""
    return Claim(id, topic, line, "history", quote, recorded, page, link, "", None)


def gathered(modules: Iterable[ModuleType]) -> tuple[Claim, ...]:
    """Return all claims of some modules, by id; an id that stands twice raises ``ValueError``."""
    found: dict[str, Claim] = {}
    for module in modules:
        for each in vars(module).values():
            if isinstance(each, Claim):
                if each.id in found:
                    raise ValueError(f"claim {each.id} stands twice; the second in {module.__name__}")
                found[each.id] = each
    return tuple(found[id] for id in sorted(found))
