"""The measured part of the page on cheaper attention: a run by a button, its times and kernels, records beside it."""

from functools import partial

import streamlit as st

from core.charts.cheaper import clocked
from core.complexity.recorded import Record
from pages.ui import cheaper_looks, device, long_run, prose, recorded
from pages.ui.cheaper_looks import PAGE, table, word, words
from pages.ui.draw import Figure, figure
from pages.ui.language import harmless
from pages.ui.numbers import mebibytes, thousands
from pages.views import cheaper_attention_clock as view
from pages.views import cheaper_attention_peak as peaks
from pages.views.recorded import together


def show() -> list[Figure]:
    """Offer the run, and show what it has measured so far and what was recorded elsewhere."""
    st.subheader(word("clock"), anchor=False)
    prose.show(PAGE, "clock", rounds=view.ROUNDS, seconds=int(view.BUDGET_SECONDS))
    chosen = device.current().name
    st.caption(word("flex_compiles" if "flex_window" in view.timing.offered(chosen) else "flex_on_cuda"))
    record = recorded.choose("ca_record", PAGE)
    made: list[Figure] = []
    long_run.long_run(
        "cheaper", (chosen,), word("measure"), lambda: view.begin(chosen), view.share_done, partial(_draw, made, record)
    )
    _memory(chosen)
    return made


def _memory(chosen: str) -> None:
    """Offer to count what every way holds at once, and show what has been counted."""
    given = {"n": thousands(peaks.LENGTH), "map": mebibytes(peaks.MAP_BYTES)}
    prose.show(PAGE, "peak", **given)
    if not peaks.can_measure(chosen):
        st.caption(word("peak_not_here", device=chosen.upper()))
        return
    long_run.long_run(
        "cheaper_peak", (chosen,), word("measure_peak"), lambda: peaks.begin(chosen), peaks.share_done, _counted
    )


def _counted(run: long_run.Run | None) -> None:
    """Write the table of what has been counted so far."""
    if run is None or not run.results:
        return
    head = (word("peak_head", n=thousands(peaks.LENGTH)), word("peak_mib"), word("peak_maps"))
    table(head, peaks.rows(run.results, words("clocked", [each.way for each in run.results])))


def _draw(made: list[Figure], record: Record | None, run: long_run.Run | None) -> None:
    """Draw what has been measured so far and what was recorded."""
    here = view.summary(tuple(run.results)) if run is not None else None
    there = None if record is None else view.of_record(record.runs[0])
    if here is None and there is None:
        return
    ids = view.shown(here, there)
    made.append(
        figure(
            "cheaper_times", clocked, together(here, there),
            title=word("see_times"), description=word("alt_times", count=len(ids)),
            values=recorded.labels(None if here is None else here.setting, None if there is None else record),
            ids=ids, names=words("clocked", ids),
            x_title=word("x_n"), y_title=word("y_times"), least_title=word("least"), median_title=word("median"),
            height=cheaper_looks.HEIGHT + (130 if len(ids) > len(view.timing.WAYS) else 70),
        )
    )  # fmt: skip
    for source, measured in ((None, here), (record, there)):
        if measured is not None:
            if record is not None:
                st.markdown(recorded.heading(source))
            _numbers(measured)
            if source is not None:
                recorded.provenance(source)


def _numbers(measured: view.Measured) -> None:
    """Write the times of one run, and what they depend on."""
    names = words("clocked", view.shown(measured))
    head = (word("least"), word("kernel"), *(f"n = {thousands(n)}" for n in view.timing.LENGTHS))
    table(head, view.rows(measured, names), texts=2)
    if gain := view.gain(measured):
        st.caption(word("gain", gain=gain))
    st.caption(word("setting", **{name: harmless(value, 100) for name, value in view.setting_values(measured).items()}))
