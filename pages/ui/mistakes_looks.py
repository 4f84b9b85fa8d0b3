"""One exhibit of the page of mistakes: both sides of it, what is checked, how to notice it, where to see it."""

from collections.abc import Sequence

import streamlit as st

from core.charts.small_map import AXIS, ROW, small_map
from core.mistakes.exhibits import BY_NAME
from pages.ui import prose
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels, t
from pages.ui.registry import PAGES
from pages.views import mistakes as view
from pages.views.mistakes import Shown

PAGE = "mistakes"
word = Labels(PAGE)
words = word.each
_HOLDS = {True: "green", False: "red"}


def listed(names: Sequence[str]) -> tuple[str, ...]:
    """Return what exhibits are called in the list: those that end in an error are marked."""
    return tuple(
        word("raises", name=shown) if BY_NAME[name].raises else shown
        for name, shown in zip(names, words("name", names), strict=True)
    )


def sides(name: str) -> list[Figure]:
    """Draw what the broken and the right snippet make, with their code and what they print below."""
    pictures = []
    with st.container(key="snippets"):
        places = st.columns(2, gap="medium")
    for which, place in zip(view.SIDES, places, strict=True):
        with place:
            shown = view.side(name, which)
            pictures.append(_picture(name, which, shown))
            st.markdown(f"```python\n{shown.code}```")
            if shown.law is not None:
                st.markdown(f"**{word('prints')}**")
                st.markdown(f"```text\n{shown.printed.rstrip()}\n```")
    return pictures


def difference(name: str) -> None:
    """Show only the lines that differ."""
    with st.container(key="snippets_difference"):
        st.markdown(f"**{word('differs')}**")
        st.markdown(f"```diff\n{view.difference(name)}\n```")


def _picture(name: str, which: str, shown: Shown) -> Figure:
    exhibit, drawn = BY_NAME[name], shown.picture
    holds = {True: "law_holds", False: "law_fails", None: "law_elsewhere"}[shown.law]
    said = {"side": word(which), "law": word(f"law_{name}"), "holds": word(holds)}
    of_weights = not drawn.words and exhibit.name in view.OF_KEYS
    return figure(
        f"mistake_{which}", small_map, drawn.data,
        title=word("see", **said), description=word("alt", name=word(f"name_{name}"), **said),
        values={"bound": drawn.bound, "height": AXIS + ROW * max(2, drawn.rows)},
        scale=exhibit.scale, row_title=word("query" if of_weights else "row"),
        column_title=word("key" if of_weights else "column"), value_title=word("value"),
    )  # fmt: skip


def checked(name: str) -> None:
    """Write the law and the way of failing as conditions, and of which side they hold."""
    exhibit = BY_NAME[name]
    shown = {which: view.side(name, which) for which in view.SIDES}
    st.subheader(word("checked"), anchor=False)
    if exhibit.needs_streamlit:
        st.markdown(word("elsewhere"))
    lines = [
        "| " + " | ".join((word("condition"), word("as_code"), word("of_sides"))) + " |",
        "|---|---|---|",
    ]
    for condition, label, results in (
        (exhibit.law, word(f"law_{name}"), [shown[which].law for which in view.SIDES]),
        (exhibit.fault, word("how_it_fails"), [shown[which].fault for which in view.SIDES]),
    ):
        chips = " ".join(f"{word(side)} {_chip(result)}" for side, result in zip(view.SIDES, results, strict=True))
        lines.append("| " + " | ".join((label, f"`{condition}`", chips)) + " |")
    with st.container(key="stacked_checks"):
        st.markdown("\n".join(lines))
    if not exhibit.needs_streamlit:
        st.caption(word("run_here", torch=view.torch_version()))


def _chip(holds: bool | None) -> str:
    if holds is None:
        return f":gray-badge[{word('in_tests')}]"
    return f":{_HOLDS[holds]}-badge[{word('yes' if holds else 'no')}]"


def explained(name: str) -> None:
    """Say how the fault is noticed and mended, and lead to the page where it can be seen."""
    exhibit = BY_NAME[name]
    st.subheader(word("notice"), anchor=False)
    prose.show(PAGE, name)
    entry = next(entry for entry in PAGES if entry.name == exhibit.page)
    st.page_link(
        entry.script,
        label=word("seen_on", page=t(f"page.{entry.name}")),
        icon=entry.icon,
        query_params=dict(exhibit.link) or None,
    )
