"""Moving things: sliders, links, steps, keys, hovering, editing, going away and coming back."""

import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import FloatRect, Locator

from pages.ui.language import labels
from tests.browser.conftest import OpenTab, Tab

LIT = '[...document.querySelectorAll(\'[data-testid="stVegaLiteChart"] svg path[stroke="#e6399b"]\')]'


def link(tab: Tab) -> dict[str, list[str]]:
    """Return the parameters in the address bar."""
    return parse_qs(urlparse(tab.page.url).query)


def press_slider(tab: Tab, label: str, key: str, times: int = 1) -> None:
    """Move a slider by its keys."""
    thumb = tab.page.get_by_role("slider", name=label)
    thumb.focus()
    for _ in range(times):
        thumb.press(key)


def picture(tab: Tab) -> str:
    """Return the first chart as drawn; Vega writes the address of the moment into its gradients' names."""
    drawn = tab.page.locator('[data-testid="stVegaLiteChart"]').first.inner_html()
    return re.sub(r"url\([^)]*\)|gradient_\d+|clip\d+", "", drawn)


def settled(element: Locator) -> FloatRect:
    """Return where an element is once it has stopped moving (an expander opens slowly)."""
    element.scroll_into_view_if_needed()
    before = element.bounding_box()
    while True:
        element.page.wait_for_timeout(200)
        now = element.bounding_box()
        if now is not None and now == before:
            return now
        before = now


def type_into_cell(tab: Tab, text: str) -> None:
    """Type into the chosen cell of a table, as a person would, and wait until the link has it."""
    tab.page.wait_for_function("() => document.activeElement.getAttribute('role') === 'gridcell'")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("() => document.activeElement.classList.contains('gdg-input')")
    tab.page.wait_for_timeout(300)
    tab.page.keyboard.press("Control+A")
    tab.page.keyboard.type(text, delay=60)
    # The table takes what is typed a moment later; nobody presses Enter within that.
    tab.page.wait_for_timeout(700)
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("text => decodeURIComponent(location.search).includes(text)", arg=text)
    tab.ready()


def says(key: str, lang: str = "en") -> str:
    return labels()[key][lang]


