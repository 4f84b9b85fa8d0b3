"""Weights from a slide, held against the bench's scores: which temperature gives them, or why none does."""

import math
from collections.abc import Sequence

import streamlit as st

from core.claims.temperature import TemperatureFit, Witness
from core.errors import InputError
from core.matrix_import.understood import Understood
from pages.ui.held import Held
from pages.ui.language import harmless, sentence, t
from pages.ui.numbers import fixed, significant
from pages.views import bench_weights as view
from pages.views.arithmetic import number
from pages.views.bench_import import Choices, reading
from pages.views.bench_step import Params
from pages.views.bench_weights import Judged, Texts

_TEXT = "weights_text"


def offer(bench: Held, source: str, params: Params, query: int) -> None:
    """Offer to paste weights, and say of every row which temperatures make them of the scores of this state.

    ``source`` names the example, ``query`` the one that is followed (from 0), to whom a single row belongs.
    """
    st.caption(t("bench_weights.help"))
    st.text_area(
        t("bench_weights.text"), key=_TEXT, height=100, placeholder=t("bench_weights.text_hint"),
        persist_state="session",
    )  # fmt: skip
    if source in view.PRINTED:
        st.button(
            t("bench_weights.fill"), key="weights_fill", icon=":material/menu_book:", on_click=_fill, args=(source,)
        )
    text = st.session_state.get(_TEXT) or ""
    if not text.strip():
        return
    try:
        texts = _read(text, bench.shape)
        first = query if len(texts) == 1 else 0
        judged = view.judged(params, texts, first)
    except InputError as error:
        st.error(sentence(error))
        return
    _say(bench, judged, params)


def _fill(source: str) -> None:
    st.session_state[_TEXT] = "\n".join("\t".join(row) for row in view.PRINTED[source])


def _read(text: str, shape: tuple[int, int]) -> Texts:
    """Return the weights as they are written, a row for every query or one row alone."""
    found = reading(view.without_percent(text), Choices(), t("bench_weights.weights"))
    if isinstance(found, InputError):
        raise found
    _require_shape(found, shape, t("bench_weights.weights_within"))
    for r, row in enumerate(found.matrix, start=1):
        for c, weight in enumerate(row, start=1):
            if not 0 <= weight <= 1:
                where = t("bench_weights.cell", row=r + found.header, column=c + found.row_names)
                raise InputError("range", name=where, value=found.texts[r - 1][c - 1], low=0, high=1)
    return found.texts


def _require_shape(found: Understood, shape: tuple[int, int], name: str) -> None:
    rows, columns = found.shape
    if columns != shape[1]:
        raise InputError("width", left="S", left_width=shape[1], right=name, right_width=columns)
    if rows not in (1, shape[0]):
        raise InputError("rows", left="S", left_rows=shape[0], right=name, right_rows=rows)


def _say(bench: Held, judged: Sequence[Judged], params: Params) -> None:
    """Write a table of all rows, and below it why a row has no temperature."""
    root = None if judged[0].fit.scaled is None else 1 / judged[0].fit.scaled.inverse
    heads = [t("bench_weights.query"), t("bench_weights.printed"), t("bench_weights.temperature")]
    heads.append(t("bench_weights.plain"))
    if root is not None:
        heads.append(t("bench_weights.scaled", temperature=number(root)))
    heads.append(t("bench_weights.computed", scale=number(view.scale(params))))
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in judged:
        cells = [harmless(bench.queries[row.query]), ", ".join(row.printed), _temperatures(row.fit)]
        cells.append(_fits(row.fit.plain.fits))
        if row.fit.scaled is not None:
            cells.append(_fits(row.fit.scaled.fits))
        cells.append(", ".join(fixed(weight) for weight in row.computed))
        lines.append("| " + " | ".join(cells) + " |")
    st.markdown("\n".join(lines))
    keys = [harmless(key) for key in bench.keys]
    for row in judged:
        if row.fit.witness is not None:
            why = _why(row.fit.witness, row.fit, keys)
            st.markdown(t("bench_weights.because", query=harmless(bench.queries[row.query]), why=why))


def _fits(fits: bool) -> str:
    return f":green-badge[{t('bench_weights.fits')}]" if fits else f":red-badge[{t('bench_weights.fits_not')}]"


def _temperatures(fit: TemperatureFit) -> str:
    if fit.answer == "yes":
        spans = t("bench_weights.or").join(_span(low, high) for low, high in fit.temperatures)
        return f":green-badge[{spans}]"
    color = {"any": "green", "reversed": "red", "no": "red"}[fit.answer]
    return f":{color}-badge[{t(f'bench_weights.answer_{fit.answer}')}]"


def _span(low: float, high: float) -> str:
    if math.isinf(high):
        return t("bench_weights.at_least", low=significant(low))
    if low == 0:
        return t("bench_weights.at_most", high=significant(high))
    return t("bench_weights.between", low=significant(low, 4), high=significant(high, 4))


def _why(witness: Witness, fit: TemperatureFit, keys: Sequence[str]) -> str:
    """Say in one sentence what no temperature can do."""
    if witness.reason == "sum":
        return t("bench_weights.why_sum", total=significant(fit.total, 4), slack=significant(fit.slack, 2))
    if witness.reason == "hidden":
        return t("bench_weights.why_hidden", key=keys[witness.keys[0]])
    if witness.reason == "tie":
        return t("bench_weights.why_tie", one=keys[witness.keys[0]], other=keys[witness.keys[1]])
    if witness.steep is None or witness.flat is None or witness.at_least is None or witness.at_most is None:
        return t("bench_weights.why_together")
    lower, higher = (keys[key] for key in witness.flat)
    if witness.at_most <= 0:
        return t("bench_weights.why_order", lower=lower, higher=higher)
    steep_lower, steep_higher = (keys[key] for key in witness.steep)
    return t(
        "bench_weights.why_slopes", steep_lower=steep_lower, steep_higher=steep_higher,
        at_most=significant(1 / witness.at_least), lower=lower, higher=higher,
        at_least=significant(1 / witness.at_most),
    )  # fmt: skip
