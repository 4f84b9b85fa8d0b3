"""Record the times of a page on this machine, for the app to show elsewhere: ``python -m benchmarks.record_times``.

What is run is what the page's own button runs, to the last argument: the same cases, rounds, budget and order, with one
intra-op thread as the server has. For the page that sets an RNN beside attention that is one run for every width and
both passes, with the heads of ``--heads``. The file goes to ``recorded/``, where the app finds it by itself.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import torch

from benchmarks import report
from core import device as devices
from core.complexity import recorded
from core.complexity.recorded import Machine, Record, Run
from pages.views import cheaper_attention_clock, measured_times, rnn_vs_attention


def runs(page: str, device: str, heads: Sequence[int]) -> Iterator[Run]:
    """Measure a page's runs, one after the other, and say how far it is."""
    if page == "cheaper_attention":
        yield recorded.of_ways(_whole("cheaper ways", cheaper_attention_clock.begin(device)))
        return
    for d in rnn_vs_attention.WIDTHS:
        for n_heads in heads:
            for pass_ in measured_times.PASSES:
                begun = measured_times.begin(d, n_heads, device, pass_ == "training")
                yield recorded.of_layers(_whole(f"d = {d}, heads: {n_heads}, {pass_}", begun))


def _whole(name: str, slices: Iterator[Any]) -> list[Any]:
    results = list(slices)
    report.say(f"{name}: {results[-1].done} of {results[-1].total} slices within the budget")
    return results


def record(name: str, page: str, device: str, note: str, make: Callable[[], Iterator[Run]]) -> Record:
    """Take what ``make`` measures together with the machine, its load before and after, and the date."""
    before, machine = os.getloadavg(), report.machine()
    measured = tuple(make())
    return Record(
        name=name,
        page=page,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        note=note,
        machine=Machine(
            processor=machine["processor"],
            cores=machine["cores"],
            gpu="" if device == "cpu" else devices.choose(device).label,
            memory_gb=machine["memory_gb"],
            system=machine["system"],
            load_before=tuple(round(load, 2) for load in before),
            load_after=tuple(round(load, 2) for load in os.getloadavg()),
        ),
        runs=measured,
    )


def write(made: Record, folder: Path) -> Path:
    """Write a record where the app looks for it, and read it as the app would: what it refuses does not stay."""
    folder.mkdir(exist_ok=True)
    path, beside = folder / f"{made.name}.json", folder / f"{made.name}.json.part"
    beside.write_text(recorded.written(made), encoding="utf-8")
    beside.replace(path)
    try:
        recorded.read(path)
    except ValueError:
        path.unlink()
        raise
    report.say(f"written to {path}")
    return path


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda", "mps"), default="cpu")
    parser.add_argument("--page", choices=(*recorded.PAGES, "both"), default="both")
    parser.add_argument("--heads", type=int, nargs="+", default=[1], choices=rnn_vs_attention.HEADS)
    parser.add_argument("--name", default="", help="of the file: a-z, 0-9, _ and -; the page's name is put before it")
    parser.add_argument("--note", default="", help="what a reader should know, such as who else was on the machine")
    parser.add_argument("--folder", type=Path, default=recorded.FOLDER)
    asked = parser.parse_args(arguments)
    if devices.choose(asked.device).missing:
        parser.error(f"there is no {asked.device} here")
    torch.set_num_threads(1)
    for page in recorded.PAGES if asked.page == "both" else (asked.page,):
        name = f"{page}-{asked.name or asked.device}"
        made = record(name, page, asked.device, asked.note, partial(runs, page, asked.device, asked.heads))
        write(made, asked.folder)


if __name__ == "__main__":
    main()
