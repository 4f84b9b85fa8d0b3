"""Experiment: how much of a token's influence arrives after a distance, measured before any training."""

from functools import partial

import streamlit as st

from core.charts import flow
from core.claims import printed
from core.complexity.modules import STARTS
from pages.ui import anatomy, controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import fixed
from pages.views import rnn_gradient as view

PAGE = "rnn_lab"
HEIGHT = 330


def show() -> list[Figure]:
    """Offer the run, and show its curves and its table as far as they are."""
    places = st.columns(2, vertical_alignment="bottom")
    with places[0]:
        names = [t(f"{PAGE}.start_{name}") for name in STARTS]
        start = controls.choice("rnn_gradient_weights", t(f"{PAGE}.start"), STARTS, names, "torch")
    with places[1]:
        d = controls.ladder("rnn_gradient_width", t(f"{PAGE}.width"), view.WIDTHS, 16)
    prose.show("rnn_vs_attention", "lab_gradient", n=view.N, seeds=len(view.SEEDS))
    made: list[Figure] = []
    long_run(
        "rnn_gradient", (d, start), t(f"{PAGE}.measure"), partial(view.begin, d, start), view.share_done,
        partial(_draw, made, (d, start)),
    )  # fmt: skip
    return made


def _draw(made: list[Figure], asked: tuple[int, str], run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of other settings than the ones that stand above it."""
    found = view.summary(run.results) if run is not None else None
    if run is None or found is None:
        return
    assert isinstance(run.key, tuple)
    d, start = run.key[1:]
    if (d, start) != asked:
        st.info(t(f"{PAGE}.other_gradient", d=d, start=t(f"{PAGE}.start_{start}")))
    names = tuple(t(f"{PAGE}.line_{line}") for line in view.LINES)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        made.append(
            figure(
                "rnn_gradient", flow.gradient, found.gradient,
                title=t(f"{PAGE}.gradient_title"), description=t(f"{PAGE}.gradient_alt"),
                ids=view.LINES, names=names, x_title=t(f"{PAGE}.distance"), y_title=t(f"{PAGE}.norm"),
                forget_title=t(f"{PAGE}.forget"), last_forget=view.FORGETS[-1], height=HEIGHT,
            )
        )  # fmt: skip
        st.caption(t(f"{PAGE}.gradient_how", seeds=found.seeds, d=d))
    with right:
        st.markdown("\n".join(_table(found)))
        st.markdown(
            t(
                f"{PAGE}.vanished", chip=anatomy.chip(found.verdict), steps=printed.VANISHED_STEPS, gone=found.gone,
                cases=found.recurrent, share=fixed(100 * view.GONE, 0),
            )
        )  # fmt: skip
    made.append(
        figure(
            "rnn_dilution", flow.dilution, found.dilution,
            title=t(f"{PAGE}.dilution_title", exponent=found.exponent), description=t(f"{PAGE}.dilution_alt"),
            x_title=t(f"{PAGE}.tokens"), y_title=t(f"{PAGE}.mean_norm"), height=220,
        )
    )  # fmt: skip


def _table(found: view.Flow) -> list[str]:
    heads = [t(f"{PAGE}.layer"), *(t(f"{PAGE}.at", distance=at) for at in view.AT), t(f"{PAGE}.kept")]
    rows = [(_name(case.kind, case.forget), *cells) for case, cells in found.rows]
    return [
        "| " + " | ".join(heads) + " |",
        "|---|" + "---:|" * (len(heads) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def _name(kind: str, forget: int) -> str:
    return t(f"{PAGE}.lstm_forget", forget=forget) if kind == "lstm" else t(f"{PAGE}.line_{kind}")
