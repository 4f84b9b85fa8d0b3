"""Names of queries and keys as text: parted by blanks or bars, repeated ones and any script allowed."""

import re
from collections.abc import Sequence

from core.errors import InputError
from core.matrix_text import MAX_SIDE

LONGEST = 48
_JOINER = "\u200d"  # holds the parts of one emoji together


def split(text: str) -> tuple[str, ...]:
    """Return the names in ``text``: parted by ``|`` where there is one, else by blanks.

    Raises ``InputError`` ("names", "name_length") for more than 12, or one longer than 48 characters.
    """
    parts = text.split("|") if "|" in text else re.split(r"\s+", text.strip())
    names = tuple(_clean(part) for part in parts)
    if len(names) > MAX_SIDE:
        raise InputError("names", got=len(names), limit=MAX_SIDE)
    for number, name in enumerate(names, start=1):
        if len(name) > LONGEST:
            raise InputError("name_length", number=number, got=len(name), limit=LONGEST)
    while names and not names[-1]:
        names = names[:-1]
    return names


def join(names: Sequence[str]) -> str:
    """Return names as one text that ``split`` reads back.

    >>> join(("the", "cat")), split(join(("the", "cat"))), split(join(("猫",)))
    ('the|cat', ('the', 'cat'), ('猫',))
    >>> join(("New York",)), split("New York|")
    ('New York|', ('New York',))
    """
    return "|".join(names) + ("|" if len(names) == 1 and " " in names[0] else "")


def from_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of a table as names that survive the link: cut to 24 characters, bars replaced.

    >>> from_labels(("New  York", "a|b", ""))
    ('New York', 'a/b')
    """
    names = tuple(_clean(label.replace("|", "/"))[:LONGEST].strip() for label in labels)
    while names and not names[-1]:
        names = names[:-1]
    return names


def named(names: Sequence[str], count: int, mark: str) -> tuple[str, ...]:
    """Return ``count`` names: the given ones, then the mark with its number, as ``q3``, where there is none."""
    return tuple(names[i] if i < len(names) and names[i] else f"{mark}{i + 1}" for i in range(count))


def _clean(name: str) -> str:
    return " ".join("".join(c for c in name if c.isprintable() or c == _JOINER).split())
