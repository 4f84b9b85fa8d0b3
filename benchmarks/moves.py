"""Series of moves of one control: to and fro among states seen before, and states never seen."""

import random
from dataclasses import dataclass

from benchmarks.client import Session
from benchmarks.widgets import Value, Widget

KNOWN_STATES = 3
_TRIES = 30

Move = tuple[str, Value]
State = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Step:
    """A measured move after unmeasured ones; ``afresh`` opens the page anew before them."""

    move: Move
    before: tuple[Move, ...] = ()
    afresh: bool = False
    measured: bool = True


@dataclass(frozen=True)
class Control:
    """A control and the moves from the page's first state after which it is there."""

    name: str
    kind: str
    way: tuple[Move, ...] = ()


async def all_controls(session: Session) -> list[Control]:
    """Return every control of a page: those of its first state, and those that one move from there brings out."""
    await session.visit()
    found = {widget.name: Control(widget.name, widget.kind) for widget in session.controls()}
    firsts = session.controls(sidebar=False)
    for first in firsts:
        if first.kind not in {"group", "toggle", "button"}:
            continue
        for value in first.values or (None,):
            await session.move(first.name, value)
            tables = {control.kind for control in found.values()} & {"editor"}
            for widget in session.controls(editors=not tables):
                found.setdefault(widget.name, Control(widget.name, widget.kind, ((first.name, value),)))
        if not first.is_button:
            await session.move(first.name, first.value)
    return list(found.values())


class Planner:
    """Makes a series of steps for one control while walking through them itself in ``session``."""

    def __init__(self, session: Session, control: Control, rng: random.Random) -> None:
        self._session, self._control, self._rng = session, control, rng
        self._seen: set[State] = set()

    async def cached(self, n: int) -> list[Step]:
        """Return ``n`` measured moves among a few states, each visited before."""
        widget = self._session.control(self._control.name)
        if widget.is_button:
            return [Step((widget.name, None), afresh=True, measured=i > 0) for i in range(n + 1)]
        others = [value for value in widget.values if value != widget.value]
        values = [widget.value, *self._rng.sample(others, min(len(others), KNOWN_STATES - 1))]
        warming = 2 * len(values) - 1
        return [Step((widget.name, values[(i + 1) % len(values)]), measured=i >= warming) for i in range(warming + n)]

    async def new(self, n: int) -> list[Step]:
        """Return up to ``n`` measured moves into states that were not seen before; each is made here as well."""
        steps: list[Step] = []
        for _ in range(n):
            step = await self._unseen()
            if step is None:
                break
            steps.append(step)
        return steps

    async def _unseen(self) -> Step | None:
        before: list[Move] = []
        for _ in range(_TRIES):
            before += await self._stir()
            widget = self._find()
            if widget is None:
                return None
            self._seen.add(self._state())
            others = [value for value in widget.values if value != widget.value]
            value = self._rng.choice(others) if others else None
            if not widget.disabled and (widget.is_button or self._state_with(widget, value) not in self._seen):
                await self._session.move(widget.name, value)
                self._seen.add(self._state())
                return Step((widget.name, value), tuple(before))
        return None

    def _find(self) -> Widget | None:
        return next((widget for widget in self._session.widgets.values() if widget.name == self._control.name), None)

    async def _stir(self) -> list[Move]:
        """Move another number of the page, so that even a switch comes to states that nobody has seen."""
        numbers = [
            widget
            for widget in self._session.controls(sidebar=False)
            if (widget.is_number or widget.kind == "editor") and widget.name != self._control.name
        ]
        if not numbers:
            return []
        widget = self._rng.choice(numbers)
        move = (widget.name, self._rng.choice([value for value in widget.values if value != widget.value]))
        await self._session.move(*move)
        return [move]

    def _state(self) -> State:
        settings = {widget.name: widget.value for widget in self._session.widgets.values() if not widget.is_button}
        return tuple(sorted(settings.items()))

    def _state_with(self, widget: Widget, value: Value) -> State:
        return tuple(sorted({**dict(self._state()), widget.name: value}.items()))
