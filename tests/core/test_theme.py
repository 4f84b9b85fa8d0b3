"""The looks that pictures share."""

import pytest

from core.charts.theme import category_color, dashed


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_a_line_that_may_lie_on_others_has_gaps_of_its_own(count):
    order = tuple("abcdef"[:count])
    _, dash = dashed(category_color("line", "", order, order), 2)
    dashes = dash.to_dict()["scale"]["range"]
    assert len(dashes) == count
    gaps = [tuple(dash) for dash in dashes if dash != [1, 0]]
    assert len(gaps) == len(set(gaps)) == max(0, count - max(2, count - 3))
    assert dashes[: count - len(gaps)] == [[1, 0]] * (count - len(gaps))


def test_colour_and_dashes_have_one_legend_which_keeps_its_names():
    color, dash = (each.to_dict() for each in dashed(category_color("line", "", ("a", "b"), ("one", "it's")), 2))
    assert color["legend"] == dash["legend"]  # else Vega complains
    assert (color["field"], color["type"], color["title"]) == (dash["field"], dash["type"], dash["title"])
    assert color["scale"]["domain"] == dash["scale"]["domain"]
    assert color["legend"]["symbolType"] == "stroke"
    assert "'it\\'s'" in color["legend"]["labelExpr"]
