"""The measured part of the RNN page: a run by a button, its times, slopes and crossover, and their setting."""

from functools import partial

import streamlit as st

from core.charts.costs import times
from pages.ui import anatomy, controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import thousands
from pages.ui.rnn_sums import PAGE, table, word, words
from pages.views import measured_times as view

HEIGHT = 335


def show(d: int, heads: int) -> list[Figure]:
    """Offer the run at this width, and show what it has measured so far."""
    st.subheader(word("clock"), anchor=False)
    prose.show(PAGE, "clock", rounds=view.ROUNDS, seconds=int(view.BUDGET_SECONDS))
    passes = controls.choice(
        "clock_pass", word("pass"), view.PASSES, words("pass", view.PASSES), "forward", label_visibility="collapsed"
    )
    chosen = device.current().name
    made: list[Figure] = []
    backward = passes == "training"
    asked = (chosen, d, heads, backward)
    long_run(
        "clock", asked, word("measure", d=thousands(d)), partial(view.begin, d, heads, chosen, backward),
        view.share_done, partial(_draw, made, asked),
    )  # fmt: skip
    prose.show(PAGE, "apart")
    return made


def _draw(made: list[Figure], asked: tuple[str, int, int, bool], run: Run | None) -> None:
    """Draw what has been measured so far, and the slopes beside the formulas'."""
    measured = view.summary(tuple(run.results)) if run is not None else None
    if run is None or measured is None:
        return
    setting = measured.setting
    if run.key != ("clock", *asked):
        values = {"d": thousands(setting.d), "heads": setting.n_heads, "device": setting.device.upper()}
        st.info(word("clock_other", **values, timed=word(f"pass_{view.PASSES[setting.backward]}")))
    sides = st.columns([11, 9], gap="medium")
    with sides[0]:
        made.append(
            figure(
                "times", times, measured.data,
                title=word("see_times", d=thousands(setting.d)), description=word("alt_times", d=thousands(setting.d)),
                ids=view.SHOWN, names=words("layer", view.SHOWN), x_title=word("x_n"), y_title=word("y_times"),
                least_title=word("least"), median_title=word("median"), height=HEIGHT,
            )
        )  # fmt: skip
    with sides[1]:
        _slopes(measured)
        timed = word(f"pass_{view.PASSES[setting.backward]}")
        st.caption(word("setting", timed=timed, **view.setting_values(measured)))
    names = ("n", "lstm_least", "lstm_median", "attention_least", "attention_median")
    table(words("column", names), view.time_rows(measured))


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
