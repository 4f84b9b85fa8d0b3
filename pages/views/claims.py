"""The ledger as the page shows it: which statements a filter leaves, what a check came to, how all of them fared."""

import inspect
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from core.charts.ledger import VERDICTS
from core.claims import live
from core.claims.ledger import TOPICS, Claim, Found, Value
from core.claims.statements import BY_ID, CLAIMS
from pages.ui.cache import remember
from pages.ui.draw import arrow, by_column
from pages.ui.numbers import significant, thousands

NOTES = ("003", "002", "000")
PAGES = tuple(dict.fromkeys(each.page for each in CLAIMS))
ALL = "all"
DIGITS = 4


@dataclass(frozen=True)
class Filter:
    """What is to be shown: a topic, a verdict, a notes file, a page, or ``ALL`` of each."""

    topic: str
    verdict: str
    notes: str
    page: str


@dataclass(frozen=True)
class Checked:
    """One check run: which statement, what was found and where, and the seconds that it took in all."""

    id: str
    ran: live.Ran
    seconds: float


def left(chosen: Filter) -> tuple[Claim, ...]:
    """Return the statements that a filter leaves, in the order of the notes."""
    return tuple(
        each
        for each in CLAIMS
        if chosen.topic in (ALL, each.topic)
        and chosen.verdict in (ALL, each.recorded)
        and chosen.notes in (ALL, each.notes)
        and chosen.page in (ALL, each.page)
    )


@remember(32)
def bars(ids: tuple[str, ...]) -> Mapping[str, bytes]:
    """Return how many of these statements have which verdict, topic by topic."""
    count: Counter[tuple[str, str]] = Counter((BY_ID[id].topic, BY_ID[id].recorded) for id in ids)
    rows = []
    for topic in TOPICS:
        end = 0
        for verdict in VERDICTS:
            start, end = end, end + count[topic, verdict]
            if end > start:
                rows.append({"topic": topic, "verdict": verdict, "count": end - start, "start": start, "end": end})
    return {"counts": arrow(by_column(rows))}


@remember(len(CLAIMS))
def found(id: str) -> Found | None:
    """Run a statement's check once for all visitors; None: it is listed and not computed."""
    check = BY_ID[id].check
    return None if check is None else check()


def said(value: Value) -> str:
    """Return a value as a reader sees it: whole numbers in full, others to four digits, fractions as they are."""
    if isinstance(value, tuple):
        return ", ".join(said(each) for each in value)
    if isinstance(value, str):
        return value
    if isinstance(value, Fraction):
        return thousands(int(value)) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, int) or (abs(value) < 1e6 and (value == int(value) or abs(value) >= 1000)):
        return thousands(value).replace("-", "−")
    return significant(value, DIGITS)


def words(got: Found) -> dict[str, str]:
    """Return the values of a check for the placeholders of its words."""
    return {name: said(value) for name, value in got.values.items()}


def source(each: Claim) -> str:
    """Return the code of the function that checks a statement."""
    return "" if each.check is None else inspect.getsource(each.check)


def checks(device: str) -> Iterator[Checked]:
    """Run every check anew on a device, one a step."""
    live.wake(device)
    for each in CLAIMS:
        if each.check is not None:
            before = time.perf_counter()
            ran = live.run(each.check, device)
            yield Checked(each.id, ran, time.perf_counter() - before)


def share_done(last: Checked) -> float:
    """Return how much of the ledger has been checked once ``last`` is."""
    ids = [each.id for each in CLAIMS if each.check is not None]
    return (ids.index(last.id) + 1) / len(ids)
