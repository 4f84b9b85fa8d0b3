"""The floor: what a page asked of Streamlit in one run, kept, and asked again with nothing else around it.

``install`` wraps every function of ``st`` that makes an element, every method of a container, ``with`` of a container,
``st.Page``, ``st.navigation``, a page's ``run`` and ``st.fragment``. What a run calls is kept in order with its
arguments; results that later calls build on (containers, pages) become ``Made``. ``Player`` makes the same calls again:
Streamlit does all that it did for the page (widgets registered, specs put into JSON, protobuf made, hashed, sent), and
nothing of the page's own is left: no torch, no core, no labels, no cache look-ups, no link handling, no callbacks.
"""

import functools
import gc
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MethodType
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

PARAMETER: Final = "series"
STUB: Final = Path(__file__).resolve().parent / "apps" / "floor_page.py"
_SIDEBAR: Final = -1


@dataclass(frozen=True)
class Made:
    """Something that an earlier call of the same run returned."""

    number: int


@dataclass
class Call:
    """One call: a function of ``st`` (no owner) or a method of something made.

    ``inside`` is what ran within it, ``value`` what a slider with a key stood at.
    """

    name: str
    owner: Made | None = None
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    results: tuple[int, ...] = ()
    several: bool = False
    inside: "list[Call]" = field(default_factory=list)
    value: Any = None


class Names(dict[Any, str]):
    """A ``format_func`` that looks its answers up."""

    def __call__(self, option: Any) -> str:
        """Return the option's name."""
        return self[option]


def nothing(*_: object, **__: object) -> bytes:
    """Stand in for a callback or for data that is made when asked for."""
    return b""


