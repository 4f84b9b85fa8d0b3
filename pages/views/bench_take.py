"""The matrices of one state to take along, as LaTeX and as CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from core.matrix_text import Matrix, spell_cell
from pages.ui.cache import remember
from pages.ui.numbers import shortest
from pages.views.arithmetic import tex
from pages.views.bench_step import Params, run

_TEX = {
    "x": "X", "wq": "W_Q", "wk": "W_K", "wv": "W_V", "q": "Q", "k": "K", "v": "V", "s": "S",
    "scaled": r"S_{\text{scaled}}", "masked": r"S_{\text{masked}}", "a": "A", "o": "O",
}  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t")


@dataclass(frozen=True)
class Taken:
    """One matrix with the names of its rows and columns; ``name`` is its file's."""

    name: str
    values: Matrix
    rows: tuple[str, ...]
    columns: tuple[str, ...]


@remember(64)
def matrices(params: Params, queries: tuple[str, ...], keys: tuple[str, ...]) -> tuple[Taken, ...]:
    """Return what a state starts from and what is computed from it, in the order of the computation."""
    step = run(params)
    given = dict(params.matrices)
    found: dict[str, Matrix] = {name: given[name] for name in ("x", "wq", "wk", "wv") if name in given}
    tensors = {"q": step.q, "k": step.k, "v": step.v, "s": step.scores}
    tensors |= {"scaled": None if step.scale == 1 else step.scaled, "masked": step.masked if params.keep else None}
    tensors |= {"a": step.weights, "o": step.output}
    found |= {name: _rows(values) for name, values in tensors.items() if values is not None}
    down = {"x": queries, "q": queries, "k": keys, "v": keys} | dict.fromkeys(("s", "scaled", "masked", "a"), queries)
    down["o"] = queries
    across = dict.fromkeys(("s", "scaled", "masked", "a"), keys)
    return tuple(
        Taken(name, values, down.get(name) or _numbered(len(values)), across.get(name) or _numbered(len(values[0])))
        for name, values in found.items()
    )


def latex(taken: Sequence[Taken]) -> str:
    """Return matrices in LaTeX (amsmath), a line a matrix; long numbers to six digits."""
    return "\n".join(f"{_TEX[each.name]} &= {_bmatrix(each.values)} \\\\" for each in taken).join(
        ("\\begin{align*}\n", "\n\\end{align*}")
    )


def as_csv(taken: Taken) -> bytes:
    """Return a matrix as a CSV file in full precision, with its names, which a spreadsheet opens as text.

    A name that a spreadsheet would compute as a formula gets an apostrophe in front.
    """
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(["", *map(_harmless, taken.columns)])
    for name, row in zip(taken.rows, taken.values, strict=True):
        writer.writerow([_harmless(name), *map(shortest, row)])
    return sink.getvalue().encode("utf-8-sig")


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name


def _bmatrix(values: Matrix) -> str:
    rows = r" \\ ".join(" & ".join(map(tex, row)) for row in values)
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


def _rows(values: Tensor) -> Matrix:
    return tuple(tuple(row) for row in values.tolist())


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(spell_cell(float(number)) for number in range(1, count + 1))
