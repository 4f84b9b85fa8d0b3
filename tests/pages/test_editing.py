"""An edited table is taken over before the page runs, or left for its editor to refuse."""

from types import SimpleNamespace
from typing import Any

import pytest

from pages.ui import bench, held, language, tables

BASE = ((1.0, 2.0), (3.0, 4.0))
TICKS = ((True, False), (True, True))


def take(monkeypatch: pytest.MonkeyPatch, edits: dict[int, dict[str, Any]]) -> object:
    """Return the matrix of the session after its first table was edited."""
    return taken(monkeypatch, "q", BASE, bench._cells_of("q"), edits)


def taken(
    monkeypatch: pytest.MonkeyPatch, name: str, base: object, kind: tables.Kind[Any], edits: dict[Any, dict[str, Any]]
) -> object:
    table = tables._Table(0, base, base)
    session = {name: base, "_tables": {name: table}, f"editor_{name}_0": {"edited_rows": edits}}
    for module in (tables, held):
        monkeypatch.setattr(module, "st", SimpleNamespace(session_state=session))
    tables._take(name, kind)
    return session[name]


def test_edited_cells_replace_those_of_the_table_it_started_from(monkeypatch: pytest.MonkeyPatch) -> None:
    assert take(monkeypatch, {0: {"q·2": "0.5"}, 1: {"q·1": "-7"}}) == ((1.0, 0.5), (-7.0, 4.0))


@pytest.mark.parametrize("cell", [None, "", "abc", "1e300", "nan", "1 2"])
def test_a_cell_that_cannot_be_taken_leaves_the_matrix_as_it_was(monkeypatch: pytest.MonkeyPatch, cell: object) -> None:
    assert take(monkeypatch, {1: {"q·2": cell}}) == BASE


def test_a_cell_that_is_not_in_the_table_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert take(monkeypatch, {7: {"q·1": "5"}, 0: {"q·9": "5", "other": "5"}}) == BASE
    assert take(monkeypatch, {"x": {"q·1": "5"}}) == BASE


def test_ticks_are_taken_and_a_mask_without_a_gap_is_no_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = bench._paint_of(held.Held("q", {}, ("a", "b"), ("c", "d"), TICKS))
    assert taken(monkeypatch, "paint", TICKS, kind, {1: {"1 c·1": False}}) == ((True, False), (False, True))
    assert taken(monkeypatch, "paint", TICKS, kind, {0: {"2 d·2": True}, 9: {"1 c·1": False}}) is None


def test_a_settled_language_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, str] = {"lang": "en"}
    monkeypatch.setattr(language, "st", SimpleNamespace(session_state=session))
    language.settle(None)
    assert language.current() == "en"
    language.settle("zh")
    assert language.current() == "zh"
    language.settle(None)
    assert language.current() == "en"
