"""What the pictures of heads do in the browser alone: a cell that is pointed at is lit, and told, in every head."""

import itertools
import re

import pytest

from pages.ui.heads_lab import EXPERIMENTS
from pages.views import heads as view
from pages.views.heads import Params
from pages.views.heads_lab_cases import N_RESIDUES
from tests.browser.conftest import OpenTab, Tab
from tests.browser.test_board import CHART, texts

LIT = 'svg.marks path[stroke="#e6399b"]'
CELLS = 'svg path[opacity="0"][aria-roledescription="rect mark"]'
LABORATORY = '[class*="st-key-laboratory_heads_lab"]'
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
LOOKS = ("maps", "shapes", "parameters", "shared", "sources", "listing")


def test_a_cell_is_lit_in_every_head_with_its_weight_and_no_message_to_the_server(
    open_tab: OpenTab, server: str
) -> None:
    tab = open_tab(f"{server}/heads").ready()
    sent, before = len(tab.sent), texts(tab)
    row, column, n = 2, 3, len(view.tokens("listing"))
    maps = tab.page.locator(CHART).first
    maps.locator(CELLS).nth(row * n + column).hover(force=True)
    maps.locator(LIT).first.wait_for(state="attached")
    weights = view.attended(Params()).attended.weights[:, row, column].tolist()
    assert maps.locator(LIT).count() == len(weights)
    told = [text for text in texts(tab) if re.fullmatch(r"0\.\d{3}", text) and text not in before]
    assert sorted(told) == sorted(f"{weight:.3f}" for weight in weights)
    assert len(tab.sent) == sent
    assert tab.complaints == []


def test_the_same_number_is_lit_wherever_it_has_been_moved(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/heads?hd_look=shapes").ready()
    cut = tab.page.locator(f'{CHART}:has-text("reshape")').first
    cut.locator(CELLS).nth(0).hover(force=True)
    cut.locator(LIT).first.wait_for(state="attached")
    # x itself, cut and merged, rightly and wrongly.
    assert cut.locator(LIT).count() == 5
    assert tab.complaints == []


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_fits_a_phone(open_tab: OpenTab, server: str, look: str, lang: str) -> None:
    asked = "hd_d=48&hd_heads=6&hd_share=2&hd_source=masked"
    tab = open_tab(f"{server}/heads?lang={lang}&hd_look={look}&{asked}", width=390, height=844).ready()
    assert tab.sideways() <= 0
    assert tab.complaints == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_statistics_of_maps_name_their_rows_in_words_on_a_phone(open_tab: OpenTab, server: str, lang: str) -> None:
    tab = open_tab(f"{server}/heads?lang={lang}&hd_look=maps", **PHONE).ready()
    names = tab.page.locator('[class*="st-key-row_names_heads_read"] td:first-child')
    boxes = names.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect())")
    assert len(boxes) > 1
    assert min(box["width"] for box in boxes) >= 80
    # The longest name takes five lines at most.
    assert max(box["height"] for box in boxes) <= 140
    assert tab.sideways() <= 0


def test_labels_of_a_map_stand_in_the_middle_of_their_rows_and_columns(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/heads?heads_lab=protein").ready()
    chart = tab.page.locator(f"{LABORATORY} {CHART}")
    places = chart.evaluate(
        """chart => [...chart.querySelectorAll('svg g.mark-text')].map(group => [...group.querySelectorAll('text')]
        .map(text => [text.textContent, ...text.getAttribute('transform').match(/-?[0-9.]+/g).map(Number)]))"""
    )
    labels = [group for group in places if [label[0] for label in group[:3]] == ["1", "2", "3"]]
    axes = [group[start : start + N_RESIDUES] for group in labels for start in range(0, len(group), N_RESIDUES)]
    assert len(axes) == 3
    for axis in axes:
        assert [label[0] for label in axis] == [str(number) for number in range(1, N_RESIDUES + 1)]
        along = 1 if axis[0][1] != axis[1][1] else 2
        steps = [after[along] - before[along] for before, after in itertools.pairwise(axis)]
        assert max(steps) - min(steps) <= 1, axis


@pytest.mark.parametrize("size", [PHONE, DESK, {"width": 320, "height": 640}])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("lab", [lab for lab in EXPERIMENTS if lab != "translation"])
def test_every_picture_of_the_laboratory_is_seen_whole_without_scrolling_sideways(
    open_tab: OpenTab, server: str, lab: str, lang: str, size: dict[str, int]
) -> None:
    tab = open_tab(f"{server}/heads?lang={lang}&heads_lab={lab}&hl_step=8", **size).ready()
    seen_whole(tab)


def test_a_translation_in_training_is_seen_whole_on_a_phone(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/heads?heads_lab=translation", **PHONE).ready()
    tab.page.locator('[class*="st-key-hl_translation_start"] button').click()
    tab.page.locator(f"{LABORATORY} {CHART} svg.marks").wait_for(timeout=60_000)
    seen_whole(tab)


def seen_whole(tab: Tab) -> None:
    """Assert that the laboratory's picture is no wider than its box, and that no word in it is cut off.

    A line is higher than its letters by 3 px, half of it on each side, which nothing is written on.
    """
    chart = tab.page.locator(f"{LABORATORY} {CHART}")
    chart.locator("svg.marks").wait_for()
    assert chart.evaluate("chart => chart.scrollWidth - chart.clientWidth") <= 0
    cut = chart.evaluate(
        """chart => {
          const box = chart.querySelector('svg.marks').getBoundingClientRect();
          return [...chart.querySelectorAll('svg.marks text')].filter(text => text.textContent).filter(text => {
            const own = text.getBoundingClientRect();
            return own.left < box.left - 2 || own.right > box.right + 2
              || own.top < box.top - 2 || own.bottom > box.bottom + 2;
          }).map(text => text.textContent);
        }"""
    )
    assert cut == []
    assert tab.complaints == []


@pytest.mark.parametrize(
    ("lab", "drawn", "mapped"), [("image", "The picture", "cat"), ("protein", "across (Å)", "key")]
)
def test_a_drawing_stands_beside_its_maps_on_a_desk_and_above_them_on_a_phone(
    open_tab: OpenTab, server: str, lab: str, drawn: str, mapped: str
) -> None:
    def boxes(size: dict[str, int]) -> list[dict[str, float]]:
        tab = open_tab(f"{server}/heads?heads_lab={lab}", **size).ready()
        picture = tab.page.locator(f"{LABORATORY} {CHART} svg.marks")
        return [picture.locator("text", has_text=word).first.bounding_box() for word in words]

    words = (drawn, mapped)
    drawing, maps = boxes(DESK)
    assert drawing["x"] + drawing["width"] < maps["x"]
    assert abs(drawing["y"] - maps["y"]) <= 2
    drawing, maps = boxes(PHONE)
    assert drawing["y"] + drawing["height"] < maps["y"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_claims_in_the_laboratory_can_be_read_on_a_phone(open_tab: OpenTab, server: str, lang: str) -> None:
    tab = open_tab(f"{server}/heads?lang={lang}&heads_lab=protein", width=390, height=844).ready()
    cells = tab.page.locator('[class*="st-key-laboratory_heads_lab"] td')
    widths = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().width)")
    assert len(widths) == 8
    assert min(widths) >= 80
    assert tab.sideways() <= 0