class Recorder:
    """The recording of one run, in one thread."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._levels = [self.calls]
        self._made: dict[int, int] = {id(st.sidebar): _SIDEBAR}
        self._pages: dict[str, int] = {}
        self._alive: list[object] = []
        self._depth = 0

    def call(self, name: str, owner: object, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Make a call; if the page itself makes it, keep it."""
        if self._depth:
            return function(*args, **kwargs)
        self._depth += 1
        try:
            result = function(*args, **kwargs)
        finally:
            self._depth -= 1
        call = Call(name, self._owner(owner), *self._portable(args, kwargs))
        if name == "slider":
            call.value = result
        call.several = isinstance(result, list | tuple)
        call.results = tuple(self._keep(item) for item in (result if call.several else (result,)))
        self._levels[-1].append(call)
        return result

    def around(self, call: Call, run: Callable[[], Any]) -> Any:
        """Keep ``call`` and, within it, whatever ``run`` calls."""
        self._levels[-1].append(call)
        self._levels.append(call.inside)
        depth, self._depth = self._depth, 0
        try:
            return run()
        finally:
            self._depth = depth
            self._levels.pop()

    def _owner(self, owner: object) -> Made | None:
        number = self._made.get(id(owner)) if owner is not None else None
        return None if number is None else Made(number)

    def _keep(self, item: object) -> int:
        number = len(self._alive)
        self._alive.append(item)
        if isinstance(item, DeltaGenerator) or hasattr(item, "url_path"):
            self._made.setdefault(id(item), number)
        if not isinstance(item, DeltaGenerator) and hasattr(item, "url_path"):
            self._pages.setdefault(item.url_path, number)
        return number

    def _portable(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        options = dict(kwargs)
        options.pop("args", None)
        if callable(options.get("format_func")):
            named = options["format_func"]
            choices = options["options"] if "options" in options else args[1]
            options["format_func"] = Names({option: str(named(option)) for option in choices})
        return tuple(self._swap(value) for value in args), {name: self._swap(value) for name, value in options.items()}

    def _swap(self, value: Any) -> Any:
        if isinstance(value, Names):
            return value
        if id(value) in self._made:
            return Made(self._made[id(value)])
        # The app hands on copies of its pages.
        if not isinstance(value, DeltaGenerator) and hasattr(value, "url_path"):
            return Made(self._pages[value.url_path])
        if isinstance(value, Path):
            return STUB
        if isinstance(value, list | tuple):
            return type(value)(self._swap(item) for item in value)
        if isinstance(value, dict):
            return {key: self._swap(item) for key, item in value.items()}
        return nothing if callable(value) else value


_here = threading.local()


def install() -> None:
    """Wrap Streamlit's functions, once a process."""
    if hasattr(st, "_recorded"):
        return
    st._recorded = True  # type: ignore[attr-defined]
    elements = [name for name in dir(st) if isinstance(getattr(st, name), MethodType)]
    for name in [*elements, "Page", "navigation", "set_page_config"]:
        setattr(st, name, _function(name, getattr(st, name)))
    for name in [*elements, "__enter__", "__exit__"]:
        if callable(getattr(DeltaGenerator, name, None)):
            setattr(DeltaGenerator, name, _method(name, getattr(DeltaGenerator, name)))
    setattr(st, "fragment", _fragment(st.fragment))  # noqa: B010


def record(run: Callable[[], None]) -> None:
    """Record one run of a whole page; one that ends by asking for another run is dropped."""
    _here.recorder = recorder = Recorder()
    try:
        run()
    finally:
        _here.recorder = None
    _write(recorder)


def _write(recorder: Recorder) -> None:
    series = st.query_params.get(PARAMETER)
    if series is not None and series.replace("_", "").isalnum():
        with (_folder() / series).open("ab") as file:
            pickle.dump(recorder.calls, file, pickle.HIGHEST_PROTOCOL)


def _folder() -> Path:
    return Path(os.environ["BENCHMARK_RECORDINGS"])


def _function(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function, updated=())
    def recorded(*args: Any, **kwargs: Any) -> Any:
        recorder: Recorder | None = getattr(_here, "recorder", None)
        if recorder is None:
            return function(*args, **kwargs)
        made = recorder.call(name, None, function, args, kwargs)
        if name == "navigation":
            made.run = functools.partial(recorder.around, Call("run", recorder._owner(made)), made.run)
        return made

    return recorded


def _method(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def recorded(self: DeltaGenerator, *args: Any, **kwargs: Any) -> Any:
        recorder: Recorder | None = getattr(_here, "recorder", None)
        if recorder is None:
            return method(self, *args, **kwargs)
        return recorder.call(name, self, functools.partial(method, self), args, kwargs)

    return recorded


def _fragment(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def recorded(function: Callable[..., Any], *, run_every: float | None = None) -> Callable[..., Any]:
        def part() -> Any:
            recorder: Recorder | None = getattr(_here, "recorder", None)
            if recorder is None:
                return record(function)
            return recorder.around(Call("fragment", options={"run_every": run_every}), function)

        return original(part, run_every=run_every)

    return recorded


class Player:
    """Makes one recorded run's calls again."""

    def __init__(self, calls: list[Call]) -> None:
        self._calls = calls
        self._made: list[Any] = []
        self._within: list[Call] = []

    def play(self, calls: list[Call] | None = None) -> None:
        """Make the calls, or those within the page that is being run."""
        for call in self._calls if calls is None else calls:
            if call.name == "fragment":
                self._play_fragment(call)
            elif call.name == "run":
                self._within = call.inside
                self._find(call.owner).run()
            else:
                self._play(call)

    def play_page(self) -> None:
        """Make the calls that the page's own script made."""
        self.play(self._within)

    def _play(self, call: Call) -> None:
        if call.name == "slider":
            _stand(call)
        function = getattr(st if call.owner is None else self._find(call.owner), call.name)
        result = function(
            *(self._fill(value) for value in call.arguments),
            **{name: self._fill(value) for name, value in call.options.items()},
        )
        self._made.extend(result if call.several else (result,))

    def _play_fragment(self, call: Call) -> None:
        def part() -> None:
            if getattr(_here, "player", None) is self:
                self.play(call.inside)
            else:
                play_next()

        st.fragment(part, run_every=call.options["run_every"])()

    def _find(self, made: Made | None) -> Any:
        return st.sidebar if made is None or made.number == _SIDEBAR else self._made[made.number]

    def _fill(self, value: Any) -> Any:
        if isinstance(value, Made):
            return self._find(value)
        if isinstance(value, list | tuple) and value and not isinstance(value[0], int | float | str):
            return type(value)(self._fill(item) for item in value)
        if type(value) is dict and len(value) < 16:
            return {key: self._fill(item) if isinstance(item, list | Made) else item for key, item in value.items()}
        return value


def _stand(call: Call) -> None:
    """Put a slider where the app's stood, whose bounds may have moved: Streamlit refuses a value beyond them."""
    key = str(call.options.get("key"))
    if key in st.session_state and st.session_state[key] != call.value:
        st.session_state[key] = call.value


_series: dict[str, Iterator[list[Call]]] = {}
_reading = threading.Lock()


def play_next() -> None:
    """Play the next run of the series that the link names."""
    with _reading:
        name = st.query_params[PARAMETER]
        if name not in _series:
            _series.clear()
            _series[name] = iter(_read(name))
        calls = next(_series[name])
    _here.player = player = Player(calls)
    try:
        player.play()
    finally:
        _here.player = None


def play_page() -> None:
    """Play what the page's script does, in the run under way."""
    player: Player = _here.player
    player.play_page()


def _read(name: str) -> list[list[Call]]:
    runs = []
    if not name.replace("_", "").isalnum():
        raise ValueError(f"no series {name!r}")
    with (_folder() / name).open("rb") as file:
        while True:
            try:
                runs.append(pickle.load(file))
            except EOFError:
                break
    gc.collect()
    gc.freeze()
    return runs
