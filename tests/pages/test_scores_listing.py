"""Scores: the page's listing is run as a reader would, and prints what the page shows."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from pages.views import scores as view
from pages.views import scores_explained as explaining
from pages.views import scores_growth as growing
from pages.views import scores_sums as sums
from pages.views import scores_weighting as weighing
from pages.views.scores import Params

STATES = [
    Params(),
    Params(source="notes", query=3, key=2),
    Params(d=2, n=5, alike=False, draw=0),
    Params(d=512, n=16, longer=8, query=4, key=16),
    Params(d=64, n=12, fn="squared", query=2),
]


LOOPS = """
import json, sys, torch
for listing in json.load(sys.stdin):
    print("####")
    torch.set_default_dtype(torch.float32)  # as in a fresh interpreter
    exec(listing, {})
"""


def run(states):
    """Run the listings of many states as a reader would, each with names of its own; return their lines."""
    given = json.dumps([sums.listing(state) for state in states])
    made = subprocess.run([sys.executable, "-c", LOOPS], input=given, capture_output=True, text=True, check=True)
    return [part.strip().splitlines() for part in made.stdout.split("####")[1:]]


def numbers(text):
    return [float(each) for each in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?|-?inf|nan", text)]


def test_the_listing_prints_scores_and_weights_of_the_chosen_query():
    for state, lines in zip(STATES, run(STATES), strict=True):
        assert [line.split()[0] for line in lines] == list(view.NAMES)
        for line, (name, found) in zip(lines, view.scored(state).items(), strict=True):
            own = found[state.query - 1]
            expected = [*own.tolist(), *own.softmax(-1).tolist()]
            assert numbers(line.removeprefix(name)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_listing_prints_the_weights_of_every_rule():
    states = [
        Params(look="weighting", fn=fn, shift=shift, times=2, top=3, d=4) for fn in view.NAMES for shift in (0.0, -1.5)
    ]
    for state, lines in zip(states, run(states), strict=True):
        for line, (name, own) in zip(lines, weighing.weighed(state).items(), strict=True):
            assert line.split()[0] == name
            if own.defined:
                expected = [*own.weights.tolist(), float(own.weights.sum())]
                assert numbers(line.removeprefix(name)) == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_the_listing_finds_the_same_other_weights():
    bases = [*STATES, Params(n=5, d_v=4), Params(n=16, d_v=8, fn="cosine")]
    states = [replace(state, look="explanation", out=out) for state in bases for out in view.WAYS_OUT]
    for state, lines in zip(states, run(states), strict=True):
        own = explaining.found(state)
        *first, moved, before, after = lines
        assert numbers(first[0]) == [own.rank, own.nullity]
        assert numbers(moved)[0] < 1e-9
        assert numbers(before) == pytest.approx(own.weights.tolist(), abs=1e-9)
        assert numbers(after) == pytest.approx(own.end.tolist(), abs=1e-7)


def test_the_listing_measures_the_same_spread():
    states = [Params(look="growth", d=d, n=8) for d in (2, 64)]
    for state, lines in zip(states, run(states), strict=True):
        found = growing.measured(8, state.draw)
        for line in lines:
            name = line.split()[0]
            spread, largest = numbers(line.removeprefix(name))
            assert spread == pytest.approx(found[name, state.d].deviation, rel=1e-4)
            assert largest == pytest.approx(found[name, state.d].largest, rel=1e-4)
