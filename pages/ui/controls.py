"""Controls whose values are in the link.

Numbers and untranslated options use Streamlit's own binding; translated choices keep stable ids in the link. A value
that a link asks for and that cannot be had is replaced by the default, and ``notices`` says so.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import InputError
from pages.ui.language import LANGUAGES, from_browser, harmless, sentence, settle, t
from pages.ui.numbers import shortest

T = TypeVar("T")
_NOTICES = "_notices"
_WRITTEN = "_written"
_BOUNDS = "_bounds"
_KEPT = "_kept"
_LONGEST_RECENT = 16
_MANY = 12
# These stand in the link of every page.
APP_WIDE = ("lang", "device", "present")


def begin() -> None:
    """Start a run: the last run's notices are forgotten."""
    st.session_state[_NOTICES] = []


def enter(page: str) -> None:
    """Enter a page: on another one than last time, what was written into the link no longer stands there."""
    if st.session_state.get("_page") != page:
        st.session_state["_page"] = page
        written = st.session_state.get(_WRITTEN, {})
        st.session_state[_WRITTEN] = {key: written[key] for key in APP_WIDE if key in written}


def page() -> str:
    """Return the name of the page that this visitor is on."""
    return str(st.session_state.get("_page", ""))


def notice(text: str) -> None:
    """Say ``text`` once, above the page, in this run."""
    st.session_state.setdefault(_NOTICES, []).append(text)


def notices() -> list[str]:
    """Return what is to be said above the page in this run."""
    return list(st.session_state.get(_NOTICES, []))


def asked(key: str) -> str | None:
    """Return what the link asks for under ``key``, or None."""
    return st.query_params.get(key)


def _refuse(key: str, label: str, raw: str, times: int, allowed: str, used: object) -> None:
    """Say that the link's value for ``key`` is not used, what would be possible, and what is used."""
    shown = harmless(used)
    if times > 1:
        notice(t("frame.link_twice", name=label, used=shown))
    else:
        notice(t("frame.bad_link", name=label, value=harmless(raw, 40), allowed=allowed, used=shown))


def _asked_badly(key: str, valid: Callable[[str], bool]) -> tuple[str, int] | None:
    """Before a bound widget is first made: take a value that it could not take out of the link, and return it."""
    raw, times = asked(key), len(st.query_params.get_all(key))
    if raw is None or key in st.session_state or (times == 1 and valid(raw)):
        return None
    del st.query_params[key]
    return raw, times


def _number_between(low: float, high: float, whole: bool) -> Callable[[str], bool]:
    def valid(raw: str) -> bool:
        try:
            value = float(raw)
        except ValueError:
            return False
        return math.isfinite(value) and low <= value <= high and (not whole or value == int(value))

    return valid


def _span(low: float, high: float) -> str:
    return f"{shortest(low)} … {shortest(high)}"


def whole(key: str, label: str, low: int, high: int, default: int, step: int = 1, help: str | None = None) -> int:
    """Return an integer from a slider, bound to ``?key=``."""
    bad = _asked_badly(key, _number_between(low, high, whole=True))
    value = st.slider(label, low, high, default, step, key=key, help=help, bind="query-params", persist_state="session")
    if bad:
        _refuse(key, label, *bad, _span(low, high), value)
    return int(value)


def within(key: str, label: str, low: int, high: int, default: int, help: str | None = None) -> int:
    """Return an integer from a slider whose bounds move with other settings; the link holds it under ``key``.

    A slider with new bounds is a new one to Streamlit, which would fill it from the link or from the value of an
    earlier slider, beyond the new bounds too; here the last value goes along, to the nearer bound if need be.
    """
    fits = _number_between(low, high, whole=True)
    value, first = _followed(
        key, label, default, lambda raw: int(float(raw)) if fits(raw) else None, allowed=_span(low, high)
    )
    inside = min(high, max(low, value))
    bounds = st.session_state.setdefault(_BOUNDS, {})
    if bounds.get(key) != (low, high):
        bounds[key] = (low, high)
        if not first:
            st.session_state[key] = inside
    start = inside if first else None
    chosen = int(st.slider(label, low, high, start, key=key, help=help, persist_state="session"))
    st.session_state[_KEPT][key] = chosen
    write_link(key, None if chosen == default else str(chosen))
    return chosen