def test_a_slider_move_repaints_and_is_in_the_link(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    before = picture(tab)
    press_slider(tab, says("worked_example.query"), "ArrowRight")
    tab.page.wait_for_function("() => location.search.includes('query=2')")
    tab.page.wait_for_function(
        "before => document.querySelector('[data-testid=\"stVegaLiteChart\"]').innerHTML !== before", arg=before
    )
    assert link(tab)["query"] == ["2"]
    tab.page.get_by_text(says("worked_example.by_hand").replace("@{query}", "q2")).wait_for()
    assert tab.complaints == []


def test_a_link_made_by_moving_reproduces_the_page_elsewhere(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example").ready()
    for step in (2, 3, 4):
        tab.page.get_by_role("button", name=says("frame.step_on")).click()
        tab.page.wait_for_function("step => location.search.includes(`step=${step}`)", arg=step)
        tab.ready()
    press_slider(tab, says("worked_example.query"), "ArrowRight", 2)
    tab.page.get_by_role("combobox", name=says("bench.mask")).click()
    tab.page.get_by_role("option", name=says("bench.mask_lower_right")).click()
    tab.page.wait_for_function("() => location.search.includes('mask=') && location.search.includes('query=3')")
    tab.ready()
    other = open_tab(tab.page.url).ready()
    assert link(other) == link(tab) == {"step": ["4"], "query": ["3"], "mask": ["lower_right"]}
    assert picture(other) == picture(tab)
    press_slider(other, says("worked_example.query"), "ArrowLeft")
    other.page.wait_for_function("() => location.search.includes('query=2')")
    third = open_tab(other.page.url).ready()
    assert third.page.get_by_text(says("worked_example.by_hand").replace("@{query}", "q2")).is_visible()


def test_each_choice_is_one_step_of_the_browsers_history(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/sqrt_dk?lang=en").ready()
    looks = tab.page.locator('[data-testid="stButtonGroup"]', has=tab.page.get_by_text("One row", exact=True))
    before = tab.page.evaluate("history.length")
    for name, held in (("One row", True), ("Variance", False)):
        looks.get_by_text(name, exact=True).click()
        tab.page.wait_for_function(f"location.search.includes('beside=') === {str(held).lower()}")
    tab.ready()
    assert tab.page.evaluate("history.length") == before + 2
    tab.page.go_back()
    tab.page.wait_for_function("location.search.includes('beside=row')")
    tab.ready()
    chosen = looks.locator('[aria-checked="true"], [kind$="Active"]')
    assert chosen.inner_text() == "One row"
    assert tab.page.locator('[data-testid="stAlertContentWarning"]').count() == 0


def test_the_arrow_keys_step_forward_and_back(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example").ready()
    tab.page.locator("body").press("ArrowRight")
    tab.page.wait_for_function("() => location.search.includes('step=2')")
    tab.ready().page.locator("body").press("ArrowRight")
    tab.page.wait_for_function("() => location.search.includes('step=3')")
    tab.ready().page.locator("body").press("ArrowLeft")
    tab.page.wait_for_function("() => location.search.includes('step=2')")


def test_hovering_a_score_lights_the_query_row_and_the_key_row_without_a_rerun(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=4").ready()
    before = len(tab.sent)
    assert before > 0
    thick = f"{LIT}.filter(path => path.getAttribute('stroke-width') === '3').length"
    assert tab.page.evaluate(thick) == 0
    # The empty cells on top are the hit targets; those of S come after Q (3 × 4), K (3 × 4) and V (3 × 4).
    cells = tab.page.locator('[data-testid="stVegaLiteChart"] svg path[opacity="0"][aria-roledescription="rect mark"]')
    scores = 36
    cells.nth(scores + 2).hover(force=True)
    tab.page.wait_for_function(f"() => {thick} > 0")
    # S[1, 3]: itself, four cells of Q, four of K and one of A.
    assert tab.page.evaluate(thick) == 1 + 4 + 4 + 1
    assert "q1·k3 = 1·1 + 0·1 + 1·0 + 0·0 = 1" in tab.page.locator("#vg-tooltip-element").inner_text()
    assert len(tab.sent) == before
    assert tab.complaints == []


def test_two_edits_in_a_row_both_stay_and_are_in_the_link(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    tab.page.get_by_text(says("worked_example.edit")).click()
    grid = tab.page.locator('[data-testid="stDataFrame"]').first
    grid.wait_for()
    box = settled(grid)
    # One row of headings above, one column of names on the left; rows are 35 pixels high.
    tab.page.mouse.click(box["x"] + 90, box["y"] + 35 + 17)
    tab.page.wait_for_timeout(300)
    # As in a spreadsheet: Enter opens the cell, and once more closes it and goes to the cell below.
    for text in ("0.00390625", "7"):
        type_into_cell(tab, text)
    asked = link(tab)["q"][0].split(";")
    assert [line.split(",")[0] for line in asked[:2]] == ["0.00390625", "7"]
    other = open_tab(tab.page.url).ready()
    assert picture(other) == picture(tab)


def test_an_edit_survives_a_look_at_another_matrix_and_at_another_page(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    tab.page.get_by_text(says("worked_example.edit")).click()
    box = settled(tab.page.locator('[data-testid="stDataFrame"]').first)
    tab.page.mouse.click(box["x"] + 90, box["y"] + 35 + 17)
    type_into_cell(tab, "4.5")
    for matrix in ("K", "Q"):
        tab.page.get_by_role("radio", name=matrix, exact=True).click()
        tab.ready()
    assert link(tab)["q"][0].startswith("4.5,")
    for page in ("home", "worked_example"):
        tab.page.get_by_role("link", name=says(f"page.{page}")).first.click()
        tab.page.wait_for_function(
            "title => document.querySelector('h1')?.innerText === title", arg=says(f"{page}.question")
        )
        tab.ready()
    tab.page.wait_for_function("() => location.search.includes('q=4.5')")


def test_presenter_mode_is_left_by_the_first_key(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?present=1").ready()
    tab.page.locator("body").press("Escape")
    tab.page.wait_for_selector('[data-testid="stSidebar"]', state="visible")
    assert "present" not in link(tab)


def test_a_notice_stands_below_the_header(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?query=99").ready()
    alert = tab.page.locator('[data-testid="stAlert"]').first.bounding_box()
    header = tab.page.locator('[data-testid="stHeader"]').bounding_box()
    assert alert is not None
    assert header is not None
    assert alert["y"] >= header["y"] + header["height"]


def test_values_and_language_survive_another_page_and_back(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?lang=zh&query=3&mask=lower_right&step=3").ready()
    tab.page.get_by_role("link", name=says("page.home", "zh")).first.click()
    tab.page.wait_for_function(
        "title => document.querySelector('h1')?.innerText === title", arg=says("home.question", "zh")
    )
    tab.ready()
    assert link(tab) == {"lang": ["zh"]}
    tab.page.get_by_role("link", name=says("page.worked_example", "zh")).first.click()
    tab.page.wait_for_function(
        "title => document.querySelector('h1')?.innerText === title", arg=says("worked_example.question", "zh")
    )
    tab.ready()
    tab.page.wait_for_function("() => location.search.includes('query=3')")
    assert link(tab) == {"lang": ["zh"], "query": ["3"], "mask": ["lower_right"], "step": ["3"]}


def test_switching_the_language_changes_words_only(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?query=2&step=5").ready()
    tab.page.get_by_role("radio", name="简体中文").or_(tab.page.get_by_text("简体中文")).first.click()
    tab.page.wait_for_function(
        "title => document.querySelector('h1')?.innerText === title", arg=says("worked_example.question", "zh")
    )
    tab.ready()
    assert link(tab) == {"lang": ["zh"], "query": ["2"], "step": ["5"]}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nonsense_in_a_link_is_said_and_runs_nothing(open_tab: OpenTab, server: str, lang: str) -> None:
    bad = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E![x](http%3A%2F%2F192.0.2.1%2Fx.png)"
    tab = open_tab(f"{server}/worked_example?lang={lang}&query={bad}&step={bad}&q={bad}&v=1,2;3").ready()
    assert tab.title() == says("worked_example.question", lang)
    assert tab.page.locator('[data-testid="stAlert"]').count() >= 3
    assert tab.page.locator('[data-testid="stAlert"] img').count() == 0
    assert tab.complaints == []


@pytest.mark.parametrize("pause", [0, 60, 200])
def test_moves_that_follow_closely_on_each_other_all_count(open_tab: OpenTab, server: str, pause: int) -> None:
    tab = open_tab(f"{server}/worked_example?step=4").ready()
    thumb = tab.page.get_by_role("slider", name=says("worked_example.query"))
    thumb.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"):
        tab.page.keyboard.press(key)
        tab.page.wait_for_timeout(pause)
    tab.page.wait_for_function("() => location.search.includes('query=3')")
    tab.ready().page.wait_for_timeout(500)
    assert thumb.input_value() == "3"
    assert link(tab)["query"] == ["3"]
