"""The exhibits of faults: what their snippets print, leave behind and look like; each is run once and remembered."""

from dataclasses import dataclass
from difflib import ndiff
from typing import Any

import torch

from core import snippets
from core.mistakes.exhibit import TOPICS, Exhibit
from core.mistakes.exhibits import BY_NAME, EXHIBITS
from pages.ui.cache import remember
from pages.views.exhibit_cells import SmallMap, of_numbers, of_words

FOLDER = "mistakes"
ALL = "all"
CHOICES = (ALL, *TOPICS)
SIDES = ("broken", "right")
_NO_MAP = frozenset({"rope_width", "alibi_slopes", "mean_of_heads", "zero_times_log"})
OF_KEYS = frozenset(each.name for each in EXHIBITS if each.scale == "weight" and each.name not in _NO_MAP)
"""Exhibits whose numbers are weights: rows are queries and columns keys."""


@dataclass(frozen=True)
class Shown:
    """One side of an exhibit: its ``code``, what it ``printed`` (with the error, if it ends in one), its picture,
    whether the ``law`` and the ``fault`` hold of it (None where it was not run here)."""

    code: str
    printed: str
    picture: SmallMap
    law: bool | None
    fault: bool | None


def names(topic: str) -> tuple[str, ...]:
    """List the exhibits of a topic, or all."""
    return tuple(exhibit.name for exhibit in EXHIBITS if topic in (ALL, exhibit.topic))


@remember(128)
def side(name: str, which: str) -> Shown:
    """Run one side of an exhibit; an app of Streamlit is shown and not run."""
    exhibit = BY_NAME[name]
    code = snippets.source(FOLDER, f"{name}_{which}")
    if exhibit.needs_streamlit:
        return Shown(code, "", of_words(["AppTest"]), None, None)
    ran = snippets.run(code)
    printed = ran.printed + ran.error
    return Shown(code, printed, _picture(exhibit, ran), ran.holds(exhibit.law), ran.holds(exhibit.fault))


def difference(name: str) -> str:
    """List the lines in which the right snippet differs from the broken one, marked − and + at their beginning."""
    broken, right = (snippets.source(FOLDER, f"{name}_{which}").splitlines() for which in SIDES)
    return "\n".join(line for line in ndiff(broken, right) if line[:1] in "-+" and line[2:].strip())


def listing(name: str) -> str:
    """Return the right snippet with the law as its last line; it runs as pasted."""
    exhibit = BY_NAME[name]
    code = snippets.source(FOLDER, f"{name}_right")
    if exhibit.needs_streamlit:
        return code
    needed = "import torch\n" if "torch" in exhibit.law and "import torch" not in code else ""
    return f"{needed}{code}\nassert {exhibit.law}\n"


def _picture(exhibit: Exhibit, ran: snippets.Ran) -> SmallMap:
    """Draw what the exhibit shows; where the snippet never came to it, the name of its error."""
    if exhibit.shows not in ran.values:
        return of_words([ran.error.partition(":")[0]], broken=True)
    value = ran.values[exhibit.shows]
    words = _words(value)
    return of_numbers(value) if words is None else of_words(words)


def _words(value: Any) -> list[str] | None:
    """The value as words, one a row, or None where it is numbers."""
    if isinstance(value, dict):
        return [str(name) for name in value]
    rows = value if isinstance(value, list) else []
    if any(isinstance(row, str) for row in rows):
        return rows
    if any(isinstance(cell, str) for row in rows if isinstance(row, list) for cell in row):
        return [" | ".join(map(str, row)) for row in rows]
    return None


def torch_version() -> str:
    """Name the torch that ran the snippets."""
    return torch.__version__.partition("+")[0]
