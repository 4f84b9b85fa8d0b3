"""The first looks of the page on heads: maps, shapes and parameters; each draws, and writes its own arithmetic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from core.attention.heads import head_map, head_width
from core.charts import heads as charts
from core.charts.head_maps import Words, head_maps, values
from core.charts.plan import plan, sizes
from core.errors import InputError
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels, current, harmless, sentence
from pages.ui.numbers import fixed, thousands
from pages.views import heads as view
from pages.views import heads_code as code
from pages.views import heads_parameters as counting
from pages.views import heads_shapes as drawing
from pages.views import heads_sums as sums
from pages.views.heads import Pair, Params, Read
from pages.views.heads_parameters import Counted

PAGE = "heads"
word = Labels(PAGE)
words = word.each
HEIGHT = 300


@dataclass(frozen=True)
class Look:
    """What one look of the page made: its figures, and the code for exactly its state."""

    figures: list[Figure]
    code: Callable[[], str]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table; all columns but the first are aligned right."""
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))


def glossed() -> bool:
    """Say whether the reader needs the Chinese words' meaning."""
    return current() == "en"


def map_words(weight: str) -> Words:
    """Return the words of a picture of maps; ``weight`` names the colours."""
    return Words(word("query"), word("key"), weight, word("hidden"), word("map"))


def maps(params: Params, stretch: bool) -> Look:
    """Draw the map of every head, and the mean of all if it is asked for; read each."""
    seen, n = view.seen(params), len(view.tokens(params.text))
    picture = st.container()
    with_mean = params.n_heads > 1 and controls.switch("hd_mean", word("mean"), help=word("mean_help"))
    reads = (*seen.heads, seen.mean) if with_mean else seen.heads
    titles = [word("head", number=number) for number in range(params.n_heads)]
    if params.share > 1:
        shared = head_map(params.n_heads, params.kv_heads)
        titles = [f"{title} · {word('kv', number=kv)}" for title, kv in zip(titles, shared, strict=True)]
    titles += [word("mean_map")] * with_mean
    notes = [f"H {fixed(read.share, 2)} · {word('apart')} {fixed(read.distance, 1)}" for read in reads]
    bound = view.largest(params) if stretch else 1.0
    given = {"h": params.n_heads, "d_head": params.d_head, "scale": f"{params.scale:.4g}", "n": n}
    with picture:
        drawn = figure(
            "head_maps", head_maps,
            {
                "map_cells": view.cells(params, with_mean, glossed()),
                "map_panels": view.panels(tuple(titles), tuple(notes)),
            },
            title=word("see_maps", **given), description=word("alt_maps", **given, mask=word(f"mask_{params.mask}")),
            wide=True, values=values(len(reads), n, n, bound),
            words=map_words(word("weight_stretched") if stretch else word("weight")),
        )  # fmt: skip
    if params.divisor != "head":
        shows = params.scale != replace(params, divisor="head").scale
        st.warning(word(f"wrong_{params.divisor}" if shows else "wrong_same", **given), icon=":material/science:")
    prose.formula(sums.scale(params))
    _pair_table(params, titles[: params.n_heads])
    _read_table(seen.even, reads, titles)
    if with_mean:
        prose.formula(sums.mean(seen))
    prose.show(PAGE, "about_maps", **given)
    st.caption(word("glosses", words=_glosses(params.text)) if glossed() else word("labels_only"))
    return Look([drawn], partial(code.maps, params))


def _pair_table(params: Params, titles: Sequence[str]) -> None:
    """Follow one pair of words through every head."""
    told = view.named(params.text, glossed())[1]
    places = st.columns(2)
    with places[0]:
        query = controls.within("hd_query", word("pair_query"), 0, len(told) - 1, 5)
    with places[1]:
        key = controls.within("hd_key", word("pair_key"), 0, len(told) - 1, 3)
    st.markdown(word("pair", query=harmless(told[query]), key=harmless(told[key])))
    head = ("", "q·k", word("scaled", scale=f"{params.scale:.4g}"), "eˢ", "Σ eˢ", "eˢ ÷ Σ eˢ")
    found = view.pairs(params, query, key)
    table(head, [_followed(title, pair) for title, pair in zip(titles, found, strict=True)])


def _followed(title: str, pair: Pair) -> tuple[str, ...]:
    start = (title, fixed(pair.product), fixed(pair.scaled))
    if pair.hidden:
        return (*start, word("hidden"), fixed(pair.total), "0")
    return (*start, fixed(pair.power), fixed(pair.total), fixed(pair.weight))


def _read_table(even: Read, reads: Sequence[Read], titles: Sequence[str]) -> None:
    head = (word("map"), word("entropy"), word("share"), word("distance"), word("largest"), word("row_sums"))
    rows = [*zip(titles, reads, strict=True), (word("even"), even)]
    with st.container(key="row_names_heads_read"):
        table(
            head,
            [
                (
                    title, fixed(read.entropy, 3), fixed(read.share, 3), fixed(read.distance, 2),
                    fixed(read.largest, 3), _sums(read),
                )
                for title, read in rows
            ],
        )  # fmt: skip


