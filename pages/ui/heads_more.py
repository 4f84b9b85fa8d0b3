"""More looks of the page on heads: shared keys with a cache, where Q, K and V come from, and the notes' listing."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.charts import heads as charts
from core.charts.head_maps import head_maps, values
from core.charts.plan import plan, sizes
from core.claims import listing as notes
from core.claims import printed
from core.complexity import kv_cache
from core.complexity.kv_cache import Decoder
from pages.ui import anatomy, controls, heads_models, prose, stepper
from pages.ui.draw import Figure, figure
from pages.ui.heads_looks import HEIGHT, PAGE, Look, glossed, map_words, table, word, words
from pages.ui.numbers import column, fixed, significant, thousands
from pages.views import heads as view
from pages.views import heads_cache as caching
from pages.views import heads_code as code
from pages.views import heads_listing as lines
from pages.views import heads_sources as sourcing
from pages.views import heads_sums as sums
from pages.views.heads import Params
from pages.views.heads_listing import Line

_ROW_SIDE = 300


def shared(params: Params, stretch: bool) -> Look:
    """Decode a word at a time with a cache, and count the bytes of the caches of known models."""
    drawn, told = view.named(params.text, glossed())
    at = stepper.steps("hd_step", word("step"), told)
    found = caching.decoded(params)
    given = {
        "h": params.n_heads, "g": params.kv_heads, "map": sums.head_map(params), "token": told[at - 1],
        "t": at, "n": len(drawn), "gap": significant(found.gaps[at - 1], 2), "worst": significant(max(found.gaps), 2),
    }  # fmt: skip
    names = words("cache", ("head", "heads", "kv", "new", "kept", "later"))
    one = figure(
        "head_cache", plan, caching.cache(params, at, glossed(), names),
        title=word("see_cache", **given), description=word("alt_cache", **given), wide=True,
        values=sizes(*caching.cache_size(params)), tip=word("cell"),
    )  # fmt: skip
    bound = float(found.steps[at - 1].weights.max()) if stretch else 1.0
    other = figure(
        "head_step", head_maps,
        {
            "map_cells": caching.step_map(params, at, glossed(), word("cache_head")),
            "map_panels": view.panels((told[at - 1],), ("",)),
        },
        title=word("see_step", **given), description=word("alt_step", **given), wide=True,
        values=values(1, params.n_heads, len(drawn), bound, side=_ROW_SIDE),
        words=replace(map_words(word("weight_stretched") if stretch else word("weight")), query=word("head_row")),
    )  # fmt: skip
    st.markdown(word("same_as_full", **given))
    st.subheader(word("bytes"), anchor=False)
    figures, decoder, n, batch, width = _bytes(params)
    prose.show(PAGE, "about_shared", **given)
    return Look([one, other, figures], partial(code.shared, params, decoder, n, batch, width))


def _bytes(params: Params) -> tuple[Figure, Decoder, int, int, int]:
    places = st.columns(4, vertical_alignment="bottom")
    with places[0]:
        n = controls.ladder("hd_tokens", word("tokens"), caching.LENGTHS, 4096)
    with places[1]:
        batch = controls.ladder("hd_batch", word("batch"), caching.BATCHES, 1)
    with places[2]:
        width = controls.ladder("hd_bytes", word("bytes_each"), caching.BYTES, 2, help=word("bytes_each_help"))
    with places[3]:
        layers = controls.whole("hd_layers", word("layers"), 1, caching.MOST_LAYERS, 12, help=word("layers_help"))
    rows, own = heads_models.rows(), caching.own(params, layers)
    found = caching.taken(rows, own, n, batch, width)
    names = words("model", caching.MODELS)
    given = {"n": thousands(n), "batch": batch, "bytes": width}
    drawn = figure(
        "head_cache_bytes", charts.cached, caching.curves(rows, own, n, batch, width),
        title=word("see_bytes", **given), description=word("alt_bytes", **given), ids=caching.MODELS, names=names,
        x_title=word("tokens"), y_title=word("bytes_axis"), height=HEIGHT,
    )  # fmt: skip
    amounts = zip(
        column([each.per_token / 1024 for each in found]),
        column([each.bytes / kv_cache.MIB for each in found]),
        column([each.bytes / kv_cache.MB for each in found]),
        strict=True,
    )
    table(
        (word("model"), *words("column", caching.COLUMNS), word("per_token"), "MiB", "MB"),
        [
            (name, *(thousands(size) for size in vars(each.decoder).values()), *amount)
            for name, each, amount in zip(names, found, amounts, strict=True)
        ],
    )
    anatomy.folded("edit", word("edit"), "edit", partial(heads_models.editor, rows, names[:-1]))
    prose.formula(sums.cache(own, n, batch, width))
    return drawn, own, n, batch, width


def source() -> str:
    """Ask where Q, K and V come from."""
    names = words("source", sourcing.SOURCES)
    return controls.choice("hd_source", word("source"), sourcing.SOURCES, names, "self", kind="select")


def sources(params: Params, stretch: bool, source: str) -> Look:
    """Draw the same attention with Q, K and V from one sequence, from two, or behind a causal mask."""
    n = len(view.tokens(params.text))
    places = st.columns([5, 1], vertical_alignment="center")
    asked = 4
    if source != "self":
        with places[1]:
            asked = controls.whole(
                "hd_queries", word("queries"), 1, sourcing.MOST_QUERIES, 4, help=word("queries_help")
            )
    n_q = n if source == "self" else asked
    found = sourcing.looked(params, source, asked)
    given = {"n_q": n_q, "n_k": n, "h": params.n_heads}
    asking = word("sequence_y") if source == "cross" else word("sequence_x")
    with places[0]:
        one = figure(
            "head_flow", plan,
            sourcing.flow(params, source, n_q, n, asking, word("sequence_x")),
            title=word(f"see_{source}", **given), description=word(f"alt_{source}", **given), wide=True,
            values=sizes(*sourcing.SIZE), tip=word("shape"),
        )  # fmt: skip
    corners = source == "masked"
    titles = tuple(f"{word('head', number=head)} {sourcing.MARKS.get(corner, '')}" for head, corner in found.panels)
    read = [f"H {fixed(each.share, 2)} · {word('apart')} {fixed(each.distance, 1)}" for each in found.read]
    other = figure(
        "head_sources", head_maps,
        {
            "map_cells": sourcing.cells(params, source, asked, glossed()),
            "map_panels": view.panels(titles, tuple(read)),
        },
        title=word("see_corners", **given) if corners else word("see_source_maps", **given),
        description=word("alt_source_maps", **given), wide=True,
        values=values(
            len(titles), n_q, n, float(found.maps.max()) if stretch else 1.0,
            per_row=sourcing.per_row(params.n_heads) if corners else None,
        ),
        words=map_words(word("weight_stretched") if stretch else word("weight")),
    )  # fmt: skip
    prose.formula(sums.sources(n_q, n, params))
    if corners:
        lower, upper = sourcing.counted(found)
        st.markdown(word("corners_seen", lower=lower, upper=upper, **given))
    prose.show(PAGE, "about_sources")
    return Look([one, other], partial(code.sources, params, source, asked))


def listing(params: Params, stretch: bool) -> Look:
    """Hold the expected output of the notes' listing against what it really prints."""
    row = lines.row_5()
    given = {"row": notes.SHOWN_ROW, "seed": notes.SEED, **vars(row)}
    one = figure(
        "listing_row", charts.compared, lines.row(),
        title=word("see_row", **given), description=word("alt_row", **given),
        names=words("what", charts.WHAT), x_title=word("key"), y_title=word("weight"), height=HEIGHT - 40,
    )  # fmt: skip
    head = (word("line"), word("printed"), word("real"), word("judged"))
    st.markdown(
        "\n".join(
            "| " + " | ".join(cells) + " |"
            for cells in (
                head, ("---",) * len(head),
                *(
                    (word(f"line_{each.id}"), f"`{each.printed}`" if each.printed else word("missing"),
                     f"`{each.real}`", _judged(each))
                    for each in lines.lines()
                ),
            )
        )
    )  # fmt: skip
    dropped = lines.dropped()
    told = {**vars(dropped), "rate": significant(100 * notes.RATE, 2)}
    other = figure(
        "listing_maps", head_maps,
        {"map_cells": lines.maps(glossed()), "map_panels": view.panels(words("panel", ("dropped", "kept")), ("", ""))},
        title=word("see_dropped", **told), description=word("alt_dropped", **told), wide=True,
        values=values(2, notes.N, notes.N, lines.bound(), side=330), words=map_words(word("weight_stretched")),
    )  # fmt: skip
    prose.show(PAGE, "about_listing", **told, n_words=len(printed.LISTING_WORDS))
    return Look([one, other], code.listing)


def _judged(line: Line) -> str:
    why = f" {word(f'why_{line.id}')}" if line.id in lines.EXPLAINED else ""
    return f"{anatomy.chip(line.verdict)}{why}"
