"""Schedules and routes against a search over everything a cell depends on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.complexity import paths
from core.complexity.routes import KINDS, MAX_POSITIONS, Cell, schedule
from core.errors import InputError

N = st.integers(1, 24)


def reads(kind: str, cell: Cell, n: int, radius: int, kernel: int) -> set[tuple[int, int]]:
    """(position, level) of all that a cell is worked out from."""
    if kind == "recurrent":
        before = {(cell.position - 1, 1)} if cell.position > 1 else set()
        return {(cell.position, 0)} | before
    reach = {"attention": n, "window": radius, "convolution": kernel // 2}[kind]
    near = range(max(1, cell.position - reach), min(n, cell.position + reach) + 1)
    return {(position, cell.level - 1) for position in near}


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(KINDS), N, st.data(), st.integers(1, 8), st.integers(2, 9))
def test_a_cell_is_done_one_step_after_the_last_that_it_reads(kind, n, data, radius, kernel):
    i, j = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
    made = schedule(kind, n, i, j, radius, kernel)
    steps = {(cell.position, cell.level): cell.step for cell in made.cells}
    assert len(steps) == len(made.cells)
    for cell in made.cells:
        if cell.level == 0:
            assert cell.step == 0
        else:
            assert cell.step == 1 + max(steps[place] for place in reads(kind, cell, n, radius, kernel))
    assert made.steps == max(steps.values())


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(KINDS), N, st.data(), st.integers(1, 8), st.integers(2, 9))
def test_a_route_goes_only_where_cells_read_and_is_as_long_as_the_path(kind, n, data, radius, kernel):
    i, j = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
    made = schedule(kind, n, i, j, radius, kernel)
    if kind == "recurrent" and i > j:
        assert made.hops == ()
        return
    assert (made.hops[0].start.position, made.hops[0].start.level) == (i, 0)
    assert (made.hops[-1].end.position, made.hops[-1].end.level) == (j, max(cell.level for cell in made.cells))
    for hop in made.hops:
        assert (hop.start.position, hop.start.level) in reads(kind, hop.end, n, radius, kernel)
    for one, following in zip(made.hops, made.hops[1:], strict=False):
        assert one.end == following.start
    if i != j:
        expected = {
            "recurrent": lambda: 1 + paths.rnn_path(j - i),
            "attention": lambda: paths.attention_path(abs(i - j)),
            "window": lambda: paths.windowed_path(abs(i - j), radius),
            "convolution": lambda: paths.cnn_path(abs(i - j), kernel),
        }
        assert len(made.hops) == expected[kind]()


@pytest.mark.parametrize(
    "changes", [{"n": 0}, {"n": MAX_POSITIONS + 1}, {"i": 0}, {"j": 9}, {"radius": 0, "kind": "window"}]
)
def test_what_lies_outside_the_bounds_is_refused(changes):
    with pytest.raises(InputError):
        schedule(**{"kind": "attention", "n": 8, "i": 1, "j": 8, **changes})
