"""One convention of the page of conventions: its variants, how to tell them, who follows which, and the test."""

import streamlit as st

from core.charts.small_map import AXIS, ROW, small_map
from pages.ui import prose
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels, t
from pages.ui.registry import PAGES
from pages.views import conventions as view

PAGE = "conventions"
word = Labels(PAGE)
words = word.each
SEEN_ON = {
    "bool_mask": ("worked_example", {"reading": "hide", "mask": "lower_right"}),
    "padding_mask": ("worked_example", {"padding": "1"}),
    "float_mask": ("worked_example", {}),
    "causal_corner": ("worked_example", {"mask": "upper_left"}),
    "empty_row": ("worked_example", {}),
    "rows": ("worked_example", {"drawn": "columns"}),
    "batch_first": ("worked_example", {}),
    "grouped_heads": ("heads", {"hd_look": "shared"}),
    "rope_layout": ("relative_positions", {}),
    "sine_layout": ("positions", {}),
    "sine_exponent": ("positions", {"omega": "notes"}),
    "root": ("sqrt_dk", {}),
    "norm": ("heads", {"hl_order": "pre"}),
    "flop_or_mac": ("rnn_vs_attention", {}),
    "bytes": ("cheaper_attention", {"ca_look": "cost", "ca_quantity": "cache"}),
}


def variant_name(name: str, variant: str) -> str:
    """Return what a variant is called."""
    return word(f"v_{name}_{variant}")


def said(name: str, row: view.Follower) -> str:
    """Return which variant a row follows, or that it follows none and why."""
    if row.reason:
        return word("absent", how=word(f"absent_{row.variant}"), why=word(f"why_{row.reason}"))
    return variant_name(name, row.variant)


def variants(name: str) -> list[Figure]:
    """Draw the variants side by side, in the same colours."""
    ids = view.variants(name)
    most = max(view.picture(name, each).rows for each in ids)
    of_keys = name in view.OF_KEYS
    pictures = []
    for variant, place in zip(ids, st.columns(len(ids), gap="medium"), strict=True):
        drawn, called = view.picture(name, variant), variant_name(name, variant)
        turned = (name, variant) == ("rows", "columns")
        row, column = ("key", "query") if turned else ("query", "key")
        with place:
            pictures.append(
                figure(
                    f"convention_{variant}", small_map, drawn.data,
                    title=called, description=word("alt", name=word(f"name_{name}"), variant=called),
                    values={"bound": view.bound(name), "height": AXIS + ROW * max(2, most)},
                    scale="signed" if name in view.SIGNED else "weight",
                    row_title=word(f"{row}_row" if of_keys else f"row_{name}"),
                    column_title=word(f"{column}_column" if of_keys else f"column_{name}"),
                    value_title=word("value"),
                )
            )  # fmt: skip
    return pictures


def tells(name: str) -> None:
    """Say what the numbers above are, and which answer means which variant."""
    prose.show(PAGE, name)


def followers(name: str) -> None:
    """Write who follows which variant, those that were asked here first."""
    st.subheader(word("followers"), anchor=False)
    lines = [
        "| " + " | ".join((word("call"), word("follows"), word("how_known"))) + " |",
        "|---|---|---|",
    ]
    for row in view.followers(name):
        known = f"[{word('stated')}]({row.source})" if row.source else f":green-badge[{word('asked')}]"
        lines.append(f"| `{row.call}` | {said(name, row)} | {known} |")
    with st.container(key="stacked_followers"):
        st.markdown("\n".join(lines))
    st.caption(word("asked_here", torch=view.torch_version()))


def snippet(name: str) -> None:
    """Show the test to paste and what each of its answers means."""
    st.subheader(word("test"), anchor=False)
    with st.container(key="snippets_test"):
        st.markdown(f"```python\n{view.code(name)}```")
    meanings = [word("meaning", id=variant, name=variant_name(name, variant)) for variant in view.variants(name)]
    st.markdown(word("means", meanings=word("semicolon").join(meanings)))


def seen(name: str) -> None:
    """Lead to the page where the convention can be seen at work."""
    page, link = SEEN_ON[name]
    entry = next(entry for entry in PAGES if entry.name == page)
    label = word("seen_on", page=t(f"page.{entry.name}"))
    st.page_link(entry.script, label=label, icon=entry.icon, query_params=link or None)
