"""The sizes of known models, edited in place; the link holds them as a small matrix."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.matrix_text import check
from pages.ui import controls, tables
from pages.ui.language import t
from pages.views import heads_cache as caching
from pages.views.heads_cache import Rows

PAGE = "heads"
KEY = "hd_models"


def rows() -> Rows:
    """Return the models' sizes where link and session meet; without edits they are the usual ones."""
    usual = caching.USUAL
    found: Rows | None = controls.follow_link(
        KEY, t(f"{PAGE}.edit"), None, caching.read_rows, default_name=t(f"{PAGE}.usual")
    )
    controls.write_link(KEY, None if found is None or found == usual else caching.spell_rows(found))
    return usual if found is None else found


def editor(value: Rows, names: Sequence[str]) -> None:
    """Offer the sizes for editing, and the way back to the usual ones."""
    st.caption(t(f"{PAGE}.edit_help"))
    tables.editor(KEY, value, _kind(names), t(f"{PAGE}.edit"))
    st.button(t("frame.back_to_example"), key="hd_models_back", icon=":material/restart_alt:", on_click=_back)


def _back() -> None:
    st.session_state[KEY] = None
    tables.forget()


def _kind(names: Sequence[str]) -> tables.Kind[Rows]:
    heads = [t(f"{PAGE}.column_{column}") for column in caching.COLUMNS]

    def frame(value: Rows) -> pd.DataFrame:
        return pd.DataFrame([list(row) for row in value], columns=heads, index=list(names))

    def columns(frame: pd.DataFrame) -> Mapping[str, Any]:
        limits = zip(heads, caching.kv_cache.LIMITS.values(), strict=True)
        return {
            name: st.column_config.NumberColumn(name, min_value=1, max_value=limit, step=1, width=150)
            for name, limit in limits
        }

    def read(base: Rows, state: Mapping[str, Any]) -> Rows:
        texts = [[str(size) for size in row] for row in base]
        for row, cells in state["edited_rows"].items():
            for name, size in cells.items():
                if name in heads and str(row).isdecimal() and int(row) < len(texts):
                    texts[int(row)][heads.index(name)] = "" if size is None else str(size)
        return caching.whole(check(texts, t(f"{PAGE}.edit")))

    return tables.Kind(frame, columns, read, partial(st.session_state.__setitem__, KEY))
