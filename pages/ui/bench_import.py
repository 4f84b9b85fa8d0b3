"""A matrix from a spreadsheet or a file: what was understood is shown with switches, and a button puts it on the bench.

None of this is in the link: what was pasted or uploaded is somebody's own, and only the matrices that come of it go in.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from core.errors import InputError
from core.matrix_import.understood import DECIMALS, DELIMITERS, MAX_BYTES, Reading, Understood
from core.matrix_text import MAX_SIDE, spell_cell
from pages.ui import held
from pages.ui.held import Held
from pages.ui.language import harmless, sentence, t
from pages.ui.numbers import thousands
from pages.views import bench_import as view
from pages.views import sizes
from pages.views.bench_import import Choices, Placed

START_AT_SCORES = "raw"
"""The source that a bench of imported scores counts as an edit of."""
_PUT = "_put_on_the_bench"
_AUTOMATIC = "\0"  # no array of an archive has this name: a zip ends names there
_ENDINGS = ["csv", "tsv", "txt", "npy", "npz"]
_DECIMAL_NAMES = dict(zip(DECIMALS, ("point", "comma"), strict=True))


def offer(bench: Held) -> None:
    """Offer to paste or upload a matrix, show what was understood of it, and put it on the bench."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _segmented(
            "import_target", t("bench_import.target"), view.TARGETS[bench.start], sizes.SHOWN.__getitem__
        )
        way = _segmented("import_way", t("bench_import.way"), ("paste", "upload"), _way_name)
    data = _pasted() if way == "paste" else _uploaded()
    if put := st.session_state.pop(_PUT, None):
        st.success(t("bench_import.put", name=put), icon=":material/check:")
    if data:
        found = _read(data, sizes.SHOWN[target])
        if isinstance(found, InputError):
            st.error(sentence(found))
        else:
            _show(found)
            _offer_to_put(bench, target, found)
    if held.can_undo():
        st.button(t("bench.undo"), key="undo_import", icon=":material/undo:", on_click=held.undo)


def _way_name(way: str) -> str:
    return t(f"bench_import.way_{way}")


def _segmented(key: str, label: str, ids: Sequence[str], name: Callable[[str], str]) -> str:
    if st.session_state.get(key) not in ids:
        st.session_state[key] = ids[0]
    names = {each: name(each) for each in ids}
    st.segmented_control(
        label, list(ids), format_func=names.__getitem__, key=key, required=True, persist_state="session"
    )
    return str(st.session_state[key])


def _pasted() -> str:
    return st.text_area(
        t("bench_import.text"), key="import_text", placeholder=t("bench_import.text_hint"), height=140,
        help=t("bench_import.text_help", side=MAX_SIDE), persist_state="session",
    )  # fmt: skip


