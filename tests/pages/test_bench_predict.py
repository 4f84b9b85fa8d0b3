"""Predict first: no weight is anywhere on the page before the student has said what it will be."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core import examples
from pages.ui.draw import read
from pages.ui.language import labels
from pages.views import bench_step
from pages.views.bench_prediction import NO_KEY, Guess, outcome
from pages.views.bench_step import Params
from pages.views.worked_claims import NOTES
from tests.pages.conftest import Open

EXAMPLE = examples.random(4, 3, 4, 4, 3)
LINK = {"source": "random", "seed": "4"}
STEP = bench_step.run(Params("q", tuple(EXAMPLE.matrices.items())))
NUMBERS = [*STEP.weights.flatten().tolist(), *STEP.output.flatten().tolist()]
# Rounded as they are written on the page, and cut as they begin in what is sent. No other number of this example begins
# like one of them.
SECRETS = [(f"{abs(value):.4f}", f"{abs(value):.17f}"[:7]) for value in NUMBERS]


def everything(at: AppTest) -> str:
    """All that a page sends to the browser: every element, every chart with its data."""
    sent = []
    for element in at.main:
        collect(element, sent)
    return "\n".join(sent)


def collect(element: object, sent: list[str]) -> None:
    for child in getattr(element, "children", {}).values():
        collect(child, sent)
    proto = getattr(element, "proto", None)
    if proto is not None:
        sent.append(str(proto))
    if getattr(element, "type", "") == "vega_lite_chart":
        sent += [read(part.data.data).to_csv() for part in proto.datasets]


def chart_data(at: AppTest) -> str:
    return "\n".join(
        read(part.data.data).to_csv() for chart in at.get("vega_lite_chart") for part in chart.proto.datasets
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("picture", ["board", "one", "mixture"])
@pytest.mark.parametrize("step", ["1", "4", "5"])
def test_no_weight_and_no_output_is_on_the_page_before_it_is_asked_for(
    open_page: Open, step: str, picture: str, lang: str
) -> None:
    at = open_page("worked_example", lang, predict="true", step=step, picture=picture, **LINK)
    assert not at.exception
    sent = everything(at)
    assert chart_data(at)
    assert [forms for forms in SECRETS if any(form in sent for form in forms)] == []


def test_the_search_for_weights_can_find_them(open_page: Open) -> None:
    for picture in ("board", "one", "mixture"):
        sent = everything(open_page("worked_example", step="5", picture=picture, **LINK))
        assert [forms for forms in SECRETS if not any(form in sent for form in forms)] == []


def answer(at: AppTest, key: int, share: float) -> AppTest:
    (choice,) = (group for group in at.button_group if group.key.startswith("guess_key"))
    choice.set_value(key).run()
    at.number_input[0].set_value(share).run()
    return at.button(key="guess_show").click().run()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_chosen_beforehand_and_both_are_shown_afterwards(open_page: Open, lang: str) -> None:
    at = open_page("worked_example", lang, folded=True, predict="true", step="5")
    assert at.number_input[0].value is None
    assert at.button(key="guess_show").disabled
    answer(at, 1, 0.6)
    assert not at.exception
    (table,) = (block.value for block in at.markdown if labels()["bench_more.predict_said"][lang] in block.value)
    assert labels()["bench_more.predict_wrong"][lang] in table
    rows = [re.split(r"\s*\|\s*", line) for line in table.splitlines()[2:]]
    assert rows[0][2:4] == ["k2", "k1"]
    assert rows[1][2:5] == ["0.6000", "0.5065", "−0.0935"]
    assert rows[2][3] == "0.1863"
    assert "0.5065" in everything(at)


@pytest.mark.parametrize("moved", [{"mask": "lower_right"}, {"scale": "none"}, {"q": "1,0,1,0;0,1,0,1;1,1,1,2"}])
def test_a_new_state_asks_again(open_page: Open, moved: dict[str, str]) -> None:
    at = answer(open_page("worked_example", folded=True, predict="true", step="5"), 0, 0.5)
    assert not at.number_input
    for key, value in moved.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    assert at.number_input[0].value is None
    assert at.button(key="guess_show").disabled


def test_what_was_shown_is_not_asked_for_again(open_page: Open) -> None:
    at = answer(open_page("worked_example", folded=True, predict="true", step="5"), 0, 0.5)
    at.query_params["query"] = "2"
    at.run()
    assert not at.exception
    assert not at.number_input
    table = next(m.value for m in at.markdown if "0.5000" in m.value)
    assert table.startswith("| q1 |")


def test_a_row_that_sees_nothing_has_an_answer_too(open_page: Open) -> None:
    at = open_page("worked_example", folded=True, predict="true", step="5", paint="000;111;111")
    answer(at, NO_KEY, 0.0)
    assert any(labels()["bench_more.predict_right"]["en"] in block.value for block in at.markdown)


def test_equal_weights_are_all_the_largest() -> None:
    weights = bench_step.run(NOTES).weights
    found = outcome(weights[2], Guess(1, 0.3, 2))
    assert found.most == (0, 1, 2)
    assert found.of_guessed == pytest.approx(1 / 3)
    assert outcome(weights[0], Guess(NO_KEY, 0.0, 0)).most == (0,)


def test_a_demonstration_keeps_its_numbers_back_too(open_page: Open) -> None:
    link = {"mistake": "axis", "step": "5"}
    assert "\n- " not in open_page("worked_example", folded=True, predict="true", **link).warning[0].value
    assert "\n- " in open_page("worked_example", folded=True, **link).warning[0].value
