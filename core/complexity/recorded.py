"""Times that were measured on another machine or day: one JSON file a machine and page, read strictly.

A record holds runs as a page has them, the seconds of every round of every case, with the setting of each run and what
the machine was. ``of_layers`` and ``of_ways`` make a run of measured slices, ``layers`` and ``ways`` give the slices
back, so that a page sums up both by the same functions. What a reader of the file wants to see, the least, the median
and the spread of each case and the slopes of a run, stands in it too and must agree with the rounds.

Seconds are of wall clock, six significant digits.  Nothing here measures, and nothing in a file is run.
"""

import json
import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from core.complexity import cheaper_timing, timing
from core.errors import InputError

FOLDER = Path(__file__).resolve().parents[2] / "recorded"
FORMAT = 1
PAGES = ("rnn_vs_attention", "cheaper_attention")
MAX_BYTES = 1_000_000
MAX_FILES = 32
MAX_RUNS = 256
SHORTEST = 16
Setting = timing.Setting | cheaper_timing.Setting
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_DEVICES = ("cpu", "cuda", "mps")
_AGREE = 1e-4  # relative: what is stated twice is rounded once more


@dataclass(frozen=True)
class Machine:
    """Where it was measured: ``gpu`` is empty for a run on the processor; load averages over 1, 5 and 15 minutes."""

    processor: str
    cores: int
    gpu: str
    memory_gb: float
    system: str
    load_before: tuple[float, ...]
    load_after: tuple[float, ...]


@dataclass(frozen=True)
class Case:
    """One thing that was timed, a layer or a way, at ``n`` tokens: seconds a call, one number a measured round."""

    name: str
    n: int
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class Run:
    """One run of a page: its setting and its cases."""

    setting: Setting
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Record:
    """One file: ``name`` is the file's without its ending, ``date`` in ISO 8601 with its zone."""

    name: str
    page: str
    date: str
    note: str
    machine: Machine
    runs: tuple[Run, ...]

    @property
    def device_label(self) -> str:
        """The trade name of what computed, one for all runs."""
        return self.runs[0].setting.device_label

    @property
    def day(self) -> str:
        """The date without the time."""
        return self.date[:10]


def of_layers(results: Sequence[timing.Progress]) -> Run:
    """Make a run of the slices of ``timing.measure``; the warm-up is left out."""
    seconds = timing.seconds_by_case(results)
    cases = sorted(seconds, key=lambda case: (timing.LAYERS.index(case.layer), case.n))
    return Run(results[-1].setting, tuple(_case(case.layer, case.n, seconds[case]) for case in cases))


def of_ways(results: Sequence[cheaper_timing.Slice]) -> Run:
    """Make a run of the slices of ``cheaper_timing.measure``; the warm-up is left out."""
    seconds: dict[tuple[str, int], list[float]] = {}
    for each in results:
        if each.round:
            seconds.setdefault((each.way, each.n), []).append(each.seconds)
    cases = sorted(seconds, key=lambda case: (cheaper_timing.KNOWN.index(case[0]), case[1]))
    return Run(results[-1].setting, tuple(_case(way, n, seconds[way, n]) for way, n in cases))


def layers(run: Run) -> tuple[timing.Progress, ...]:
    """Return a run of layers as the slices that ``timing.summarise`` takes; none for a run of ways."""
    setting = run.setting
    if not isinstance(setting, timing.Setting):
        return ()
    rounds = _rounds(run)
    return tuple(
        timing.Progress(timing.Case(case.name, case.n), number, seconds, 1, done, len(rounds), setting)
        for done, (case, number, seconds) in enumerate(rounds, start=1)
    )


def ways(run: Run) -> tuple[cheaper_timing.Slice, ...]:
    """Return a run of ways as the slices that ``cheaper_timing.summarise`` takes; none for a run of layers."""
    setting = run.setting
    if not isinstance(setting, cheaper_timing.Setting):
        return ()
    rounds = _rounds(run)
    return tuple(
        cheaper_timing.Slice(case.name, case.n, number, seconds, done, len(rounds), setting)
        for done, (case, number, seconds) in enumerate(rounds, start=1)
    )


