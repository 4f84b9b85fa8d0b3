"""The looks that pictures share."""

import pytest

from core.charts.theme import category_color, category_dash, stroked


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_a_line_that_may_lie_on_others_has_gaps_of_its_own(count):
    order = tuple("abcdef"[:count])
    dashes = category_dash("line", order).to_dict()["scale"]["range"]
    assert len(dashes) == count
    gaps = [tuple(dash) for dash in dashes if dash != [1, 0]]
    assert len(gaps) == len(set(gaps)) == max(0, count - max(2, count - 3))
    assert dashes[: count - len(gaps)] == [[1, 0]] * (count - len(gaps))


def test_a_stroked_legend_keeps_its_names():
    legend = stroked(category_color("line", "", ("a", "b"), ("one", "it's")), 2).to_dict()["legend"]
    assert legend["symbolType"] == "stroke"
    assert legend["columns"] == 2
    assert "'it\\'s'" in legend["labelExpr"]
