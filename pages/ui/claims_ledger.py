"""The ledger's table, one statement opened, and what checking all of them again came to."""

import re
from collections.abc import Sequence
from functools import partial
from typing import get_args

import pyarrow as pa
import streamlit as st

from core.claims import live
from core.claims.ledger import Claim
from core.claims.statements import BY_ID, CLAIMS
from pages.ui import anatomy, controls, device, long_run
from pages.ui.language import labels, t
from pages.ui.numbers import fixed, superscript
from pages.ui.registry import script
from pages.views import claims as view

_TABLE = "cl_table"
_OPEN = "cl_claim"
_HEIGHT = 400
_BREAK = "  \n"


def statement(each: Claim) -> str:
    """Return a statement in the reader's language."""
    return t(f"claim.say_{_name(each)}")


def _name(each: Claim) -> str:
    return each.id.replace("-", "_")


def _powers(text: str) -> str:
    """Write 1e-12 as 10⁻¹² and 2.5e-7 as 2.5×10⁻⁷."""
    return re.sub(r"\b1e-(\d+)", lambda m: f"10{superscript(-int(m[1]))}", text).replace("2.5e-7", "2.5×10⁻⁷")


def matching(claims: Sequence[Claim], sought: str, language: str) -> tuple[Claim, ...]:
    """Return the statements whose id, quotation or words hold what is sought."""
    if not sought:
        return tuple(claims)
    words = labels()
    return tuple(
        each
        for each in claims
        if sought in f"{each.id} {each.quote} {words[f'claim.say_{_name(each)}'][language]}".lower()
    )


def _choose_row() -> None:
    """Open the statement whose row was clicked."""
    cells = st.session_state[_TABLE].selection.cells
    ids = st.session_state.get("_cl_ids", ())
    if cells and cells[0][0] < len(ids):
        st.session_state[_OPEN] = ids[cells[0][0]]


def table(claims: Sequence[Claim]) -> None:
    """Show statements as a table; a click on a row opens it below."""
    st.session_state["_cl_ids"] = tuple(each.id for each in claims)
    columns = {
        t("claims.id"): [each.id for each in claims],
        t("frame.statement"): [statement(each) for each in claims],
        t("frame.verdict"): [t(f"verdict.{each.recorded}") for each in claims],
        t("claims.topic"): [t(f"claims.topic_{each.topic}") for each in claims],
        t("claims.line"): [each.line for each in claims],
    }
    st.dataframe(
        pa.table(columns),
        height=_HEIGHT,
        hide_index=True,
        key=_TABLE,
        on_select=_choose_row,
        selection_mode="single-cell",
        column_config={
            t("claims.id"): st.column_config.TextColumn(width=70),
            t("frame.statement"): st.column_config.TextColumn(width=330),
            t("frame.verdict"): st.column_config.TextColumn(width=110),
        },
    )


def choose(claims: Sequence[Claim]) -> str:
    """Offer the statements by number and words, and return the id of the one that is open."""
    ids = tuple(each.id for each in claims)
    names = tuple(f"{each.id} · {statement(each)}" for each in claims)
    span = f"{CLAIMS[0].id} … {CLAIMS[-1].id}"
    return controls.choice(_OPEN, t("claims.open"), ids, names, ids[0], kind="select", allowed=span)


def opened(each: Claim) -> None:
    """Show one statement: what the notes say, what is computed, by which function, when it holds, where to see it."""
    name = _name(each)
    got = view.found(each.id)
    values = {} if got is None else view.words(got)
    verdict = each.recorded if got is None else got.verdict
    with st.container(border=True):
        st.markdown(f"{anatomy.chip(verdict)} **{statement(each)}**")
        sides = st.columns(2, gap="medium")
        with sides[0]:
            st.caption(t("claims.where", notes=each.notes, line=each.line))
            st.markdown(f"> “{each.quote}”")
        with sides[1]:
            st.caption(t("claims.listed") if got is None else t("claims.by", function=each.function))
            st.markdown(t(f"claim.got_{name}", **values))
            if f"claim.if_{name}" in labels():
                st.markdown(t(f"claim.if_{name}", **values))
        if got is not None and got.verdict != each.recorded:
            st.warning(t("claims.differs", recorded=t(f"verdict.{each.recorded}")), icon=":material/sync_problem:")
        if each.tolerance:
            exact = each.tolerance in ("0", "= 0")
            st.caption(t("claims.exact") if exact else t("claims.tolerance", tolerance=_powers(each.tolerance)))
        query = dict(pair.split("=", 1) for pair in each.link.split("&")) if each.link else None
        page = t(f"page.{each.page}")
        label = t("claims.see_it", page=page) if each.link else t("claims.belongs", page=page)
        st.page_link(script(each.page), label=label, icon=":material/arrow_forward:", query_params=query)
    if got is not None:
        anatomy.folded("code", t("claims.code"), "code", partial(_code, each))


def _code(each: Claim) -> None:
    st.code(view.source(each), language="python")


def where(chosen: str) -> str:
    """Say where all checks will be run if a kind of device is chosen."""
    place = live.place(chosen)
    said = t("claims.on_cpu" if place == "cpu" else "claims.on_device", device=_device(place))
    return said if place == chosen else f"{t('claims.no_float64', device=chosen.upper())}{_BREAK}{said}"


def checked(run: long_run.Run | None) -> None:
    """Say how far a run over the whole ledger came, where and how fast, and what came out otherwise than recorded."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    results: list[view.Checked] = run.results
    others = [each for each in results if each.ran.found.verdict != BY_ID[each.id].recorded]
    slowest = max(results, key=lambda each: each.seconds)
    say = t(
        "claims.checked",
        count=len(results),
        agree=len(results) - len(others),
        seconds=fixed(sum(each.seconds for each in results), 1),
        slowest=slowest.id,
        longest=fixed(slowest.seconds, 2),
    )
    st.markdown(f"{say}{_BREAK}{_places(str(run.key[1]), results)}")
    for each in results:
        if each.ran.why == "refused":
            st.caption(f"{each.id} · `{each.ran.refusal.replace('`', chr(39))}`")
    for each in others:
        st.warning(f"{each.id} · {statement(BY_ID[each.id])} {anatomy.chip(each.ran.found.verdict)}")


def _places(asked: str, results: Sequence[view.Checked]) -> str:
    """Say how many checks were computed on which device, and why not all on the one that was asked for."""
    if asked == "cpu":
        return t("claims.all_here", device=_device(asked))
    ids = {why: [each.id for each in results if each.ran.why == why] for why in get_args(live.Why)}
    said = [t("claims.there", count=len(ids["asked"]), device=_device(asked))]
    if ids["numbers"]:
        said.append(t("claims.numbers", count=len(ids["numbers"])))
    if ids["refused"]:
        said.append(t("claims.refused", count=len(ids["refused"]), ids=", ".join(ids["refused"])))
    return _BREAK.join(said)


def _device(name: str) -> str:
    return f"{name.upper()} ({device.choose(name).label})"
