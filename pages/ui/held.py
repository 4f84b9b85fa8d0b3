"""What a visitor has on the bench: matrices, names of queries and keys, a painted mask; in the link, with undo.

Each part is in the session under the key that it has in the link, and only what differs from the example is written.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from core import mask_text
from core.errors import InputError
from core.examples import Example
from core.mask_text import Mask
from core.matrix_text import Matrix, parse, spell
from pages.ui import controls, tables
from pages.ui.language import sentence, t
from pages.views import sizes
from pages.views.tokens import join, named, split

T = TypeVar("T")
Painted = Mask | None
_UNDO, _BENCH = "_undo", "_bench"
_LONGEST_UNDO = 50
_KEPT = (*sizes.SHOWN, "query_names", "key_names", "paint", "source", _BENCH)


@dataclass(frozen=True)
class Held:
    """What lies on the bench: where it starts, its matrices, the names of its queries and keys, its painted mask."""

    start: str
    matrices: dict[str, Matrix]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    painted: Painted

    @property
    def shape(self) -> tuple[int, int]:
        """How many queries and keys there are."""
        return len(self.queries), len(self.keys)


def on_the_bench(bench: str, example: Example, query: int) -> Held:
    """Return this session's bench: the link's parts, else the edited ones, else those of ``example``.

    ``bench`` names the example with all that it was drawn by: under another one everything starts anew, which can be
    undone, and ``query`` is followed. A part that cannot be read is named and replaced; matrices that do not fit
    together are all replaced, and the sizes named.
    """
    before = st.session_state.get(_BENCH, bench)
    if before != bench:
        change()
        st.session_state[_UNDO][-1] |= _origin(before)
        _fill(example)
        st.session_state["query"] = query
    st.session_state[_BENCH] = bench
    followed = {
        name: _followed(name, sizes.SHOWN[name], default, partial(parse, name=sizes.SHOWN[name]))
        for name, default in _parts_of(example).items()
    }
    matrices = {name: matrix for name, matrix in followed.items() if matrix is not None}
    try:
        found = sizes.sizes(example.start, matrices)
    except InputError as error:
        names = ", ".join(sizes.SHOWN[name] for name in matrices)
        controls.notice(t("frame.defaults_used", reason=sentence(error), name=names, used=t("bench.own")))
        matrices = dict(example.matrices)
        found = sizes.sizes(example.start, matrices)
        st.session_state.update(_parts_of(example))
    n_q, n_k = found.get("n_q", found.get("n", 1)), found.get("n_k", found.get("n", 1))
    queries = _followed("query_names", t("bench.query_names"), example.row_tokens, split)
    keys = _followed("key_names", t("bench.key_names"), example.column_tokens, split)
    painted = _followed("paint", t("bench.paint"), None, mask_text.parse)
    if painted is not None and (len(painted), len(painted[0])) != (n_q, n_k):
        painted = st.session_state["paint"] = _fitted(painted, n_q, n_k)
    _write(example, matrices, queries, keys, painted)
    own = example.start == "x"
    return Held(
        example.start,
        matrices,
        named(queries, n_q, "x" if own else "q"),
        named(queries if own else keys, n_k, "x" if own else "k"),
        painted,
    )


def _followed(key: str, label: str, default: T, read: Callable[[str], T | None]) -> T:
    return controls.follow_link(key, label, default, read, default_name=t("bench.own"))


def _write(
    example: Example, matrices: dict[str, Matrix], queries: Sequence[str], keys: Sequence[str], painted: Painted
) -> None:
    for name in sizes.SHOWN:
        changed = name in matrices and matrices[name] != example.matrices.get(name)
        controls.write_link(name, spell(matrices[name]) if changed else None)
    controls.write_link("query_names", join(queries) if tuple(queries) != example.row_tokens else None)
    controls.write_link("key_names", join(keys) if tuple(keys) != example.column_tokens else None)
    controls.write_link("paint", None if painted is None else mask_text.spell(painted))


def change(**parts: Any) -> None:
    """Put other parts on the bench, so that it can be undone."""
    history = st.session_state.setdefault(_UNDO, [])
    history.append({name: st.session_state.get(name) for name in _KEPT if name in st.session_state})
    del history[:-_LONGEST_UNDO]
    st.session_state.update(parts)


def _origin(bench: str) -> dict[str, Any]:
    """The controls that brought a bench, by its name."""
    source, _, seed = bench.partition(" ")
    return {"source": source, "seed": int(seed)} if seed else {"source": source}


def start_from(source: str, **parts: Any) -> None:
    """Put other parts on the bench, as edits of another source without a seed; this, too, can be undone."""
    change(source=source, **{_BENCH: source}, **parts)


def can_undo() -> bool:
    """Say whether there is a change to take back."""
    return bool(st.session_state.get(_UNDO))


def undo() -> None:
    """Take the last change back."""
    if can_undo():
        st.session_state.update(st.session_state[_UNDO].pop())
        tables.forget()


def reset(example: Example) -> None:
    """Bring the example back; this, too, can be undone."""
    change()
    _fill(example)
    tables.forget()


def _fill(example: Example) -> None:
    st.session_state.update(_parts_of(example))
    st.session_state.update(query_names=example.row_tokens, key_names=example.column_tokens, paint=None)


def _parts_of(example: Example) -> dict[str, Matrix | None]:
    """The example's matrices; None is the V that may be added where scores are given."""
    return {name: example.matrices.get(name) for name in sizes.AXES[example.start]}


def _fitted(painted: Mask, n_q: int, n_k: int) -> Mask:
    """The same paint on other sizes; new cells may be seen."""
    return tuple(
        tuple(painted[i][j] if i < len(painted) and j < len(painted[0]) else True for j in range(n_k))
        for i in range(n_q)
    )
