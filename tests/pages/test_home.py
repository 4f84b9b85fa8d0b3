"""The first page: the library's weights, and what the notes print beside a softmax worked out here."""

import math

import pytest

from core.claims import printed
from pages.ui.draw import read
from pages.views import home as view
from tests.pages.conftest import Open


def softmax(scores: tuple[float, ...], beta: float = 1.0) -> list[float]:
    """Work it out by hand."""
    powers = [math.exp(beta * score) for score in scores]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize("scores", [printed.LIBRARY_SIMILARITIES, printed.FOUR_SCORES, (0.0, 0.0, 5.0)])
def test_weights_are_the_softmax_of_the_similarities(scores: tuple[float, ...]) -> None:
    found = view.compute(scores)
    assert found.weights == pytest.approx(softmax(scores))
    assert read(found.bars)["weight"].tolist() == pytest.approx(softmax(scores))


def test_both_printed_lists_are_wrong_by_comparison() -> None:
    rows = view.notes()
    assert {name: row.verdict for name, row in rows.items()} == {"library": "wrong", "four": "wrong"}
    assert [round(weight, 3) for weight in rows["four"].right] == [0.163, 0.362, 0.180, 0.296]
    assert sum(map(float, rows["four"].said)) == pytest.approx(1)


def test_the_sentence_on_temperatures_says_bounds_that_exclude_each_other() -> None:
    values = view.no_temperature()
    assert [values[name] for name in ("first", "second", "third", "fourth")] == ["0.1", "0.2", "0.7", "0.9"]
    assert float(values["at_most"]) < float(values["at_least"])
    for beta in (float(values["at_most"]), float(values["at_least"])):
        ratio = math.exp(beta * 0.1)
        assert (ratio < 0.145 / 0.055 * 0.999) == (beta == float(values["at_most"]))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_names_the_mechanism_and_shows_both_rows(open_page: Open, lang: str) -> None:
    text = "\n".join(element.value for element in open_page("home", lang).markdown)
    assert {"en": "scaled dot-product attention", "zh": "缩放点积注意力"}[lang] in text
    for said in (printed.LIBRARY_WEIGHTS, printed.FOUR_WEIGHTS):
        assert ", ".join(said) in text
    assert "1.000" not in text
    assert "in proportion" not in text
