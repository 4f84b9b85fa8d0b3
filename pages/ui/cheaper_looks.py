"""The looks of the page on cheaper attention: each draws its own picture and writes its own arithmetic."""

from collections.abc import Sequence

import streamlit as st

from core.attention.dot_product import attend
from core.charts import cheaper as charts
from core.charts.large_map import large_map
from core.complexity.cheaper import Cost
from pages.ui import controls, prose, stepper
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels
from pages.ui.numbers import fixed, significant, superscript, thousands
from pages.views import cheaper_attention as view
from pages.views import cheaper_attention_error as losses
from pages.views import cheaper_attention_flash as tiling
from pages.views import cheaper_attention_paint as paint
from pages.views import cheaper_attention_reach as stack
from pages.views import cheaper_attention_sums as sums
from pages.views.cheaper_attention import Params

PAGE = "cheaper_attention"
word = Labels(PAGE)
words = word.each
HEIGHT = 340


def table(head: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> None:
    """Write a table; all columns but the first ``texts`` are aligned right."""
    lines = [head, (*["---"] * texts, *["---:"] * (len(head) - texts)), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))


def named(params: Params) -> str:
    """Return what the chosen pattern is called, both parts of it."""
    first = word(f"way_{params.pattern}")
    shown = first if params.second == "none" else word("either", one=first, other=word(f"way_{params.second}"))
    return word("only_earlier", name=shown) if params.hides else shown


def pattern(params: Params) -> list[Figure]:
    """Draw the kept pairs, and count them."""
    found = view.facts(params)
    shown = {"name": named(params), "n": thousands(params.n), "share": significant(100 * found.pairs / params.n**2, 3)}
    sides = st.columns([3, 2], gap="medium")
    with sides[0]:
        if params.n > view.RECTS:
            drawn = figure(
                "pattern_map", large_map, view.picture(params),
                title=word("see_pattern", **shown), description=word("alt_pattern", **shown), values={"bound": 1},
                scale="weight", row_title=word("query"), column_title=word("key"), value_title=word("share_kept"),
                height=HEIGHT,
            )  # fmt: skip
        else:
            names = {"one": word(f"way_{params.pattern}")}
            if params.second != "none":
                names |= {"other": word(f"way_{params.second}"), "either": word("both_parts")}
            drawn = figure(
                "pattern", charts.pairs, view.picture(params),
                title=word("see_pattern", **shown), description=word("alt_pattern", **shown),
                values={**names, "side": params.n}, row_title=word("query"), column_title=word("key"),
                part_title=word("kept_by"), height=HEIGHT,
            )  # fmt: skip
    with sides[1]:
        heard = word("never", count=thousands(found.unheard)) if found.unheard else word("all_heard")
        table(
            (word("counted"), " "),
            [
                (word("pairs"), f"{thousands(found.pairs)} ({shown['share']} %)"),
                (word("per_query"), f"{thousands(found.fewest)} … {thousands(found.most)}"),
                (word("held"), f"{thousands(found.cached)} / {thousands(params.n)}"),
                (word("hops_last"), f"{thousands(found.hops)} · {heard}"),
            ],
        )
    prose.formula(sums.pairs(params, found))
    prose.show(PAGE, "about_pattern")
    return [drawn]


def cost(params: Params) -> list[Figure]:
    """Draw one quantity of six ways over the length."""
    quantity = controls.choice(
        "ca_quantity", word("quantity"), view.QUANTITIES, words("quantity", view.QUANTITIES), "flops",
        label_visibility="collapsed",
    )  # fmt: skip
    ids = view.CURVES[quantity]
    shown = {"d": thousands(params.d), "heads": params.n_heads, "n": thousands(params.n)}
    described = word("alt_cost", quantity=word(f"quantity_{quantity}"), **shown)
    drawn = figure(
        f"cheaper_{quantity}", charts.curves, view.curves(params.sizes, quantity),
        title=word(f"see_{quantity}", **shown), description=described,
        ids=ids, names=tuple(word("at_root") if way == "strided" else word(f"way_{way}") for way in ids),
        x_title=word("x_n"), y_title=word(f"y_{quantity}"), height=HEIGHT,
    )  # fmt: skip
    prose.formula(sums.cost(params, (word("sum_cache"), word("sum_linear"))))
    if params.paints:
        painted, _ = paint.cost(params)
        amount = thousands((1 if quantity == "flops" else view.BYTES) * getattr(painted, quantity))
        st.caption(word("painted_cost", n=params.n, amount=amount, unit=word(f"y_{quantity}")))
    prose.show(PAGE, "about_cost")
    return [drawn]


def error(params: Params) -> list[Figure]:
    """Measure every approximate way against full attention on the same q, k, v."""
    found = losses.judged(params)
    n = min(params.n, losses.MOST_JUDGED)
    shown = {"n": thousands(n), "draw": params.draw, "sharpness": params.sharpness}
    chosen = named(params)
    names = tuple(chosen if way == "chosen" else word(f"way_{way}") for way in losses.JUDGED)
    shown_names = ("★", *names[1:])
    drawn = figure(
        "cheaper_error", charts.errors, losses.errors(params),
        title=word("see_error_near" if params.near else "see_error", **shown), description=word("alt_error", **shown),
        ids=losses.JUDGED, names=shown_names, kinds=words("kind", ("lost", "output")), x_title=word("x_error"),
        height=HEIGHT + 60,
    )  # fmt: skip
    st.caption(word("star", name=chosen))
    prose.formula(sums.error(found["chosen"], word("sum_lost"), word("sum_rounding")))
    prose.show(PAGE, "about_error", most=losses.MOST_JUDGED, lost=f"{fixed(100 * found['window'].lost, 0)} %", **shown)
    return [drawn]


