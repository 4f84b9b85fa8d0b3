"""The arithmetic of the RNN page: ledgers, what is kept, long contexts, paths and stages, as tables and sums."""

from collections.abc import Sequence

import streamlit as st

from pages.ui import prose
from pages.ui.language import Labels
from pages.ui.numbers import significant, thousands
from pages.views import rnn_vs_attention as view

PAGE = "rnn_vs_attention"
word = Labels(PAGE)
words = word.each


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Write a table; all columns but the first are aligned right."""
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))


def show(params: view.Params, compared: str, shown: dict[str, str]) -> None:
    """Write the sums of one comparison; ``shown`` fills the labels."""
    {"operations": _operations, "memory": _memory, "path": _path, "steps": _steps}[compared](params, shown)


def _operations(params: view.Params, shown: dict[str, str]) -> None:
    found = view.totals(params)
    sides = st.columns(2, gap="medium")
    with sides[0]:
        _ledger(word("attention"), found.attention, found.attention_flops)
    with sides[1]:
        _ledger(shown["rival"], found.rival, found.rival_flops)
    prose.formula(view.ratio_sum(params, word("attention"), shown["rival"]))
    prose.formula(found.sums)
    if found.cross_n is None:
        st.markdown(word("negative", **shown))
    st.markdown(f"**{word('sizes')}**")
    names = {"attention": word("attention"), "rival": shown["rival"], "convolution": word("convolution_of", **shown)}
    rows = [(names[name], *map(thousands, sizes)) for name, *sizes in view.size_rows(params)]
    table((word("layer"), *(word(f"sizes_{name}") for name in ("parameters", "forward", "backward"))), rows)
    st.caption(word("sizes_how"))


def _ledger(title: str, lines: tuple[view.Line, ...], total: int) -> None:
    """Write one layer's terms; what is not counted is grey and in no sum."""
    st.markdown(f"**{title}**")
    rows = [
        tuple(
            cell if line.counted else f":gray[{cell}]"
            for cell in (word(f"term_{line.name}"), line.formula, thousands(line.size))
        )
        for line in lines
    ]
    total_row = (f"**{word('counted_sum')}**", "", f"**{thousands(total)}**")
    table((word("term"), word("formula"), word("flop")), [*rows, total_row])


def _memory(params: view.Params, shown: dict[str, str]) -> None:
    head = (word("kept"), word("formula"), word("elements"), "MiB")
    rows = [
        (word(f"kept_{name}", **shown), formula, thousands(size), significant(mib, 3))
        for name, formula, size, mib in view.kept_lines(params)
    ]
    table(head, rows)
    prose.formula(view.memory_sum(params))
    st.markdown(word("keeps_more" if view.equal_at(params, "memory", "n") is None else "keeps_less", **shown))
    st.markdown(f"**{word('long_maps', **shown)}**")
    by_head = (word("long_head", dtype=name) for name in view.LONG_DTYPES)
    by_layer = word("long_layer", dtype=view.LONG_DTYPES[-1], **shown)
    table((word("long_tokens"), word("long_elements"), *by_head, by_layer), view.long_rows(params))


def _path(params: view.Params, shown: dict[str, str]) -> None:
    names = {line: word(f"line_path_{line}", **shown) for line in view.LINES["path"]}
    prose.formula(view.path_sum(params, names))


def _steps(params: view.Params, shown: dict[str, str]) -> None:
    del shown
    rows = [(word(f"stage_{name}"), str(size)) for name, size in view.stages(params.n, params.d // params.n_heads)]
    table((word("stage"), word("depth")), rows)