def _followed(
    key: str, label: str, default: T, read: Callable[[str], T | None], *, allowed: str, default_name: str | None = None
) -> tuple[T, bool]:
    """Do as ``follow_link`` does for a widget of that key, and say whether it is made for the first time.

    Then the value is to be its start, not its state: a page that comes back to a restarted server by a move brings
    the state along, and that is newer than the link. A value that was there before other pages is kept.
    """
    kept = st.session_state.setdefault(_KEPT, {})
    if key not in st.session_state and key in kept:
        st.session_state[key] = kept[key]
    first = key not in st.session_state
    value = follow_link(key, label, default, read, allowed=allowed, default_name=default_name)
    if first:
        del st.session_state[key]
    return value, first


def real(key: str, label: str, low: float, high: float, default: float, step: float, help: str | None = None) -> float:
    """Return a real number from a slider, bound to ``?key=``."""
    bad = _asked_badly(key, _number_between(low, high, whole=False))
    value = st.slider(
        label,
        float(low),
        float(high),
        float(default),
        float(step),
        key=key,
        help=help,
        bind="query-params",
        persist_state="session",
    )
    if bad:
        _refuse(key, label, *bad, _span(low, high), shortest(value))
    return float(value)


def ladder(key: str, label: str, rungs: Sequence[int], default: int, help: str | None = None) -> int:
    """Return one of ``rungs`` (a logarithmic slider, say), bound to ``?key=``."""
    bad = _asked_badly(key, lambda raw: raw in {str(rung) for rung in rungs})
    value = st.select_slider(
        label, list(rungs), default, key=key, help=help, bind="query-params", persist_state="session"
    )
    if bad:
        _refuse(key, label, *bad, ", ".join(map(str, rungs)), value)
    return value


def switch(key: str, label: str, default: bool = False, help: str | None = None) -> bool:
    """Return an on/off choice, bound to ``?key=true``."""
    bad = _asked_badly(key, lambda raw: raw.lower() in {"true", "false"})
    value = st.toggle(label, default, key=key, help=help, bind="query-params", persist_state="session")
    if bad:
        _refuse(key, label, *bad, "true, false", t("frame.on") if value else t("frame.off"))
    return value


def follow_link(
    key: str,
    label: str,
    default: T,
    read: Callable[[str], T | None],
    *,
    sticky: bool = False,
    default_name: str | None = None,
    allowed: str = "",
) -> T:
    """Return the value under ``key`` where the link and the session meet: a changed link wins, else the session.

    For values that Streamlit's binding cannot write; ``read`` returns None for what it refuses, or raises
    ``InputError`` where there is more to say. Call before the widget, and ``write_link`` once the run's value is
    known. A ``sticky`` value outlives links that do not name it; ``default_name`` is what a reader calls the default,
    ``allowed`` what a link may say.
    """
    raw, recent = asked(key), _recent(key)
    known = raw in recent and not _went_through_history()
    if raw is not None and not known:
        st.session_state[key] = _read(
            key, label, default, raw, read, str(default) if default_name is None else default_name, allowed
        )
    elif key not in st.session_state or (raw is None and recent and not known and not sticky):
        st.session_state[key] = default
    if raw not in recent:
        recent.append(raw)
    return st.session_state[key]


def _recent(key: str) -> list[str | None]:
    """What the link has held under ``key`` of late; None is nothing.

    A move that follows closely on another comes with the link from before the other was written into it: such a link
    is not a new one, and must not take the value back.
    """
    return st.session_state.setdefault(_WRITTEN, {}).setdefault(key, [])