def reach(params: Params) -> list[Figure]:
    """Show what a stack of this pattern reaches, and how much weight arrives."""
    found = stack.arrived(params)
    layers = params.layers
    farthest = found.farthest[layers]
    arrives = word("nothing") if farthest is None else _power(farthest)
    shown = {
        "name": named(params), "layers": layers, "reach": thousands(found.reach[layers]),
        "spread": fixed(found.spread[layers], 1), "farthest": arrives, "n": thousands(params.n),
    }  # fmt: skip
    sides = st.columns(2, gap="medium")
    both = words("arrived", ("reach", "spread"))
    with sides[0]:
        one = figure(
            "cheaper_arrived", charts.arrived, {**found.data, "layer_at": stack.layer_at(layers)},
            title=word("see_arrived", **shown), description=word("alt_arrived", **shown),
            values={"floor": found.floor, "layer": view.LAST_LAYER},
            x_title=word("position"), y_title=word("y_power"), scrub=word("scrub"), names=both, height=HEIGHT - 50,
        )  # fmt: skip
    with sides[1]:
        other = figure(
            "cheaper_spreading", charts.spreading, {"spreading": found.growth, "now": stack.layer_at(layers)},
            title=word("see_spreading", **shown), description=word("alt_spreading", **shown),
            names=both, x_title=word("x_layer"), y_title=word("y_positions"), height=HEIGHT - 50,
        )  # fmt: skip
    st.markdown(word("arrives", **shown))
    if found.left[-1] < 1 - 1e-9:
        st.markdown(word("passed_on", left=significant(100 * found.left[layers], 3), layers=layers))
    names = (word("sum_scores"), word("sum_blocks"))
    if params.paints:
        prose.formula(sums.layered(params, view.facts(params), names))
    else:
        st.markdown(word("windows_formula", r=params.radius, side=word("side_back" if params.hides else "side_both")))
        prose.formula(sums.stacked(params, word("sum_reach")))
        prose.formula(sums.work(params, names))
    prose.show(PAGE, "about_reach")
    if not params.paints:
        prose.show(PAGE, "about_ends_causal" if params.hides else "about_ends")
    return [one, other]


def flash(params: Params) -> list[Figure]:
    """Go through the tiles of eight positions, one step at a time."""
    steps = tiling.steps(params.draw, params.tile, params.hides)
    names = [word("tile_step", rows=_span(step.queries), columns=_span(step.keys)) for step in steps]
    at = stepper.steps("ca_step", word("step"), names)
    step = steps[at - 1]
    q, k, v = tiling.operands(params.draw)
    exact = attend(q, k, v, tiling.mask(params.hides)).output
    sides = st.columns([2, 3], gap="medium")
    with sides[0]:
        drawn = figure(
            "flash_tiles", charts.tiles, tiling.tiles(params.draw, params.tile, params.hides, at),
            title=word("see_tiles"), description=word("alt_tiles", step=at, last=len(steps)),
            cells=tiling.N, row_title=word("query"), column_title=word("key"), value_title="exp(s − m)",
            looks=(word("tile_done"), word("tile_later")), height=HEIGHT - 20,
        )  # fmt: skip
    with sides[1]:
        head = (word("query"), word("m_before"), "m", "f", "l", "o / l", word("from_plain"))
        table(head, sums.flash_rows(step, exact))
        prose.formula(sums.tile(step))
        st.caption(word(f"{tiling.stage(step, params.hides)}_row", seen=step.keys[1], n=tiling.N))
    prose.show(PAGE, "about_flash", n=tiling.N, map=tiling.N**2, tile=params.tile**2, rows=2 * tiling.N)
    return [drawn]


LOOKS = {"pattern": pattern, "cost": cost, "error": error, "reach": reach, "flash": flash}


def ways(params: Params) -> None:
    """Write the table of all ways at this state's sizes; state-space models stand in it with a pointer."""
    found = {way: (cost, view.result(way, params.sizes)) for way, cost in view.costs(params.sizes).items()}
    if params.paints:
        found[view.PAINTED] = paint.cost(params)
    head = words("column", ("way", "exact", "flop", "kept", "cache", "hops"))
    rows = [
        (
            word(f"way_{way}"),
            word(result),
            significant(cost.flops / 1e6, 3),
            significant(view.BYTES * cost.kept / 2**20, 3),
            significant(view.BYTES * cost.cache / 2**20, 3),
            _hops(way, cost),
        )
        for way, (cost, result) in found.items()
    ]
    table(head, [*rows, (word("way_ssm"), word("other_model"), word("ssm_flop"), "–", word("ssm_cache"), "–")], texts=2)


def _hops(way: str, cost: Cost) -> str:
    """Write hops; of random draws only the fewest possible are known."""
    if cost.hops is None:
        return word("hops_never")
    return f"≥\u00a0{thousands(cost.hops)}" if way == "random" else thousands(cost.hops)


def _span(ends: tuple[int, int]) -> str:
    return f"{ends[0]}–{ends[1] - 1}" if ends[1] - ends[0] > 1 else str(ends[0])


def _power(log10: float) -> str:
    return f"10{superscript(round(log10))}" if log10 < -4 else significant(10**log10, 3)
