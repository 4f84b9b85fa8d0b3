"""What becomes of an imported matrix: how it is read, where it goes on the bench, and what has to follow it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.errors import InputError
from core.matrix_import.npy import MAGIC
from core.matrix_import.npz import MAGICS
from core.matrix_import.text import understand
from core.matrix_import.understood import Understood
from core.matrix_import.upload import understand_bytes
from core.matrix_text import Matrix
from pages.ui.cache import remember
from pages.views import sizes
from pages.views.tokens import from_labels

TARGETS = {"q": ("q", "k", "v", "s"), "x": ("x", "wq", "wk", "wv", "s"), "s": ("s", "v")}
"""Which matrices can be brought to a bench, by where it starts."""
NAMES = {"q": ("query_names", None), "k": ("key_names", None), "v": ("key_names", None), "x": ("query_names", None)} | {
    "s": ("query_names", "key_names")
}
"""What the labels of a matrix's rows and columns name, None for nothing; X's rows are queries and keys at once."""


@dataclass(frozen=True)
class Choices:
    """What a visitor decided about reading a matrix; None is left to the reader."""

    delimiter: str | None = None
    decimal: str | None = None
    header: bool | None = None
    row_names: bool | None = None
    array: str | None = None
    index: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Placed:
    """A bench with an imported matrix on it.

    ``moved``: the other matrices that follow in size. ``names``: of queries and keys, by their part; ``shortened``
    says whether a label was changed to become a name. ``anew``: the bench starts at S from here, and all else leaves.
    """

    matrices: dict[str, Matrix]
    moved: tuple[sizes.Resized, ...]
    names: dict[str, tuple[str, ...]]
    shortened: bool
    anew: bool


def is_text(data: str | bytes) -> bool:
    """Say whether this is read as text, not as NumPy's files."""
    return isinstance(data, str) or not data.startswith((MAGIC, *MAGICS))


@remember(16)
def reading(data: str | bytes, choices: Choices, name: str) -> Understood | InputError:
    """Read a matrix out of pasted text or of a file's bytes, or return why it cannot be."""
    read = partial(understand, data) if isinstance(data, str) else partial(understand_bytes, data, array=choices.array)
    try:
        return read(
            delimiter=choices.delimiter, decimal=choices.decimal, header=choices.header,
            row_names=choices.row_names, index=choices.index, name=name,
        )  # fmt: skip
    except InputError as error:
        # A new one: the one that was raised holds on to all that was at hand when it was.
        return InputError(error.code, **error.values)


def placed(start: str, matrices: Mapping[str, Matrix], target: str, found: Understood) -> Placed:
    """Return the bench with what was ``found`` as its matrix ``target``."""
    anew = target == "s" and start != "s"
    names, shortened = _names(target, found)
    if anew:
        return Placed({"s": found.matrix}, (), names, shortened, anew)
    all_of_it, moved = sizes.replaced(start, matrices, target, found.matrix)
    return Placed(all_of_it, tuple(moved), names, shortened, anew)


def _names(target: str, found: Understood) -> tuple[dict[str, tuple[str, ...]], bool]:
    names: dict[str, tuple[str, ...]] = {}
    shortened = False
    for part, labels in zip(NAMES.get(target, (None, None)), (found.rows, found.columns), strict=True):
        if part is not None and labels is not None:
            names[part] = from_labels(labels)
            shortened |= _changed(labels, names[part])
    return names, shortened


def _changed(labels: Sequence[str], names: Sequence[str]) -> bool:
    return any(label.split() != name.split() for label, name in zip(labels, names, strict=False))
