"""Printed weights held against the bench's scores: verdicts, reasons, and what they should have been."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.ui.language import labels
from pages.views import bench_step, bench_weights
from pages.views.bench_step import Params
from tests.pages.conftest import Open


def says(key: str, lang: str = "en") -> str:
    return labels()[f"bench_weights.{key}"][lang]


def table(at: AppTest) -> list[list[str]]:
    """The rows of the table of verdicts, cell by cell."""
    heads = (says("temperature", "en"), says("temperature", "zh"))
    found = [block.value for block in at.markdown if any(head in block.value for head in heads)]
    assert len(found) == 1
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[0].split("\n")[2:]]


def reasons(at: AppTest) -> list[str]:
    return [block.value for block in at.markdown if block.value.startswith("- **")]


def paste(at: AppTest, text: str) -> AppTest:
    return at.text_area(key="weights_text").set_value(text).run()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_notes_rows_have_no_temperature_but_the_even_one_which_has_every(open_page: Open, lang: str) -> None:
    at = open_page("worked_example", lang)
    at.button(key="weights_fill").click().run()
    assert not at.exception
    assert not at.error
    rows = table(at)
    answers = [row[2] for row in rows]
    assert answers[:2] == [f":red-badge[{says('answer_no', lang)}]"] * 2
    assert answers[2] == f":green-badge[{says('answer_any', lang)}]"
    assert [row[-1] for row in rows] == [
        "0.5065, 0.1863, 0.3072", "0.1863, 0.5065, 0.3072", "0.3333, 0.3333, 0.3333",
    ]  # fmt: skip
    assert [row[1] for row in rows] == ["0.50, 0.12, 0.38", "0.12, 0.50, 0.38", "0.33, 0.33, 0.33"]
    assert len(reasons(at)) == 2


@pytest.mark.parametrize("source", ["library", "raw"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_other_printed_rows_have_no_temperature_and_the_reason_is_said(
    open_page: Open, source: str, lang: str
) -> None:
    at = open_page("worked_example", lang, source=source)
    at.button(key="weights_fill").click().run()
    assert not at.exception
    assert [row[2] for row in table(at)] == [f":red-badge[{says('answer_no', lang)}]"]
    if source == "library":
        ordered = says("why_order", lang).replace("@{higher}", "宠物").replace("@{lower}", "动物学")
        assert ordered in reasons(at)[0]
    else:
        assert table(at)[0][-1] == "0.1625, 0.3617, 0.1796, 0.2961"
        assert "K₃" in reasons(at)[0]


def test_rounded_weights_of_the_page_find_the_page_temperature(open_page: Open) -> None:
    at = paste(open_page("worked_example", query="2"), "0.1863\t0.5065\t0.3072")
    row = table(at)[0]
    assert row[0] == "q2"
    low, high = (float(end) for end in row[2].removeprefix(":green-badge[").removesuffix("]").split(" … "))
    assert low <= 2 <= high
    assert high - low < 0.01
    assert [says("fits") in cell for cell in row[3:5]] == [False, True]
    assert not reasons(at)


SCORE = st.floats(-8, 8).map(lambda value: round(value, 2))


@given(
    st.integers(2, 5).flatmap(lambda n: st.lists(st.tuples(*[SCORE] * n), min_size=1, max_size=3)),
    st.floats(0.2, 5),
    st.integers(2, 6),
)
def test_weights_made_at_a_temperature_and_rounded_fit_it(
    scores: list[tuple[float, ...]], temperature: float, places: int
) -> None:
    texts = []
    for row in scores:
        powers = [math.exp((score - max(row)) / temperature) for score in row]
        texts.append(tuple(f"{power / math.fsum(powers):.{places}f}" for power in powers))
    params = Params("s", (("s", tuple(scores)),), scale="free", temperature=temperature)
    for row in bench_weights.judged(params, tuple(texts), 0):
        assert any(low * (1 - 1e-9) <= temperature <= high * (1 + 1e-9) for low, high in row.fit.temperatures)
        assert [f"{weight:.{places}f}" for weight in row.computed] == list(row.printed)


def test_the_mask_counts_and_a_demonstrated_mistake_does_not() -> None:
    keep, _ = bench_step.joined(bench_step.Masks(causal="upper_left"), 2, 2)
    params = Params("s", (("s", ((2.0, 1.0), (0.0, 0.0))),), keep, mistake="axis", precision="float16")
    first, second = bench_weights.judged(params, (("1.0", "0.0"), ("0.5", "0.5")), 0)
    assert (first.fit.answer, second.fit.answer) == ("any", "any")
    hidden = bench_weights.judged(params, (("0.7", "0.3"), ("0.5", "0.5")), 0)[0]
    assert hidden.fit.witness is not None
    assert hidden.fit.witness.reason == "hidden"
    assert hidden.computed == (1.0, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5 0.5", "columns"),
        ("0.5 0.2 0.3\n0.5 0.2 0.3", "rows"),
        ("0.5 1.2 0.3", "row 1, column 2"),
        ("0.5 half 0.3", "row 1, column 2"),
        ("0.5 -0.1 0.6", "row 1, column 2"),
        ("q1 0.5 1.2 0.3", "row 1, column 3"),
        ("50% 0.12 0.38", "row 1, column 1: “50%”"),
        ("1/2 1/4 1/4", "row 1, column 1: “1/2”"),
        ("0,5% 99,5% 0%", "row 1, column 1: “0,5%”"),
        ("50% 112% 38%", "row 1, column 2"),
    ],
)
def test_what_are_no_weights_of_these_scores_is_said(open_page: Open, text: str, said: str) -> None:
    at = paste(open_page("worked_example"), text)
    assert not at.exception
    assert len(at.error) == 1
    assert said in at.error[0].value
    assert at.get("vega_lite_chart")


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "S has 3 columns and the pasted table has 2; they must be equal."),
        ("zh", "S 有 3 列，粘贴的权重 有 2 列；两者必须相等。"),
    ],
)
def test_a_table_of_another_width_is_refused_in_a_whole_sentence(open_page: Open, lang: str, sentence: str) -> None:
    at = paste(open_page("worked_example", lang), "<b>x</b> 1 2")
    assert [error.value for error in at.error] == [sentence]


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("50% 12% 38%", "0.50 0.12 0.38"),
        ("50%,12%\n100%, 0.5%", "0.50,0.12\n1.00, 0.005"),
        ("５０％\t5 %", "0.50\t0.05"),
        ("112%", "1.12"),
        ("50% 0.5", "50% 0.5"),
        ("0,5% 99,5%", "0,5% 99,5%"),
        ("0.5 0.5", "0.5 0.5"),
        ("50%12%", "50%12%"),
    ],
)
def test_percentages_are_weights_with_their_digits(text: str, decimals: str) -> None:
    assert bench_weights.without_percent(text) == decimals


@pytest.mark.parametrize("separator", ["\t", " ", ", ", ";"])
def test_a_row_of_percentages_is_judged_as_the_weights_it_means(open_page: Open, separator: str) -> None:
    at = paste(open_page("worked_example"), separator.join(["50%", "12%", "38%"]))
    assert not at.error
    assert table(at)[0][1] == "0.50, 0.12, 0.38"


@pytest.mark.parametrize(
    ("text", "key"), [("0.3 0.3 0.1", "why_sum"), ("0.50 0.25 0.25", "why_slopes"), ("0.2 0.2 0.6", "why_order")]
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_reason_is_one_sentence_with_its_numbers(open_page: Open, text: str, key: str, lang: str) -> None:
    at = paste(open_page("worked_example", lang), text)
    assert len(reasons(at)) == 1
    start = says(key, lang).split("@{")[0]
    assert start in reasons(at)[0]
    assert "@{" not in reasons(at)[0]


def test_the_button_is_there_only_where_the_notes_print_weights(open_page: Open) -> None:
    at = open_page("worked_example", source="cross")
    assert not [button for button in at.button if button.key == "weights_fill"]