def written(record: Record) -> str:
    """Write a record as the JSON text that ``read`` reads; the file's name is not in it."""
    content = {
        "format": FORMAT,
        "page": record.page,
        "date": record.date,
        "note": record.note,
        "machine": asdict(record.machine),
        "runs": [
            {
                "setting": _setting(run.setting),
                "cases": [{**asdict(case), **_stated(case.seconds)} for case in run.cases],
                "slopes": _slopes(run),
            }
            for run in record.runs
        ],
    }
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    # A list of numbers in one line. No text can be meant: within one, a new line would be written \\n.
    return re.sub(r"\[\n[\s\d.,e+-]*\]", lambda found: " ".join(found[0].split()), text) + "\n"


def read(path: Path) -> Record:
    """Read one file.

    Raises ``InputError("record")`` with the file's name, the place in it and what was expected there, "too_long" for
    more than 10⁶ bytes. A file that cannot be opened is a bad file as well.
    """
    reader = _Reader(path.name)
    try:
        if not path.is_file():  # a pipe would be waited for
            reader.refuse("file", "JSON (UTF-8)")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError:
        reader.refuse("file", "JSON (UTF-8)")
    if len(raw) > MAX_BYTES:
        raise InputError("too_long", name=path.name, got=f"> {MAX_BYTES:,}", limit=f"{MAX_BYTES:,}")
    if not _NAME.fullmatch(path.stem):
        reader.refuse("file", "a–z, 0–9, _, -")
    try:
        content = json.loads(raw.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        reader.refuse("file", "JSON (UTF-8)")
    return reader.record(path.stem, content)


def read_all(folder: Path, page: str) -> tuple[tuple[Record, ...], tuple[InputError, ...]]:
    """Read every ``*.json`` of a folder: the records of one page by name, and why others were refused.

    At most 32 files are looked at; a folder that is not there holds none.
    """
    found, refused = [], []
    for path in sorted(folder.glob("*.json"))[:MAX_FILES]:
        try:
            found.append(read(path))
        except InputError as error:
            refused.append(error)
    return tuple(record for record in found if record.page == page), tuple(refused)


def _case(name: str, n: int, seconds: Sequence[float]) -> Case:
    return Case(name, n, tuple(_short(value) for value in seconds))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _rounds(run: Run) -> list[tuple[Case, int, float]]:
    """All measured calls, a round after the other."""
    last = max((len(case.seconds) for case in run.cases), default=0)
    return [
        (case, number + 1, case.seconds[number])
        for number in range(last)
        for case in run.cases
        if number < len(case.seconds)
    ]


def _setting(setting: Setting) -> dict[str, Any]:
    found: dict[str, Any] = asdict(setting)
    if isinstance(setting, cheaper_timing.Setting):
        found["kernels"] = dict(setting.kernels)
    return found


def _stated(seconds: Sequence[float]) -> dict[str, float]:
    """What a reader of the file wants to know of a case, derived from its rounds."""
    median = statistics.median(seconds)
    spread = (max(seconds) - min(seconds)) / median
    return {"least": min(seconds), "median": _short(median), "spread": _short(spread)}


def _slopes(run: Run, resamples: int = 2000) -> list[dict[str, Any]]:
    """The slopes of a run of layers with their intervals, where two lengths or more are there."""
    found = []
    for layer in timing.LAYERS if isinstance(run.setting, timing.Setting) else ():
        own = sorted((case for case in run.cases if case.name == layer), key=lambda case: case.n)
        if len(own) > 1:
            fitted = timing.fit_slope([case.n for case in own], [case.seconds for case in own], resamples=resamples)
            ends = {name: _short(getattr(fitted, name)) for name in ("slope", "low", "high")}
            found.append({"name": layer, **ends, "lengths": list(fitted.lengths)})
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says one thing twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


class _Reader:
    """Takes parsed JSON apart and checks every field; ``place`` is where in the file, in the manner of JSON paths."""

    def __init__(self, name: str) -> None:
        self._name = name

    def refuse(self, place: str, expected: str) -> NoReturn:
        raise InputError("record", name=self._name, place=place, expected=expected)

    def record(self, name: str, content: Any) -> Record:
        top = self._object(content, "$", ("format", "page", "date", "note", "machine", "runs"))
        self._whole(top["format"], "format", FORMAT, FORMAT)
        page = self._one_of(top["page"], "page", PAGES)
        runs = tuple(
            self._run(each, f"runs[{at}]", page) for at, each in enumerate(self._list(top["runs"], "runs", MAX_RUNS))
        )
        if len({(run.setting.device, run.setting.device_label) for run in runs}) > 1:
            self.refuse("runs", "1 device")
        if len({_question(run) for run in runs}) < len(runs):
            self.refuse("runs", "1 × setting")
        return Record(
            name, page, self._date(top["date"]), self._text(top["note"], "note", 1000, 0), self._machine(top), runs
        )

    def _machine(self, top: dict[str, Any]) -> Machine:
        found = self._object(top["machine"], "machine", tuple(Machine.__dataclass_fields__))
        loads = {
            name: tuple(
                self._real(value, f"machine.{name}", 0, 1e6)
                for value in self._list(found[name], f"machine.{name}", 3, 3)
            )
            for name in ("load_before", "load_after")
        }
        return Machine(
            self._text(found["processor"], "machine.processor"),
            self._whole(found["cores"], "machine.cores", 1, 100_000),
            self._text(found["gpu"], "machine.gpu", least=0),
            self._real(found["memory_gb"], "machine.memory_gb", 0, 1e6),
            self._text(found["system"], "machine.system"),
            **loads,
        )

    def _run(self, content: Any, place: str, page: str) -> Run:
        found = self._object(content, place, ("setting", "cases", "slopes"))
        layered = page == PAGES[0]
        setting = (self._layer_setting if layered else self._way_setting)(found["setting"], f"{place}.setting")
        given = self._list(found["cases"], f"{place}.cases", 128)
        cases = tuple(self._case(each, f"{place}.cases[{at}]", setting) for at, each in enumerate(given))
        if len({(case.name, case.n) for case in cases}) < len(cases):
            self.refuse(f"{place}.cases", "1 × (name, n)")
        run = Run(setting, cases)
        self._check_slopes(found["slopes"], f"{place}.slopes", run)
        return run

    def _layer_setting(self, content: Any, place: str) -> timing.Setting:
        found = self._object(content, place, tuple(timing.Setting.__dataclass_fields__))
        d = self._whole(found["d"], f"{place}.d", 1, timing.MAX_CASE_CELLS // SHORTEST)
        heads = self._whole(found["n_heads"], f"{place}.n_heads", 1, d)
        if d % heads:
            self.refuse(f"{place}.n_heads", f"n_heads | {d}")
        if type(found["backward"]) is not bool:
            self.refuse(f"{place}.backward", "true, false")
        return timing.Setting(
            batch=self._whole(found["batch"], f"{place}.batch", 1, 1),
            d=d,
            n_heads=heads,
            attention_kernel=self._text(found["attention_kernel"], f"{place}.attention_kernel", 60),
            lstm_kernel=self._text(found["lstm_kernel"], f"{place}.lstm_kernel", 60),
            backward=found["backward"],
            **self._common(found, place),
        )

    def _way_setting(self, content: Any, place: str) -> cheaper_timing.Setting:
        found = self._object(content, place, tuple(cheaper_timing.Setting.__dataclass_fields__))
        offered = cheaper_timing.offered(self._one_of(found["device"], f"{place}.device", _DEVICES))
        given = found["kernels"] if isinstance(found["kernels"], dict) else {}
        own = tuple(way for way in offered if way in cheaper_timing.WAYS or way in given)  # a compiler may be missing
        kernels = self._object(found["kernels"], f"{place}.kernels", own)
        return cheaper_timing.Setting(
            d=self._whole(found["d"], f"{place}.d", cheaper_timing.WIDTH, cheaper_timing.WIDTH),
            radius=self._whole(found["radius"], f"{place}.radius", cheaper_timing.RADIUS, cheaper_timing.RADIUS),
            kernels=tuple((way, self._text(kernels[way], f"{place}.kernels.{way}", 60)) for way in own),
            **self._common(found, place),
        )

    def _common(self, found: dict[str, Any], place: str) -> dict[str, Any]:
        return {
            "device": self._one_of(found["device"], f"{place}.device", _DEVICES),
            "device_label": self._text(found["device_label"], f"{place}.device_label", 100),
            "threads": self._whole(found["threads"], f"{place}.threads", 1, 100_000),
            "dtype": self._one_of(found["dtype"], f"{place}.dtype", ("float32",)),
            "torch_version": self._text(found["torch_version"], f"{place}.torch_version", 40),
        }

    def _case(self, content: Any, place: str, setting: Setting) -> Case:
        found = self._object(content, place, ("name", "n", "seconds", "least", "median", "spread"))
        names: tuple[str, ...]
        if isinstance(setting, timing.Setting):
            names, longest = timing.LAYERS, min(timing.MAX_CASE_LENGTH, timing.MAX_CASE_CELLS // setting.d)
            lengths = tuple(SHORTEST * 2**power for power in range(9) if SHORTEST * 2**power <= longest)
        else:
            names, lengths = tuple(way for way, _ in setting.kernels), cheaper_timing.LENGTHS
        name = self._one_of(found["name"], f"{place}.name", names)
        n = self._whole(found["n"], f"{place}.n", lengths[0], lengths[-1])
        if n not in lengths:
            self.refuse(f"{place}.n", ", ".join(map(str, lengths)))
        given = self._list(found["seconds"], f"{place}.seconds", timing.MAX_ROUNDS)
        seconds = tuple(self._real(value, f"{place}.seconds[{at}]", 1e-9, 600) for at, value in enumerate(given))
        for stated, value in _stated(seconds).items():
            self._agrees(found[stated], f"{place}.{stated}", value)
        return Case(name, n, seconds)

    def _check_slopes(self, content: Any, place: str, run: Run) -> None:
        """Hold the stated slopes against the rounds; of the intervals only the order, for they are drawn."""
        expected = _slopes(run, resamples=1)
        given = self._list(content, place, len(expected), len(expected))
        for at, (each, own) in enumerate(zip(given, expected, strict=True)):
            found = self._object(each, f"{place}[{at}]", ("name", "slope", "low", "high", "lengths"))
            self._one_of(found["name"], f"{place}[{at}].name", (own["name"],))
            self._agrees(found["slope"], f"{place}[{at}].slope", own["slope"])
            low = self._real(found["low"], f"{place}[{at}].low", -100, 100)
            self._real(found["high"], f"{place}[{at}].high", low, 100)
            if found["lengths"] != own["lengths"]:
                self.refuse(f"{place}[{at}].lengths", str(own["lengths"]))

    def _agrees(self, value: Any, place: str, own: float) -> None:
        margin = _AGREE * abs(own) + 1e-12
        if abs(self._real(value, place, -1e12, 1e12) - own) > margin:
            self.refuse(place, f"≈ {own:.6g}")

    def _date(self, value: Any) -> str:
        text = self._text(value, "date", 40)
        try:
            given = datetime.fromisoformat(text)
        except ValueError:
            given = None
        if given is None or given.tzinfo is None:
            self.refuse("date", "YYYY-MM-DDThh:mm:ss+00:00")
        return text

    def _object(self, value: Any, place: str, names: Sequence[str]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.refuse(place, "{ … }")
        if missing := [name for name in names if name not in value]:
            self.refuse(f"{place}.{missing[0]}", "1 ×")
        if unknown := [name for name in value if name not in names]:
            self.refuse(f"{place}.{unknown[0]}"[:80], "0 ×")
        return value

    def _list(self, value: Any, place: str, most: int, least: int = 1) -> list[Any]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            self.refuse(place, f"[{least} … {most}]")
        return value

    def _text(self, value: Any, place: str, longest: int = 200, least: int = 1) -> str:
        if not isinstance(value, str) or not least <= len(value) <= longest or not (value.isprintable() or not value):
            self.refuse(place, f"“…”, {least} … {longest}")
        return value

    def _one_of(self, value: Any, place: str, choices: Sequence[str]) -> str:
        if not isinstance(value, str) or value not in choices:
            self.refuse(place, ", ".join(choices))
        return value

    def _whole(self, value: Any, place: str, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            self.refuse(place, f"{low} … {high}")
        return value

    def _real(self, value: Any, place: str, low: float, high: float) -> float:
        if type(value) not in (int, float) or not low <= value <= high or not math.isfinite(value):
            self.refuse(place, f"{low:g} … {high:g}")
        return float(value)


def _question(run: Run) -> tuple[Any, ...]:
    """What a page asks a run for."""
    setting = run.setting
    return (setting.d, setting.n_heads, setting.backward) if isinstance(setting, timing.Setting) else ()
