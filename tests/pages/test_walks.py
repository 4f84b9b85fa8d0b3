"""Random walks over every page: whatever is set in whatever order, the page stands and says what it cannot show.

The walks are the same in every run, so that a red one means a change; with ``FRESH_WALKS`` set, the long ones are new.
"""

import math
import os
import random
import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.matrix_text import MAX_SIDE, spell
from pages.ui import controls
from pages.ui.draw import read
from pages.ui.language import labels
from pages.ui.registry import PAGES
from tests.pages.conftest import FOLDS, FRAME
from tests.test_text import CODE

NAMES = [entry.name for entry in PAGES]
LONG = ("_start", "_stop")
"""How the keys of the buttons end that begin and end long work."""
UNDEFINED = re.compile(r"\b(nan|NaN|inf|Infinity|None)\b")
LISTING = re.compile(r"nan_to_num|float\(.-?inf.\)")

Step = Callable[[AppTest], str]
Numbers = st.randoms(use_true_random=False)


def opened(page: str, lang: str, link: dict[str, str]) -> AppTest:
    """Open a page by a link."""
    at = AppTest.from_file(str(FRAME), default_timeout=120)
    for fold in FOLDS:
        at.session_state[f"fold_{fold}"] = True
    at.query_params["lang"] = lang
    if page != NAMES[0]:
        at.switch_page(f"../{page}.py")
    for key, value in link.items():
        at.query_params[key] = value
    return at.run()


def stands(at: AppTest, page: str, charts: int, done: list[str]) -> None:
    """Hold what is true of the page in every state."""
    assert not at.exception, (done, at.exception)
    assert [title.value for title in at.title] == [labels()[f"{page}.question"][at.session_state["lang"]]], done
    assert len(at.get("vega_lite_chart")) >= min(1, charts), done
    shown = [element.value for kind in ("markdown", "latex", "caption", "info", "success") for element in at.get(kind)]
    for text in shown:
        # Code that tells conventions apart asks for such numbers; it is not a result.
        text = CODE.sub(" ", text) if page == "conventions" else text
        # A demonstration of what goes wrong says so, and shows it.
        assert demonstrates(at, page) or not UNDEFINED.search(text), (done, text)
        assert "@{" not in text, (done, text)
    for chart in at.get("vega_lite_chart"):
        for data in chart.proto.datasets:
            frame = read(data.data.data)
            for name in frame.select_dtypes("number"):
                # A hidden cell is drawn as one and said so; an infinite density is cut and said so.
                said = "look" in frame or "found" in frame or (name == "density" and says_that_it_is_cut(at))
                # So does a demonstration whose weights are NaN.
                said = said or demonstrates(at, page)
                assert said or frame[name].map(math.isfinite).all(), (done, name)


def demonstrates(at: AppTest, page: str) -> bool:
    """Say whether the page is set to do something coarsely or wrongly on purpose."""
    if page == "mistakes":
        return True
    usual = {"precision": "float64", "mistake": "none", "fill": "inf"}
    return page == "worked_example" and any(at.session_state[key] != value for key, value in usual.items())


def says_that_it_is_cut(at: AppTest) -> bool:
    """Say whether the page tells its reader that a density is infinite and drawn only up to some height."""
    sentence = labels()["sqrt_dk.cut"][at.session_state["lang"]].partition("@{")[0]
    return at.session_state["d_k"] == 1 and any(sentence in caption.value for caption in at.caption)


def walk(at: AppTest, page: str, rnd: random.Random) -> str:
    """Take one step at random; return what it was."""
    steps: list[Callable[[], str]] = [lambda: set_control(at, rnd)] * 6
    steps += [lambda: press(at, rnd), lambda: switch_language(at, rnd), lambda: follow_link(at, page, rnd)]
    if page == "worked_example":
        steps += [lambda: edit(at, rnd)] * 4 + [lambda: link_matrices(at, rnd), lambda: link_bench(at, rnd)]
    return rnd.choice(steps)()


def set_control(at: AppTest, rnd: random.Random) -> str:
    """Move a slider, a ladder, a choice or a toggle."""
    kinds = ("slider", "select_slider", "selectbox", "button_group", "toggle")
    found = [
        control
        for kind in kinds
        for control in at.get(kind)
        if control.key not in ("lang", "device", None)
        # What is not in the link, as the switches of an import, has no ids here.
        and (kind not in ("selectbox", "button_group") or control.key in IDS)
    ]
    if not found:
        return "nothing to set"
    control = rnd.choice(found)
    value = choose(control, rnd)
    at.session_state[control.key] = value
    return f"{control.key}={value}"


