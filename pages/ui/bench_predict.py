"""Predict first: the weights stay hidden until the student has said which key gets most, and how much."""

from collections.abc import Sequence

import streamlit as st
from torch import Tensor

from pages.ui import controls
from pages.ui.bench_notice import words
from pages.ui.language import harmless
from pages.ui.numbers import fixed
from pages.views.arithmetic import places
from pages.views.bench_prediction import NO_KEY, Guess, outcome
from pages.views.bench_step import Params

_SAID = "_predicted"
_MOST_REMEMBERED = 50


def switch() -> bool:
    """Offer to predict first."""
    return controls.switch("predict", words("predict"), help=words("predict_help"))


def waiting(on: bool, state: Params) -> bool:
    """Say whether the weights of this state are still to be predicted; a guess about one query shows all of them."""
    return on and state not in _said()


def ask(state: Params, i: int, query: str, keys: Sequence[str]) -> None:
    """Ask which key gets most of query i (from 0) and about how much; nothing is chosen beforehand."""
    names = {j: _numbered(j, name) for j, name in enumerate(keys)} | {NO_KEY: words("predict_none")}
    mark = hash((state, i))
    with st.container(border=True):
        st.markdown(words("predict_ask", query=harmless(query)))
        key = st.pills(words("predict_key"), list(names), format_func=names.__getitem__, key=f"guess_key_{mark}")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            share = st.number_input(
                words("predict_share"), 0.0, 1.0, None, 0.05, key=f"guess_share_{mark}",
                placeholder=words("predict_hint"), width=260,
            )  # fmt: skip
            guess = None if key is None or share is None else Guess(int(key), float(share), i)
            st.button(
                words("predict_show"), key="guess_show", icon=":material/visibility:", type="primary",
                disabled=guess is None, on_click=_keep, args=(state, guess),
            )  # fmt: skip


def compare(state: Params, weights: Tensor, queries: Sequence[str], keys: Sequence[str]) -> None:
    """Show what was said about a query beside what is computed, its row of the weights, if something was said."""
    guess = _said().get(state)
    if guess is None:
        return
    found = outcome(weights[guess.query], guess)
    names = {j: _numbered(j, name) for j, name in enumerate(keys)} | {NO_KEY: words("predict_none")}
    most = words("predict_or").join(names[j] for j in found.most) or names[NO_KEY]
    right = guess.key in found.most or (guess.key == NO_KEY and not found.most)
    judged = words("predict_right" if right else "predict_wrong")
    name = harmless(queries[guess.query])
    lines = [
        f"| {name} | {words('predict_said')} | {words('predict_computed')} | {words('predict_difference')} |",
        "|---|---|---|---|",
        f"| {words('predict_key')} | {names[guess.key]} | {most} | {judged} |",
        f"| {words('predict_share')} | {fixed(guess.share)} | {places(found.largest, 4)} "
        f"| {places(found.largest - guess.share, 4)} |",
    ]
    if not right and guess.key != NO_KEY:
        lines.append(f"| {words('predict_of', key=names[guess.key])} | | {places(found.of_guessed, 4)} | |")
    st.markdown("\n".join(lines))


def _said() -> dict[Params, Guess]:
    return st.session_state.setdefault(_SAID, {})


def _keep(state: Params, guess: Guess) -> None:
    said = _said()
    said[state] = guess
    while len(said) > _MOST_REMEMBERED:
        del said[next(iter(said))]


def _numbered(j: int, name: str) -> str:
    """A key's name; with its number where the name does not say it, for names repeat."""
    return name if name == f"k{j + 1}" else f"{j + 1} · {harmless(name)}"
