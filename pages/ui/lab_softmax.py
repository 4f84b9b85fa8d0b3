"""Experiment: what wide scores do to a softmax and the gradient behind it, with bands; temperature as the same knob."""

import streamlit as st

from core.charts import bands as charts
from core.variance.attention_gradient import QUANTITIES
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.numbers import fixed, significant, thousands
from pages.views import lab_softmax as view
from pages.views import sqrt_dk_claims as notes
from pages.views.sqrt_dk import LEVEL, Params, here_at

PAGE = "softmaxes"
HEIGHT = 300


def show(params: Params) -> list[Figure]:
    """Show one quantity's bands beside a row under a temperature, and how many times smaller gradients are."""
    names = [t(f"{PAGE}.what_{name}") for name in QUANTITIES]
    what = controls.choice("lab_what", t(f"{PAGE}.what"), QUANTITIES, names, "w_q", label_visibility="collapsed")
    n = params.n_keys
    left, right = st.columns(2, gap="medium")
    with left:
        bands = figure(
            "lab_bands", charts.bands,
            {"bands": view.curves(n, what), "even": view.even(n, what), "now": here_at(params.d_k)},
            title=t(f"{PAGE}.title_{what}"), description=t(f"{PAGE}.bands_alt", what=t(f"{PAGE}.what_{what}"), n=n),
            sides=(t(f"{PAGE}.scaled"), t(f"{PAGE}.raw")), statistics=(t(f"{PAGE}.mean"), t(f"{PAGE}.median")),
            logarithmic=what in view.LOGARITHMIC, x_title=t(f"{PAGE}.x"), y_title=t(f"{PAGE}.axis_{what}"),
            height=HEIGHT,
        )  # fmt: skip
        st.caption(f"{t(f'{PAGE}.bands_how', rows=thousands(view.n_rows(n)), n=n)}  \n{_reference(n, what)}")
    with right:
        tempered = figure(
            "lab_tempered", charts.tempered, view.of_page(params),
            title=t(f"{PAGE}.tempered_title"), description=t(f"{PAGE}.tempered_alt", n=n, d_k=params.d_k),
            scrub_title=t(f"{PAGE}.scrub"), key_title=t(f"{PAGE}.key"), weight_title=t(f"{PAGE}.weight"),
            height=HEIGHT - 24,
        )  # fmt: skip
        st.caption(t(f"{PAGE}.tempered_how", d_k=params.d_k))
    st.markdown(f"**{t(f'{PAGE}.compared', n=n)}**")
    st.markdown("\n".join(_table(n)))
    words = {"rows": thousands(view.n_rows(n)), "keys": notes.N_KEYS, "others": thousands(notes.N_ROWS)}
    st.caption(t(f"{PAGE}.sample", **words, level=fixed(100 * LEVEL, 0)))
    prose.show("sqrt_dk", "lab_softmax", gone=_gone(n))
    return [bands, tempered]


def _reference(n_keys: int, what: str) -> str:
    """What the dotted line is, or where the band ends."""
    level = view.level(n_keys, what)
    if level is None:
        return t(f"{PAGE}.cut", times=thousands(view.CUT))
    return t(f"{PAGE}.even_{what}", n=n_keys, level=significant(level, 3))


def _table(n_keys: int) -> list[str]:
    head = " | ".join(f"d_k = {d_k}" for d_k in view.QUOTED)
    lines = [f"| {t(f'{PAGE}.without')} | {head} |", "|---|" + "---:|" * len(view.QUOTED)]
    for quantity in view.LOGARITHMIC:
        found = view.smaller(n_keys, quantity)
        for name, values in (
            ("mean", [(s.mean, s.mean_interval) for s in found]),
            ("median", [(s.median, s.median_interval) for s in found]),
        ):
            cells = " | ".join(_times(value, interval) for value, interval in values)
            row = t(f"{PAGE}.of", statistic=t(f"{PAGE}.{name}"), what=t(f"{PAGE}.what_{quantity}"))
            lines.append(f"| {row} | {cells} |")
    return lines


def _gone(n_keys: int) -> str:
    """Of which gradients "about 0" is true in this state, from the table's own numbers."""
    cases = []
    for (quantity, statistic), d_ks in view.gone(n_keys).items():
        words = {"what": t(f"{PAGE}.what_{quantity}"), "statistic": t(f"{PAGE}.{statistic}")}
        key = "gone_at" if d_ks else "gone_never"
        cases.append(t(f"{PAGE}.{key}", d_ks=", ".join(map(str, d_ks)), **words))
    return t(f"{PAGE}.gone", n=n_keys, cases=t(f"{PAGE}.between").join(cases))


def _times(value: float, interval: tuple[float, float]) -> str:
    """How many times smaller, or in words how many times larger, or that it is as large; to two digits, with interval.

    Where the interval holds 1, the sample cannot tell which of the two it is.
    """
    low, high = interval
    if low <= 1 <= high:
        return t(f"{PAGE}.equal", low=_digits(low), high=_digits(high))
    if value >= 1:
        return t(f"{PAGE}.smaller", times=_digits(value), low=_digits(low), high=_digits(high))
    return t(f"{PAGE}.larger", times=_digits(1 / value), low=_digits(1 / high), high=_digits(1 / low))


def _digits(times: float) -> str:
    rounded = float(f"{times:.1e}")
    return thousands(rounded) if 1e3 <= rounded < 1e6 else significant(rounded, 2)