def choose(control: object, rnd: random.Random) -> object:
    """Return a legal value of a control."""
    proto = control.proto  # type: ignore[attr-defined]
    kind = type(control).__name__
    if kind in ("Toggle", "Checkbox"):
        return rnd.random() < 0.5
    if kind == "Slider":
        whole = isinstance(control.value, int)  # type: ignore[attr-defined]
        low, high = proto.min, proto.max
        raw = rnd.choice([low, high, rnd.uniform(low, high)])
        return int(raw) if whole else min(high, max(low, round(raw / proto.step) * proto.step))
    if kind == "SelectSlider":
        return int(rnd.choice(list(proto.options)))
    return rnd.choice(IDS[control.key])  # type: ignore[attr-defined]


IDS: dict[str, list[object]] = {}
"""The ids behind every translated choice that a page has made so far."""


@pytest.fixture(scope="module", autouse=True)
def _note_ids() -> Iterator[None]:
    made = controls.choice

    def choice(key: str, label: str, ids: Sequence[str], *args: object, **kwargs: object) -> str:
        IDS[key] = list(ids)
        return made(key, label, ids, *args, **kwargs)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(controls, "choice", choice)
        yield


def press(at: AppTest, rnd: random.Random) -> str:
    """Press a button other than those that begin long work or leave the page."""
    names = [b.key for b in at.button if b.key and not b.key.endswith(LONG) and not b.key.startswith("present_")]
    free = [name for name in names if not at.button(key=name).disabled]
    if not free:
        return "nothing to press"
    name = rnd.choice(free)
    at.button(key=name).click()
    return f"press {name}"


def switch_language(at: AppTest, rnd: random.Random) -> str:
    """Read in another language."""
    lang = rnd.choice(["en", "zh"])
    at.session_state["lang"] = lang
    return f"lang {lang}"


def follow_link(at: AppTest, page: str, rnd: random.Random) -> str:
    """Follow a link to the same page: a value that may be legal, or may not."""
    keys = [c.key for kind in ("slider", "select_slider", "button_group", "selectbox") for c in at.get(kind) if c.key]
    keys = [key for key in keys if key not in ("lang", "device")] + ["unknown"]
    key, value = rnd.choice(keys), rnd.choice(["1", "0", "-1", "16", "1e400", "nan", "", "x" * 200, "<b>", "paper"])
    at.query_params[key] = value
    return f"?{key}={value[:12]}"


CELLS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e6, -1e6, 1e-300, 5e-324, 3.14159, 1e6 + 1, math.nan, math.inf, None)