def _glosses(text: str) -> str:
    drawn, told = view.named(text, True)
    return " · ".join(full for short, full in zip(drawn, told, strict=True) if short != full)


def shapes(params: Params, stretch: bool) -> Look:
    """Draw the way of the shapes, and cutting and merging on twelve numbers."""
    n, h, t_head = len(view.tokens(params.text)), params.n_heads, params.d_head
    given = {"n": n, "h": h, "t": t_head, "d": params.d_model, "right": h * t_head, "wrong": n * t_head}
    one = figure(
        "head_shapes", plan,
        drawing.shapes(
            n, params.d_model, h, words("shape", ("x", "heads", "concat", "out", "z")), word("notes"), word("cut_off")
        ),
        title=word("see_shapes", **given),
        description=word("alt_shapes_same" if n == h else "alt_shapes", **given), wide=True,
        values=sizes(*drawing.SHAPES_SIZE), tip=word("shape"),
    )  # fmt: skip
    prose.formula(sums.shapes(n, params))
    cuts = tuple(map(str, drawing.CUTS))
    cut = int(controls.choice("hd_cut", word("cut"), cuts, cuts, "2"))
    names = words("cut", ("x", "split", "merged", "reshaped", "flattened"))
    other = figure(
        "head_cut", plan, drawing.cut(cut, names, word("head_of"), word("number")),
        title=word("see_cut_one") if cut == 1 else word("see_cut", h=cut), description=word("alt_cut", h=cut),
        wide=True, values=sizes(*drawing.CUT_SIZE), tip=word("number"),
    )  # fmt: skip
    prose.show(PAGE, "about_shapes", **given)
    st.caption(word("refused", reason=" ".join(_refusals())))
    return Look([one, other], partial(code.shapes, n, params, cut))


def _refusals() -> list[str]:
    """What the core says to the two choices that no control offers."""
    said = []
    for refuse in (partial(head_width, 50, 6), partial(head_map, 6, 4)):
        try:
            refuse()
        except InputError as error:
            said.append(sentence(error))
    return said


def parameters(params: Params, stretch: bool) -> Look:
    """Draw parameters by part and against the number of heads; count real modules."""
    factors = tuple(map(str, counting.FACTORS))
    names = [word("d_ff", factor=each, d_ff=int(each) * params.d_model) for each in factors]
    factor = int(controls.choice("hd_ff", word("factor"), factors, names, "4", label_visibility="collapsed"))
    found = counting.counts(params, factor)
    attention = sum(count for part, count in found.items() if part not in ("feed_forward", "norms"))
    given = {
        "d": params.d_model, "h": params.n_heads, "g": params.kv_heads, "attention": thousands(attention),
        "block": thousands(sum(found.values())),
    }  # fmt: skip
    sides = st.columns(2, gap="medium")
    with sides[0]:
        one = figure(
            "head_parameters", charts.parts, counting.bars(params, factor),
            title=word("see_parts", **given), description=word("alt_parts", **given),
            ids=counting.PARTS, names=words("part", counting.PARTS), whose=words("whose", charts.WHOSE),
            x_title=word("parameters"), height=HEIGHT,
        )  # fmt: skip
    with sides[1]:
        other = figure(
            "head_growth", charts.growth, counting.growth(params.d_model, params.n_heads, params.bias),
            title=word("see_growth", **given), description=word("alt_growth", **given),
            names=words("growth", charts.LINES), x_title=word("n_heads"), y_title=word("parameters"), height=HEIGHT,
        )  # fmt: skip
    prose.formula(sums.parameters(params, factor))
    table(
        (word("module"), *words("counted", ("formula", "module", "formula_bare", "module_bare"))),
        [_counted(each, params, factor) for each in counting.modules(params, factor)],
    )
    notes = counting.notes()
    prose.show(
        PAGE, "about_parameters", module=thousands(notes["module"]), block=thousands(notes["block"]),
        said_module=counting.printed.LISTING_PARAMETERS, said_block=counting.printed.LISTING_BLOCK_PARAMETERS,
    )  # fmt: skip
    return Look([one, other], partial(code.parameters, params, factor))


def _counted(row: Counted, params: Params, factor: int) -> tuple[str, ...]:
    name = word(
        f"module_{row.name}", d=params.d_model, h=params.n_heads, g=params.kv_heads, d_ff=factor * params.d_model
    )
    return (name, *map(thousands, (row.formula, row.counted, row.formula_bare, row.counted_bare)))


def _sums(read: Read) -> str:
    low, high = fixed(read.low, 6), fixed(read.high, 6)
    return low if low == high else f"{low} … {high}"
