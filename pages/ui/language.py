"""Which language this visitor reads, and every short string in it.

The language lives in the session and in ``?lang=``; nothing cached depends on it but labels.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

import streamlit as st

from core.errors import InputError

TEXT = Path(__file__).resolve().parent.parent / "text"
LANGUAGES = {"en": "English", "zh": "简体中文"}
_MARKS = re.compile(r"([\\`*_\[\]<>$:!~|#&])")
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_JOINER = "\u2060"  # has no width, and no address goes on behind it
_PLACEHOLDER = re.compile(r"@\{(\w+)\}")
_settled: ContextVar[str | None] = ContextVar("language", default=None)


def from_browser(locale: str | None) -> str:
    """Return the language that fits the browser's locale best."""
    return "zh" if (locale or "").lower().startswith("zh") else "en"


def settle(language: str | None) -> None:
    """Keep the language for the run under way; None: ask the session, which is slow for something every label asks."""
    _settled.set(language)


def current() -> str:
    """Return this visitor's language; the browser's until a choice is made."""
    chosen = _settled.get() or st.session_state.get("lang")
    return chosen if chosen in LANGUAGES else from_browser(st.context.locale)


def fill(template: str, values: Mapping[str, object]) -> str:
    """Replace every ``@{name}`` by its value; a name without a value raises ``KeyError``."""
    return _PLACEHOLDER.sub(lambda match: str(values[match[1]]), template)


@lru_cache(maxsize=1)
def labels() -> dict[str, dict[str, str]]:
    """Return every label as ``{"table.name": {"en": ..., "zh": ...}}``, gathered from ``labels.toml`` files."""
    gathered: dict[str, dict[str, str]] = {}
    for file in sorted(TEXT.glob("*labels.toml")):
        for table, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for name, words in entries.items():
                key = f"{table}.{name}"
                if key in gathered:
                    raise ValueError(f"label {key} stands twice; the second in {file.name}")
                gathered[key] = words
    return gathered


def t(key: str, /, **values: object) -> str:
    """Return the label ``key`` in this visitor's language, with its placeholders filled; a missing key raises."""
    return fill(labels()[key][current()], values)


class Labels:
    """The labels of one table: ``word("name")`` is one of them, ``word.each("prefix", ids)`` are several."""

    def __init__(self, table: str) -> None:
        self._table = table

    def __call__(self, name: str, /, **values: object) -> str:
        """Return the label ``name`` as ``t`` does."""
        return t(f"{self._table}.{name}", **values)

    def each(self, prefix: str, ids: Iterable[str], **values: object) -> tuple[str, ...]:
        """Return the labels ``prefix_id`` of ids, in their order."""
        return tuple(self(f"{prefix}_{name}", **values) for name in ids)


def harmless(value: object, longest: int = 60) -> str:
    """Return somebody's text so that Markdown shows it as it is: unprintable characters dropped, marks escaped, cut.

    Markdown also makes links of bare addresses, marks or no marks: those are broken where nobody sees it.
    """
    text = "".join(character for character in str(value)[: longest + 1] if character.isprintable())
    return _MARKS.sub(r"\\\1", _ADDRESS.sub(_JOINER, text[:longest])) + ("…" if len(text) > longest else "")


def sentence(error: InputError) -> str:
    """Return a refusal as one sentence in this visitor's language."""
    return t(f"error.{error.code}", **{name: harmless(value) for name, value in error.values.items()})