def edit(at: AppTest, rnd: random.Random) -> str:
    """Edit a cell of the open matrix, as the browser would report it; some cells are refused."""
    name = at.session_state["editing"]
    matrix = at.session_state[name]
    key = f"editor_{name}_{at.session_state['_tables'][name].number}"
    row, column = rnd.randrange(len(matrix)), rnd.randrange(len(matrix[0]))
    value = rnd.choice(CELLS) if rnd.random() < 0.7 else rnd.uniform(-10, 10)
    rows = dict(at.session_state[key]["edited_rows"]) if key in at.session_state else {}
    rows[row] = {**rows.get(row, {}), f"{name}·{column + 1}": value}
    at.session_state[key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    return f"{name}[{row}, {column}]={value}"


def link_matrices(at: AppTest, rnd: random.Random) -> str:
    """Follow a link with matrices of any legal size, which may not fit each other."""
    side = (1, 2, 3, MAX_SIDE, MAX_SIDE + 1)
    d_k, n_k = rnd.choice(side), rnd.choice(side)
    sizes = {"q": (rnd.choice(side), d_k), "k": (n_k, d_k), "v": (n_k, rnd.choice(side))}
    if rnd.random() < 0.2:
        sizes["k"] = (n_k, rnd.choice(side))
    scale = rnd.choice([1e-300, 1.0, 100.0, 1e6])
    for name, (rows, columns) in sizes.items():
        at.query_params[name] = spell(
            tuple(
                tuple(rnd.choice([0.0, scale, -scale, rnd.uniform(-scale, scale)]) for _ in range(columns))
                for _ in range(rows)
            )
        )
    return f"matrices {sizes} × {scale:g}"


BENCH = {
    "source": ["notes", "library", "raw", "projections", "sentence", "cross", "random", "empty", "else"],
    "paint": ["1", "0;0", "000;111;010", "01;1", "2", "1" * 13, ";".join(["10" * 6] * 12)],
    "query_names": ["a b", "猫|猫|猫", "|", "x" * 25, "a " * 13, "<b>|$x$|`y`"],
    "key_names": ["k", "je suis|là", "👩\u200d🔬 猫 *z*", ""],
    "s": ["1,2;3,4", "0.1", "1e6,-1e6", "1;2;3", "x"],
    "x": ["1,2;3,4", "1,2,3,4", "0"],
    "wq": ["1,0;0,1", "1;1;1;1"],
    "padding": ["0", "2", "12", "13"],
    "near": ["0", "1", "12"],
}


def link_bench(at: AppTest, rnd: random.Random) -> str:
    """Follow a link with parts of the bench that may fit, or may not."""
    keys = rnd.sample([*BENCH], rnd.randint(1, 3))
    for key in keys:
        at.query_params[key] = rnd.choice(BENCH[key])
    return f"bench {keys}"


def take(page: str, rnd: random.Random, steps: int) -> None:
    """Walk over a page, and hold it after every step."""
    at = opened(page, rnd.choice(["en", "zh"]), {})
    charts = len(at.get("vega_lite_chart"))
    done: list[str] = []
    stands(at, page, charts, done)
    for _ in range(steps):
        done.append(walk(at, page, rnd))
        at.run()
        stands(at, page, charts, done)


COMMON = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "database": None,
    "phases": (Phase.explicit, Phase.generate),
}


@pytest.mark.parametrize("page", NAMES)
@settings(max_examples=4, derandomize=True, **COMMON)
@given(rnd=Numbers)
def test_a_short_walk(page: str, rnd: random.Random) -> None:
    take(page, rnd, 15)


@pytest.mark.soak
@pytest.mark.parametrize("page", NAMES)
@settings(max_examples=40, derandomize="FRESH_WALKS" not in os.environ, **COMMON)
@given(rnd=Numbers)
def test_a_long_walk(page: str, rnd: random.Random) -> None:
    take(page, rnd, 60)


@pytest.mark.parametrize("gone", [[0], [0, 1, 2], [77]])
def test_a_table_that_lost_rows_is_refused_and_the_session_lives(gone: list[int]) -> None:
    at = opened("worked_example", "en", {})
    at.session_state["editor_q_0"] = {"edited_rows": {}, "added_rows": [], "deleted_rows": gone}
    at.run()
    at.session_state["editor_q_0"] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    at.run()
    stands(at, "worked_example", 1, [str(gone)])


@pytest.mark.parametrize(
    ("page", "key", "moves", "left"),
    [
        ("positions", "pair", [{"?pair": "15"}, {"d_model": 4}], 1),
        ("positions", "pair", [{"pair": 15}, {"d_model": 256}, {"pair": 0}, {"d_model": 8}], 0),
        ("positions", "pair", [{"?pair": "15"}, {"d_model": 256}, {"pair": 2}, {"d_model": 8}], 2),
        ("positions", "pair", [{"pair": 15}, {"d_model": 8}, {"d_model": 256}], 3),
        ("worked_example", "query", [{"?query": "3"}, {"?q": "1,2,3,4;1,2,3,4"}], 2),
        (
            "worked_example",
            "query",
            [{"query": 3}, {"?q": "1,2,3,4;1,2,3,4"}, {"query": 1}, {"?q": "1,0,0,0;1,0,0,0;1,0,0,0;1,0,0,0"}],
            1,
        ),
    ],
)
def test_a_bound_that_moves_takes_the_value_with_it(
    page: str, key: str, moves: list[dict[str, object]], left: int
) -> None:
    at = opened(page, "en", {})
    for move in moves:
        for name, value in move.items():
            if name.startswith("?"):
                at.query_params[name[1:]] = value
            else:
                at.session_state[name] = value
        at.run()
        stands(at, page, 1, [str(move)])
    for _ in range(2):
        assert at.slider(key=key).value == left
        # The first of a slider is its default, which the link does not name.
        default = at.slider(key=key).proto.default[0]
        assert at.query_params.get(key, [str(int(default))]) in (str(left), [str(left)])
        at.run()
