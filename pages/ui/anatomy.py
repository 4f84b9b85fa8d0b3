"""The parts that every page has in the same order: question, controls, picture, arithmetic, check, code, take-away."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.claims.compare import Verdict
from core.claims.statements import CLAIMS
from pages.ui import controls, prose
from pages.ui.draw import Figure
from pages.ui.language import labels, t
from pages.ui.registry import following, script
from pages.views.stated import Row

_COLORS: dict[Verdict, str] = {
    "correct": "green",
    "rounded_correct": "green",
    "only_if": "orange",
    "imprecise": "orange",
    "wrong": "red",
    "open": "blue",
}
TERMS = {
    "worked_example": "mechanism",
    "sqrt_dk": "scaling",
    "heads": "heads",
    "scores": "mechanism",
    "positions": "positions",
    "relative_positions": "positions",
    "rnn_vs_attention": "cost",
    "cheaper_attention": "cheaper",
}
"""Under which topic the glossary has a page's terms."""
_IN_THE_LEDGER = Counter(each.page for each in CLAIMS)


@dataclass(frozen=True)
class Checked:
    """One statement of the notes beside what is computed; all texts are in the reader's language already."""

    statement: str
    notes_say: str
    computed: str
    verdict: Verdict
    condition: str = ""


def opening(page: str) -> None:
    """Write the page's question as its title and one line of why it matters."""
    st.title(t(f"{page}.question"), anchor=False)
    prose.show(page, "lead")


def chip(verdict: Verdict) -> str:
    """Return a verdict in colour and word."""
    return f":{_COLORS[verdict]}-badge[{t(f'verdict.{verdict}')}]"


def stated(page: str, rows: Sequence[Row]) -> list[Checked]:
    """Put a page's statements into the reader's words: the labels ``claim_``, ``said_``, ``computed_``, ``because_``.

    The last is for a condition or a reason, and may be missing.
    """

    def words(part: str, row: Row) -> str:
        return t(f"{page}.{part}_{row.id}", **row.values)

    known = labels()
    return [
        Checked(
            words("claim", row),
            words("said", row),
            words("computed", row),
            row.verdict,
            words("because", row) if f"{page}.because_{row.id}" in known else "",
        )
        for row in rows
    ]


def notes_say(rows: Sequence[Checked]) -> None:
    """Show under a heading what the notes say beside what is computed, with verdicts in colour and word."""
    st.subheader(t("frame.notes_say_computed"), anchor=False)
    statements(rows)
    page = controls.page()
    if page in _IN_THE_LEDGER:
        label = t("frame.in_the_ledger", count=_IN_THE_LEDGER[page])
        st.page_link(script("claims"), label=label, icon=":material/fact_check:", query_params={"cl_page": page})


def statements(rows: Sequence[Checked], key: str = "statements") -> None:
    """Show statements in a table: what the notes say, what is computed, the verdict; on a phone below each other."""
    head = "| " + " | ".join(t(f"frame.{name}") for name in ("statement", "notes_say", "computed", "verdict")) + " |"
    lines = [head, "|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row.statement} | {row.notes_say} | {row.computed} | {chip(row.verdict)} {row.condition} |")
    with st.container(key=f"stacked_{key}"):
        st.markdown("\n".join(lines))


def laboratory(key: str, words: str, experiments: Mapping[str, Callable[[], list[Figure]]]) -> list[Figure]:
    """Offer experiments below the page's own picture, and return the pictures of the chosen one.

    Only that one is computed and sent. The link holds it under ``key``; the first is the default. ``words`` is where
    its labels stand: ``laboratory`` and, for each experiment, ``lab_`` and its id.
    """
    title = t(f"{words}.laboratory")
    with st.container(key=f"laboratory_{key}"):
        st.subheader(title, anchor="laboratory")
        ids = tuple(experiments)
        names = [t(f"{words}.lab_{name}") for name in ids]
        chosen = controls.choice(key, title, ids, names, ids[0], label_visibility="collapsed")
        return experiments[chosen]()


def fold(key: str, label: str, icon: str) -> DeltaGenerator | None:
    """Return a box that opens, or None while it is closed: what is in it is made and sent only when asked for."""
    box = st.expander(label, icon=icon, key=f"fold_{key}", on_change="rerun")
    return box if box.open else None


def folded(key: str, label: str, icon: str, offer: Callable[[], None]) -> None:
    """Put what ``offer`` shows into a box that opens; nothing of it is made while it is closed."""
    if (box := fold(key, label, f":material/{icon}:")) is not None:
        with box:
            offer()


def code(listing: Callable[[], str], more: Callable[[], None] | None = None) -> None:
    """Show the PyTorch code for exactly this state, and ``more`` below it; it runs as pasted."""
    if (box := fold("code", t("frame.code"), ":material/code:")) is not None:
        with box:
            st.code(listing(), language="python")
            if more is not None:
                more()


def ending(page: str, section: str = "takeaway", /, **values: object) -> None:
    """Write the take-away in one sentence, and lead to the page's terms and to the next page."""
    st.success(prose.section(page, section, **values), icon=":material/lightbulb:")
    if page in TERMS:
        query = {"gl_topic": TERMS[page]}
        st.page_link(script("glossary"), label=t("frame.terms"), icon=":material/menu_book:", query_params=query)
    entry = following(page)
    st.page_link(entry.script, label=t("frame.next", page=t(f"page.{entry.name}")), icon=":material/arrow_forward:")