def _went_through_history() -> bool:
    """Say whether the visitor came here by the browser's back or forward: then the link counts, new or not."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _read(
    key: str, label: str, default: T, raw: str, read: Callable[[str], T | None], default_name: str, allowed: str
) -> T:
    times = len(st.query_params.get_all(key))
    try:
        value = read(raw) if times == 1 else None
    except InputError as error:
        notice(t("frame.defaults_used", reason=sentence(error), name=label, used=default_name))
        del st.query_params[key]
        return default
    if value is None:
        _refuse(key, label, raw, times, allowed, default_name)
        del st.query_params[key]
        return default
    return value


def write_link(key: str, text: str | None) -> None:
    """Put ``text`` into the link under ``key``, or take it out where ``text`` is None (the default)."""
    recent, raw = _recent(key), asked(key)
    # The link that came with this move may be older than what was written last; the browser has the latter.
    stands = raw == text and recent[-1:] == [text]
    if text in recent:
        recent.remove(text)
    recent.append(text)
    del recent[:-_LONGEST_RECENT]
    if stands:
        return
    if text is not None:
        st.query_params[key] = text
    elif raw is not None:
        del st.query_params[key]
    else:
        # Nothing to take out here, but the browser's link is newer: it is sent this one as it stands.
        st.query_params.update()


def _short(ids: Sequence[str]) -> str:
    """Return what may be asked for: all, or the first few and the last where they are many."""
    return ", ".join(ids) if len(ids) <= _MANY else f"{', '.join(ids[:5])}, …, {ids[-1]}"


def choice(
    key: str,
    label: str,
    ids: Sequence[str],
    names: Sequence[str],
    default: str,
    *,
    kind: Literal["segmented", "select"] = "segmented",
    help: str | None = None,
    label_visibility: Literal["visible", "hidden", "collapsed"] = "visible",
    allowed: str = "",
) -> str:
    """Return one of ``ids``, shown by their ``names`` in the reader's language; the link holds the id.

    ``allowed`` says in short what a link may ask for, where the ids are too many to be named.
    """
    shown = dict(zip(ids, names, strict=True))
    known = {name: name for name in ids}
    start, first = _followed(
        key, label, default, known.get, default_name=shown[default], allowed=allowed or _short(ids)
    )
    if not first and st.session_state.get(key) not in shown:
        st.session_state[key] = default
    if kind == "segmented":
        value = st.segmented_control(
            label,
            list(ids),
            default=start if first else None,
            format_func=shown.__getitem__,
            key=key,
            help=help,
            required=True,
            persist_state="session",
            label_visibility=label_visibility,
        )
    else:
        value = st.selectbox(
            label,
            list(ids),
            index=ids.index(start) if first else 0,
            format_func=shown.__getitem__,
            key=key,
            help=help,
            persist_state="session",
            label_visibility=label_visibility,
        )
    value = value or default
    st.session_state[_KEPT][key] = value
    write_link(key, None if value == default else value)
    return value


def search(key: str, label: str, placeholder: str, longest: int = 60) -> str:
    """Return in lower case what is searched for, from a text field in the link; ``longest`` is in characters."""

    def read(raw: str) -> str | None:
        return raw if len(raw) <= longest and raw.isprintable() else None

    allowed = t("frame.characters", limit=longest)
    start, first = _followed(key, label, "", read, default_name="∅", allowed=allowed)
    value = st.text_input(
        label, start if first else "", longest, key=key, placeholder=placeholder, icon=":material/search:",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    st.session_state[_KEPT][key] = value or ""
    write_link(key, value or None)
    return (value or "").strip().lower()


def follow_language() -> None:
    """Take the language from the link, else the session, else the browser."""
    settle(None)
    default = from_browser(st.context.locale)
    known = {name: name for name in LANGUAGES}
    settle(
        follow_link(
            "lang",
            t("frame.language"),
            default,
            known.get,
            sticky=True,
            default_name=LANGUAGES[default],
            allowed=", ".join(LANGUAGES),
        )
    )


def language_control() -> None:
    """Offer the languages; the choice is in the link unless it is the browser's own."""
    st.segmented_control(
        t("frame.language"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key="lang",
        required=True,
        persist_state="session",
        label_visibility="collapsed",
    )
    language = st.session_state["lang"]
    settle(language)
    write_link("lang", language if language != from_browser(st.context.locale) else None)
