"""Results are made once, for all who ask; a failure keeps nothing; a finished spec takes what it leaves open."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.charts.mixture import Words as MixtureWords
from core.charts.mixture import entropy, mixture
from pages.ui import draw
from pages.ui.cache import remember

WORDS = MixtureWords(*["word"] * 13)


def test_what_many_ask_for_at_once_is_made_once() -> None:
    made, together = [], threading.Barrier(8)

    @remember(4)
    def slow(number: int) -> int:
        made.append(number)
        time.sleep(0.2)
        return 2 * number

    def ask(number: int) -> int:
        together.wait()
        return slow(number)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, [1, 2] * 4)) == [2, 4] * 4
    assert sorted(made) == [1, 2]


def test_the_oldest_is_forgotten_and_the_used_is_kept() -> None:
    made = []

    @remember(2)
    def kept(number: int, *, other: int = 0) -> int:
        made.append((number, other))
        return number

    for number in (1, 2, 1, 3, 1, 2):
        kept(number)
    kept(1, other=5)
    kept(1, other=5)
    assert made == [(1, 0), (2, 0), (3, 0), (2, 0), (1, 5)]


def test_a_failure_is_not_kept_and_blocks_nobody() -> None:
    tries = []

    @remember(2)
    def second_time_lucky(number: int) -> int:
        tries.append(number)
        if len(tries) == 1:
            raise ValueError("once")
        return number

    with pytest.raises(ValueError, match="once"):
        second_time_lucky(7)
    assert second_time_lucky(7) == second_time_lucky(7) == 7
    assert tries == [7, 7]


def test_values_stand_in_the_spec_and_the_kept_spec_is_unchanged() -> None:
    options = (("height", 290), ("many", True), ("words", WORDS))
    kept = draw._spec(mixture, ("mixture_parts", "mixture_outputs", "board_at"), options)
    before = repr(kept)
    filled = draw._filled(kept, {"columns": 5, "query": 3, "width": 300})
    parameters = {each["name"]: each for each in filled["params"]}
    assert parameters["columns"]["value"] == 5
    assert parameters["query"]["bind"]["max"] == 3
    assert filled["width"] == 300
    assert draw._given({"name": "x", "bind": {"input": "range"}}, (-4, 9))["bind"] == {
        "input": "range",
        "min": -4,
        "max": 9,
    }
    assert repr(kept) == before


def test_a_value_for_nothing_is_refused() -> None:
    spec = draw._spec(entropy, ("entropy_rows",), (("words", WORDS),))
    with pytest.raises(KeyError, match="colums"):
        draw._filled(spec, {"colums": 5})