def _uploaded() -> bytes | None:
    file = st.file_uploader(
        t("bench_import.file"), _ENDINGS, key="import_file", max_upload_size=-(-MAX_BYTES // 1_000_000),
        help=t("bench_import.file_help", side=MAX_SIDE, bytes=thousands(MAX_BYTES)),
    )  # fmt: skip
    return None if file is None else file.getvalue()


def _read(data: str | bytes, name: str) -> Understood | InputError:
    """Read with all switches as they stand; they start anew with every other text or file."""
    what = f"{name}_{zlib.crc32(data.encode(errors='surrogatepass') if isinstance(data, str) else data):x}"
    found = view.reading(data, Choices(), name)
    if view.is_text(data):
        choices = _text_switches(what, None if isinstance(found, InputError) else found)
    else:
        choices = Choices(array=_array_switch(what, found)) if isinstance(found, Understood) else Choices()
    found = view.reading(data, choices, name)
    if isinstance(found, InputError) or not found.axes:
        return found
    return view.reading(data, _with_index(choices, _index_switches(what, found.axes)), name)


def _with_index(choices: Choices, index: tuple[int, ...] | None) -> Choices:
    return Choices(choices.delimiter, choices.decimal, choices.header, choices.row_names, choices.array, index)


def _text_switches(what: str, found: Understood | None) -> Choices:
    """Offer every decision about a text; what the reader decides by itself is named beside “automatic”."""
    automatic = {} if found is None else _decided(found)
    columns = st.columns(4)
    with columns[0]:
        delimiter = _switch(what, "delimiter", DELIMITERS, automatic, _delimiter_name)
    with columns[1]:
        decimal = _switch(what, "decimal", DECIMALS, automatic, _decimal_name)
    with columns[2]:
        header = _switch(what, "header", ("yes", "no"), automatic, _labels_name)
    with columns[3]:
        names = _switch(what, "row_names", ("yes", "no"), automatic, _labels_name)
    return Choices(delimiter, decimal, _truth(header), _truth(names))


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _truth(answer: str | None) -> bool | None:
    return None if answer is None else answer == "yes"


def _decided(found: Understood) -> dict[str, str | None]:
    """What the reader decided by itself."""
    labels = {"header": _yes(found.header), "row_names": _yes(found.row_names)}
    return {"delimiter": found.delimiter, "decimal": found.decimal, **labels}


def _switch(
    what: str, name: str, ids: Sequence[str], decided: Mapping[str, str | None], shown: Callable[[str], str]
) -> str | None:
    found = decided.get(name)
    automatic = t("bench_import.auto") if found is None else t("bench_import.auto_found", found=shown(found))
    return _select(f"import_{name}_{what}", t(f"bench_import.{name}"), automatic, {each: shown(each) for each in ids})


def _select(key: str, label: str, automatic: str, names: Mapping[str, str]) -> str | None:
    """Offer ids by their names; None, the first, leaves it to the reader."""
    shown = {_AUTOMATIC: automatic, **names}
    chosen = st.selectbox(label, list(shown), format_func=shown.__getitem__, key=key)
    return None if chosen == _AUTOMATIC else chosen


def _delimiter_name(delimiter: str) -> str:
    return t(f"bench_import.delimiter_{delimiter}")


def _decimal_name(decimal: str) -> str:
    mark = _DECIMAL_NAMES[decimal]
    return t(f"bench_import.decimal_{mark}")


def _labels_name(answer: str) -> str:
    return t(f"bench_import.labels_{answer}")


def _array_switch(what: str, found: Understood) -> str | None:
    """Offer an archive's arrays, where there is more than one."""
    if len(found.arrays) < 2:
        return None
    shown = {each.name: f"{_printable(each.name)} · {list(each.shape)} · {each.dtype}" for each in found.arrays}
    automatic = t("bench_import.auto_found", found=_printable(found.array or ""))
    return _select(f"import_array_{what}", t("bench_import.array"), automatic, shown)


def _printable(text: str) -> str:
    return "".join(character for character in text[:40] if character.isprintable())


def _index_switches(what: str, axes: Sequence[int]) -> tuple[int, ...] | None:
    """Offer the index of a matrix along every leading axis; None while nothing has been chosen."""
    chosen = []
    for column, (number, length) in zip(st.columns(max(4, len(axes))), enumerate(axes), strict=False):
        key = f"import_index_{what}_{number}_{length}"
        label = t("bench_import.index", number=number + 1, last=length - 1)
        with column:
            chosen.append(st.number_input(label, 0, length - 1, None, key=key, placeholder="0"))
    return None if all(at is None for at in chosen) else tuple(int(at or 0) for at in chosen)


def _show(found: Understood) -> None:
    """Say what was understood, what was done, what is in doubt, and show the cells."""
    st.markdown(" · ".join(_facts(found)))
    for doubt in found.doubts:
        st.warning(t(f"bench_import.doubt_{doubt}", others=_others(found.alternatives), stored=found.stored))
    for note in found.notes:
        st.caption(t(f"bench_import.note_{note}", stored=found.stored))
    rows, width = found.shape
    columns = _unlike(found.columns or [""] * width)
    index = _unlike(found.rows or [""] * rows)
    cells = [[spell_cell(value) for value in row] for row in found.matrix]
    st.dataframe(pd.DataFrame(cells, columns=columns, index=index), width="content", height="content")


def _facts(found: Understood) -> list[str]:
    rows, columns = found.shape
    facts = [t("bench_import.shape", rows=rows, columns=columns)]
    if found.delimiter is not None and found.decimal is not None:
        facts.append(t("bench_import.parted", how=_delimiter_name(found.delimiter)))
        facts.append(t("bench_import.marked", how=_decimal_name(found.decimal)))
    if found.source == "text":
        facts.append(t(f"bench_import.header_{_yes(found.header)}"))
        facts.append(t(f"bench_import.row_names_{_yes(found.row_names)}"))
    if found.array is not None:
        facts.append(t("bench_import.of_archive", name=harmless(found.array), many=len(found.arrays)))
    if found.axes:
        facts.append(t("bench_import.at_index", index=", ".join(map(str, found.index))))
    return [*facts, t("bench_import.stored", stored=harmless(found.stored))] if found.stored != "text" else facts


def _others(readings: Sequence[Reading]) -> str:
    return t("bench_import.or").join(
        t(
            "bench_import.other", rows=each.shape[0], columns=each.shape[1],
            delimiter=_delimiter_name(each.delimiter), decimal=_decimal_name(each.decimal),
        )
        for each in readings
    )  # fmt: skip


def _unlike(labels: Sequence[str]) -> list[str]:
    """Number labels, which may repeat: a table needs names that differ."""
    return [f"{number} {_printable(label)}".strip() for number, label in enumerate(labels, start=1)]


def _offer_to_put(bench: Held, target: str, found: Understood) -> None:
    """Say what putting the matrix on the bench does to all the rest, and offer it."""
    placed = view.placed(bench.start, bench.matrices, target, found)
    for line in _consequences(bench, placed):
        st.caption(line)
    st.button(
        t("bench_import.use", name=sizes.SHOWN[target]), key="import_use", icon=":material/input:", type="primary",
        on_click=_put, args=(bench, target, placed), disabled=_is_there(bench, placed),
    )  # fmt: skip


def _is_there(bench: Held, placed: Placed) -> bool:
    same_names = all(tuple(st.session_state.get(part, ())) == names for part, names in placed.names.items())
    return not placed.anew and placed.matrices == bench.matrices and same_names


def _consequences(bench: Held, placed: Placed) -> list[str]:
    lines = []
    if placed.anew:
        leave = ", ".join(sizes.SHOWN[name] for name in bench.matrices)
        lines.append(t("bench_import.anew", names=leave))
    if placed.moved:
        moved = t("bench_import.comma").join(
            t(
                "bench_import.moved_one", name=sizes.SHOWN[each.name], before=_times(each.before),
                after=_times(each.after),
            )
            for each in placed.moved
        )  # fmt: skip
        lines.append(t("bench_import.moved", moved=moved))
    for part, names in placed.names.items():
        called = "tokens" if bench.start == "x" and not placed.anew else part
        shown = t("bench_import.comma").join(harmless(name) for name in names)
        lines.append(t(f"bench_import.names_{called}", names=shown))
    return [*lines, t("bench_import.shortened")] if placed.shortened else lines


def _times(shape: tuple[int, int]) -> str:
    return f"{shape[0]} × {shape[1]}"


def _put(bench: Held, target: str, placed: Placed) -> None:
    if placed.anew:
        unnamed: dict[str, tuple[str, ...]] = {"query_names": (), "key_names": ()}
        held.start_from(START_AT_SCORES, **{**unnamed, **placed.names}, **placed.matrices, v=None, paint=None)
    else:
        held.change(**placed.matrices, **placed.names)
    st.session_state[_PUT] = sizes.SHOWN[target]
