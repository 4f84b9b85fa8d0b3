"""Records of times measured elsewhere: the files as they are now, and frames of here and there put together."""

from pathlib import Path
from typing import Protocol

import pandas as pd

from core.complexity import recorded
from core.complexity.recorded import Record
from core.errors import InputError
from pages.ui.cache import remember
from pages.ui.draw import arrow, read
from pages.ui.numbers import significant


def records(page: str) -> tuple[tuple[Record, ...], tuple[InputError, ...]]:
    """Return a page's records by name, and why other files are left out; files are read again when they change."""
    folder = recorded.FOLDER
    stamps = []
    for path in sorted(folder.glob("*.json"))[: recorded.MAX_FILES]:
        try:
            found = path.stat()
        except OSError:  # gone since, or a link to nowhere: the reader says so
            stamps.append((path.name, 0, 0))
        else:
            stamps.append((path.name, found.st_mtime_ns, found.st_size))
    return _records(str(folder), page, tuple(stamps))


@remember(8)
def _records(
    folder: str, page: str, stamps: tuple[tuple[str, int, int], ...]
) -> tuple[tuple[Record, ...], tuple[InputError, ...]]:
    del stamps
    return recorded.read_all(Path(folder), page)


class Packed(Protocol):
    """What a page has measured: frames by name, packed."""

    @property
    def data(self) -> dict[str, bytes]:
        """The frames."""


def together(here: Packed | None, there: Packed | None) -> dict[str, bytes]:
    """Return the packed frames of a run here and of a recorded one as one of each name, told apart by ``origin``."""
    if there is None:
        return {} if here is None else here.data
    frames = {name: read(packed).assign(origin="recorded") for name, packed in there.data.items()}
    if here is not None:
        frames = {name: pd.concat([read(here.data[name]), frame], ignore_index=True) for name, frame in frames.items()}
    return {name: arrow(frame) for name, frame in frames.items()}


def machine_values(record: Record) -> dict[str, str]:
    """Return what a reader must know of the machine of a record, ready to be put into a sentence."""
    machine = record.machine
    return {
        "file": f"{record.name}.json",
        "date": record.date,
        "processor": machine.processor,
        "cores": str(machine.cores),
        "gpu": machine.gpu or "–",
        "memory": significant(machine.memory_gb, 3),
        "system": machine.system,
        "before": ", ".join(f"{load:.2f}" for load in machine.load_before),
        "after": ", ".join(f"{load:.2f}" for load in machine.load_after),
        "note": record.note or "–",
    }
