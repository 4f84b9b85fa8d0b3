"""Experiment: a small attention classifier trained with and without the division."""

from functools import partial

import streamlit as st

from core.charts import training as charts
from core.variance.training import BATCH, N_LABELS, N_SYMBOLS, N_TOKENS, OPTIMIZERS, STARTS, WAYS
from pages.ui import controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import fixed, shortest
from pages.views import lab_training as view
from pages.views.sqrt_dk import Params
from pages.views.timed_run import share_done

PAGE = "trained"
HEIGHT = 300


def show(params: Params) -> list[Figure]:
    """Offer the run, and show its curves and its table as far as they are."""
    del params  # its own d_k are trained
    places = st.columns(2)
    with places[0]:
        names = [t(f"{PAGE}.start_{name}") for name in STARTS]
        start = controls.choice("lab_start", t(f"{PAGE}.start"), STARTS, names, "unit", help=t(f"{PAGE}.start_help"))
    with places[1]:
        names = [t(f"{PAGE}.optimizer_{name}") for name in OPTIMIZERS]
        optimizer = controls.choice("lab_optimizer", t(f"{PAGE}.optimizer"), OPTIMIZERS, names, "adam")
    prose.show(
        "sqrt_dk", "lab_training", symbols=N_SYMBOLS, tokens=N_TOKENS, labels=N_LABELS, batch=BATCH,
        steps=view.STEPS, seeds=len(view.SEEDS), d_ks=_listed(view.D_KS), rates=_listed(view.RATES[optimizer]),
        learned=fixed(100 * view.LEARNED, 0), chance=fixed(100 / N_LABELS, 0),
    )  # fmt: skip
    made: list[Figure] = []
    chosen = device.current().name
    long_run(
        "lab_training", (chosen, optimizer, start), t(f"{PAGE}.train"),
        partial(view.begin, optimizer, start, chosen), share_done, partial(_draw, made, (optimizer, start)),
    )  # fmt: skip
    return made


def _draw(made: list[Figure], asked: tuple[str, str], run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of other settings than the ones that stand above it."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    on, optimizer, start = map(str, run.key[1:])
    ran = t(f"{PAGE}.optimizer_{optimizer}")
    if (optimizer, start) != asked:
        names = {"optimizer": ran, "start": t(f"{PAGE}.start_{start}")}
        st.info(t(f"{PAGE}.other", **names))
    trained = view.summary([timed.point for timed in run.results], optimizer, start)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        made.append(
            figure(
                "lab_losses", charts.losses, trained.data,
                title=t(f"{PAGE}.losses_title", optimizer=ran), description=t(f"{PAGE}.losses_alt"),
                sides=(t(f"{PAGE}.scaled"), t(f"{PAGE}.raw")), x_title=t(f"{PAGE}.step"), y_title=t(f"{PAGE}.loss"),
                d_k_title=t(f"{PAGE}.slider_d_k"), rate_title=t(f"{PAGE}.slider_rate"),
                last_d_k=len(view.D_KS), last_rate=len(view.RATES[optimizer]), height=HEIGHT,
            )
        )  # fmt: skip
        st.caption(t(f"{PAGE}.losses_how", seeds=len(view.SEEDS)))
    with right:
        st.markdown(f"**{t(f'{PAGE}.right', optimizer=ran)}**")
        st.markdown("\n".join(_table(trained, optimizer)))
        seen = {"through": len(trained.rows)}
        for way in WAYS:
            seen[f"{way}_some"], seen[f"{way}_cells"] = view.learned(trained, way)
        if trained.rows:
            st.markdown(t(f"{PAGE}.seen", cells=len(trained.rows) * len(view.RATES[optimizer]), **seen))
        st.caption(t(f"{PAGE}.on", device=on.upper(), seconds=fixed(run.results[-1].seconds, 1)))


def _table(trained: view.Trained, optimizer: str) -> list[str]:
    heads = [f"η = {shortest(rate)}" for rate in view.RATES[optimizer]]
    return [
        "| d_k | " + " | ".join(heads) + " |",
        "|---:|" + "---:|" * len(heads),
        *("| " + " | ".join(row) + " |" for row in view.cells(trained, optimizer)),
    ]


def _listed(numbers: tuple[float, ...]) -> str:
    return ", ".join(shortest(number) for number in numbers)
