"""The measured part of the RNN page: a run by a button, its times, slopes and crossover, and their setting."""

from functools import partial

import streamlit as st

from core.charts.costs import times
from core.complexity.recorded import Record
from pages.ui import anatomy, controls, device, prose, recorded
from pages.ui.draw import Figure, figure
from pages.ui.language import harmless, t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import thousands
from pages.ui.rnn_sums import PAGE, table, word, words
from pages.views import measured_times as view
from pages.views.recorded import together

HEIGHT = 335
Asked = tuple[str, int, int, bool]


def show(d: int, heads: int) -> list[Figure]:
    """Offer the run at this width, and show what it has measured so far."""
    st.subheader(word("clock"), anchor=False)
    prose.show(PAGE, "clock", rounds=view.ROUNDS, seconds=int(view.BUDGET_SECONDS))
    passes = controls.choice(
        "clock_pass", word("pass"), view.PASSES, words("pass", view.PASSES), "forward", label_visibility="collapsed"
    )
    chosen = device.current().name
    record = recorded.choose("clock_record", PAGE)
    made: list[Figure] = []
    asked = (chosen, d, heads, passes == "training")
    long_run(
        "clock", asked, word("measure", d=thousands(d)), partial(view.begin, d, heads, chosen, asked[-1]),
        view.share_done, partial(_draw, made, asked, record),
    )  # fmt: skip
    prose.show(PAGE, "apart")
    return made


def _draw(made: list[Figure], asked: Asked, record: Record | None, run: Run | None) -> None:
    """Draw what has been measured so far and what was recorded, and the slopes beside the formulas'."""
    here = view.summary(tuple(run.results)) if run is not None else None
    there = _recorded(asked, record)
    if here is not None and run is not None and run.key != ("clock", *asked):
        setting = here.setting
        values = {"d": thousands(setting.d), "heads": setting.n_heads, "device": setting.device.upper()}
        st.info(word("clock_other", **values, timed=word(f"pass_{view.PASSES[setting.backward]}")))
    shown = [(None, here), (record, there)]
    widths = " / ".join(dict.fromkeys(thousands(each.setting.d) for _, each in shown if each is not None))
    if not widths:
        return
    fitted = any(each is not None and each.fits for _, each in shown)
    sides = st.columns([11, 9], gap="medium")
    with sides[0]:
        made.append(
            figure(
                "times", times, together(here, there),
                title=word("see_times", d=widths, lines=word("see_times_lines") if fitted else ""),
                description=word("alt_times", d=widths),
                values=recorded.labels(None if here is None else here.setting, None if there is None else record),
                ids=view.SHOWN, names=words("layer", view.SHOWN), x_title=word("x_n"), y_title=word("y_times"),
                least_title=word("least"), median_title=word("median"), height=HEIGHT + 70,
            )
        )  # fmt: skip
    with sides[1]:
        for source, measured in shown:
            if measured is not None:
                _numbers(source if record is not None else None, measured, headed=record is not None)
    names = ("n", "lstm_least", "lstm_median", "attention_least", "attention_median")
    for source, measured in shown:
        if measured is not None:
            if record is not None:
                st.markdown(recorded.heading(source))
            table(words("column", names), view.time_rows(measured))


def _recorded(asked: Asked, record: Record | None) -> view.Measured | None:
    """Return what a record holds for this width, these heads and this pass; say so where it holds nothing."""
    if record is None:
        return None
    run = view.recorded_run(record, *asked[1:])
    if run is None:
        kinds = [
            word("held", timed=word(f"pass_{view.PASSES[backward]}"), heads=heads, widths=", ".join(map(thousands, ds)))
            for backward, heads, ds in view.held(record)
        ]
        held = t("recorded.between").join(kinds)
        st.info(t("recorded.lacking", machine=harmless(record.device_label), held=held))
        return None
    return view.of_record(run)


def _numbers(source: Record | None, measured: view.Measured, *, headed: bool) -> None:
    """Write the slopes and the setting of one run, and where a recorded one comes from."""
    if headed:
        st.markdown(recorded.heading(source))
    _slopes(measured)
    timed = word(f"pass_{view.PASSES[measured.setting.backward]}")
    setting = {name: harmless(value, 100) for name, value in view.setting_values(measured).items()}
    st.caption(word("setting", timed=timed, **setting))
    if source is not None:
        recorded.provenance(source)


def _slopes(measured: view.Measured) -> None:
    if not measured.fits:
        return
    head = (word("layer"), word("slope"), word("slope_formula"))
    table(head, view.slope_rows(measured, words("layer", view.SHOWN)))
    lengths = measured.fits[0].measured.lengths
    st.caption(word("slope_how", low=thousands(lengths[0]), high=thousands(lengths[-1])))
    values, verdict = view.speedup(measured)
    st.markdown(word("cross_here" if values["cross"] else "cross_not", **values))
    if measured.setting.backward:
        st.markdown(word("speedup_here", chip=anatomy.chip(verdict), d=thousands(measured.setting.d), **values))
