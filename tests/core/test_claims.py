"""Every statement of the notes has a check, and every check finds what was worked out independently."""

import ast
import importlib
import pkgutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import torch

import core.claims
from core.claims import ledger, live
from core.claims.ledger import TOPICS, Claim, Found
from core.claims.statements import BY_ID, CLAIMS
from tests.core import known
from tests.core.known import Known

STATEMENTS = {"000": 40, "002": 35, "003": 114}
KNOWN: dict[str, Known] = {}
for found in pkgutil.iter_modules(known.__path__):
    table = importlib.import_module(f"tests.core.known.{found.name}").KNOWN
    assert not KNOWN.keys() & table.keys()
    KNOWN |= table
COMPUTED = [each for each in CLAIMS if each.check is not None]
LISTED = [each for each in CLAIMS if each.check is None]


def flat(value: Any) -> list[float]:
    """Return a number, or a nest of numbers, as a list."""
    if isinstance(value, tuple | list):
        return [number for each in value for number in flat(each)]
    return [float(value)]


def test_no_statement_is_missing() -> None:
    ids = {f"{notes}-{number:03}" for notes, count in STATEMENTS.items() for number in range(1, count + 1)}
    assert set(BY_ID) == ids
    assert set(KNOWN) == ids


def test_every_module_of_claims_is_gathered() -> None:
    standing = set()
    for found in pkgutil.iter_modules(core.claims.__path__):
        module = importlib.import_module(f"core.claims.{found.name}")
        standing |= {each.id for each in vars(module).values() if isinstance(each, Claim)}
    assert standing == set(BY_ID)


@pytest.mark.parametrize("each", CLAIMS, ids=lambda each: each.id)
def test_a_claim_says_where_it_stands_and_what_it_is(each: Claim) -> None:
    assert each.topic in TOPICS
    assert each.line.startswith("L")
    assert each.quote
    assert len(each.quote) <= 80
    assert (each.check is None) == (each.kind == "history")


@pytest.mark.parametrize("each", COMPUTED, ids=lambda each: each.id)
def test_a_check_finds_what_is_known(each: Claim, device: torch.device) -> None:
    assert each.check is not None
    state = torch.get_rng_state()
    got = live.run(each.check, device).found
    assert torch.equal(torch.get_rng_state(), state), "it drew from the generator that all visitors share"
    expected = KNOWN[each.id]
    assert got.verdict == expected.verdict == each.recorded
    assert expected.values.keys() <= got.values.keys()
    for name, (value, tolerance) in expected.values.items():
        numbers, wanted, near = flat(got.values[name]), flat(value), flat(tolerance)
        assert len(numbers) == len(wanted), name
        for number, right, apart in zip(numbers, wanted, near * len(wanted) if len(near) == 1 else near, strict=True):
            assert number == pytest.approx(right, abs=apart, rel=0), name


@pytest.mark.parametrize("each", LISTED, ids=lambda each: each.id)
def test_what_is_listed_has_the_verdict_of_its_source(each: Claim) -> None:
    assert KNOWN[each.id] == Known(each.recorded)


@pytest.mark.parametrize("each", COMPUTED, ids=lambda each: each.id)
def test_a_check_compares(each: Claim) -> None:
    """A verdict is decided in the function: one that only returns its recorded verdict is no check."""
    assert each.check is not None
    source = Path(importlib.import_module(each.check.__module__).__file__ or "").read_text(encoding="utf-8")
    [function] = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == each.check.__name__
    ]
    verdicts = [
        node.args[0]
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Found" and node.args
    ]
    assert verdicts
    if each.recorded != "open":
        assert not any(isinstance(verdict, ast.Constant) for verdict in verdicts)


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="003-001 stands twice"):
        ledger.gathered((core.claims.lookup, core.claims.lookup))


def test_a_changed_verdict_is_noticed() -> None:
    changed = Found("correct", {"right": Fraction(1, 2)})
    assert changed.verdict != KNOWN["003-006"].verdict
