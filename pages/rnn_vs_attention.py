"""When attention is cheaper than a recurrent layer, by counting; what it buys; apart from that, what a clock says."""

from functools import partial

import streamlit as st

from core.charts.costs import LENGTH_TICKS, NAME, WIDTH_TICKS, growth, ranges, times
from core.complexity.counts import RIVALS
from pages.ui import anatomy, controls, device, export, long_run, prose
from pages.ui.anatomy import Checked
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.numbers import significant, thousands
from pages.views import measured_times as clock
from pages.views import rnn_vs_attention as view
from pages.views import rnn_vs_attention_claims as claims

PAGE = "rnn_vs_attention"
HEIGHT = 335


def word(name: str, **values: object) -> str:
    """Return one of this page's labels."""
    return t(f"{PAGE}.{name}", **values)


def words(prefix: str, ids: tuple[str, ...], **values: object) -> tuple[str, ...]:
    """Return the labels of several ids."""
    return tuple(word(f"{prefix}_{name}", **values) for name in ids)


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Write a table; all columns but the first are aligned right."""
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))


def ledger(title: str, lines: tuple[view.Line, ...], total: int) -> None:
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


anatomy.opening(PAGE)
places = st.columns(4, vertical_alignment="bottom")
with places[0]:
    n = controls.ladder("n_tokens", word("n"), view.LENGTHS, 512)
with places[1]:
    d = controls.ladder("layer_width", word("d"), view.WIDTHS, 64)
with places[2]:
    kinds = tuple(RIVALS)
    rival = controls.choice("rival", word("rival"), kinds, words("rival", kinds), "lstm", kind="select")
with places[3]:
    kinds = tuple(view.COUNTED)
    counted = controls.choice("counted", word("counted"), kinds, words("counted", kinds), "matrix", kind="select")
compared = controls.choice(
    "compare", word("compare"), view.COMPARED, words("compare", view.COMPARED), "operations",
    label_visibility="collapsed",
)  # fmt: skip
boxes = st.columns([3, 2], gap="small") if compared == "operations" else [st.container()]
with st.expander(t("frame.more_settings"), icon=":material/tune:"):
    places = st.columns(4, vertical_alignment="bottom")
    with places[0]:
        along = controls.choice(
            "along", word("along"), view.ALONG, words("along", view.ALONG), "n", help=word("along_help")
        )
    with places[1]:
        heads = controls.ladder("layer_heads", word("heads"), view.HEADS, 1, help=word("heads_help"))
    with places[2]:
        radius = controls.ladder("path_radius", word("radius"), view.RADII, 64)
    with places[3]:
        kernel = controls.ladder("path_kernel", word("kernel"), view.KERNELS, 7)

params = view.Params(n, d, rival, counted, heads, along, radius, kernel)
found = view.totals(params)
shown = {"rival": word(f"rival_{rival}"), "counted": word(f"counted_{counted}"), **view.values(params)}
by_width = view.by_width(params, compared)
pictures = []
with boxes[0]:
    pictures.append(
        figure(
            f"costs_{compared}", growth, view.curves(params, compared),
            title=word(f"see_{view.case(params, compared)}", **shown),
            description=word(f"alt_{compared}", **shown),
            values={f"{NAME}{line}": word(f"line_{compared}_{line}", **shown) for line in view.LINES[compared]},
            ids=view.LINES[compared],
            x_title=word("x_d" if by_width else "x_distance" if compared == "path" else "x_n"),
            y_title=word(f"y_{compared}"),
            ticks=WIDTH_TICKS if by_width else LENGTH_TICKS,
            y_format="~s" if compared == "operations" else "~g",
            height=HEIGHT,
        )
    )  # fmt: skip
if compared == "operations":
    with boxes[1]:
        pictures.append(
            figure(
                "beaten", ranges, view.beaten(params),
                title=word("see_ranges", **shown), description=word("alt_ranges", **shown),
                ids=tuple(RIVALS), names=words("rival", tuple(RIVALS)), sides=words("side", ("attention", "rival")),
                x_title=word("x_n"), height=HEIGHT,
            )
        )  # fmt: skip

st.subheader(word("arithmetic", **shown), anchor=False)
if compared == "operations":
    sides = st.columns(2, gap="medium")
    with sides[0]:
        ledger(word("attention"), found.attention, found.attention_flops)
    with sides[1]:
        ledger(shown["rival"], found.rival, found.rival_flops)
    st.latex(view.ratio_sum(params, word("attention"), shown["rival"]))
    st.latex(found.sums)
    if found.cross_n is None:
        st.markdown(word("negative", **shown))
elif compared == "memory":
    head = (word("kept"), word("formula"), word("elements"), "MiB")
    table(
        head,
        [
            (word(f"kept_{name}", **shown), f, thousands(size), significant(b, 3))
            for name, f, size, b in view.kept_lines(params)
        ],
    )
    st.latex(view.memory_sum(params))
    st.markdown(word("keeps_more" if view.equal_at(params, "memory", "n") is None else "keeps_less", **shown))
elif compared == "path":
    st.latex(view.path_sum(params))
else:
    table((word("stage"), word("depth")), [(word(f"stage_{name}"), str(size)) for name, size in view.stages(n, d)])
prose.show(PAGE, f"about_{compared}", **shown)
if compared == "operations":
    prose.show(PAGE, f"counted_{counted}", **shown)
prose.show(PAGE, "buys", **shown)

st.subheader(word("clock"), anchor=False)
prose.show(PAGE, "clock", rounds=clock.ROUNDS, seconds=int(clock.BUDGET_SECONDS))
chosen = device.current().name
drawn: list[Figure] = []


def show(run: long_run.Run | None) -> None:
    """Draw what has been measured so far, and the slopes beside the formulas'."""
    measured = clock.summary(tuple(run.results)) if run is not None else None
    if run is None or measured is None:
        return
    setting = measured.setting
    if run.key != ("clock", chosen, d, heads):
        st.info(word("clock_other", d=thousands(setting.d), heads=setting.n_heads, device=setting.device.upper()))
    sides = st.columns([11, 9], gap="medium")
    with sides[0]:
        drawn.append(
            figure(
                "times", times, measured.data,
                title=word("see_times", d=thousands(setting.d)), description=word("alt_times", d=thousands(setting.d)),
                ids=clock.SHOWN, names=words("layer", clock.SHOWN), x_title=word("x_n"), y_title=word("y_times"),
                least_title=word("least"), median_title=word("median"), height=HEIGHT,
            )
        )  # fmt: skip
    with sides[1]:
        if measured.fits:
            table(
                (word("layer"), word("slope"), word("slope_formula")),
                clock.slope_rows(measured, words("layer", clock.SHOWN)),
            )
            st.caption(
                word(
                    "slope_how",
                    low=thousands(measured.fits[0].measured.lengths[0]),
                    high=thousands(measured.fits[0].measured.lengths[-1]),
                )
            )
        st.caption(word("setting", **clock.setting_values(measured)))
    head = tuple(
        word(f"column_{name}") for name in ("n", "lstm_least", "lstm_median", "attention_least", "attention_median")
    )
    table(head, clock.time_rows(measured))


long_run.long_run(
    "clock", (chosen, d, heads), word("measure", d=thousands(d)),
    lambda: clock.begin(d, heads, chosen), clock.share_done, show,
)  # fmt: skip
prose.show(PAGE, "apart")

anatomy.notes_say(
    [
        Checked(
            word(f"claim_{row.id}", **row.values), word(f"said_{row.id}", **row.values),
            word(f"computed_{row.id}", **row.values), row.verdict, word(f"because_{row.id}", **row.values),
        )
        for row in claims.rows()
    ]
)  # fmt: skip
anatomy.code(partial(view.listing, params))
export.take_along(*pictures, *drawn)
anatomy.ending(PAGE, **shown)
