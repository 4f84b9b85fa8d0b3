"""What the board does in the browser alone: walking the steps, following a query, pinning a cell, standing narrow."""

import pytest

from pages.ui.language import labels
from tests.browser.conftest import OpenTab, Tab
from tests.browser.test_moving import settled

CHART = '[data-testid="stVegaLiteChart"]'
TEXTS = f"() => [...document.querySelectorAll('{CHART} svg text')].map(text => text.textContent)"
HALO = "[...document.querySelectorAll('svg.marks path[stroke=\"#e6399b\"]')]"
THICK = f"{HALO}.filter(path => path.getAttribute('stroke-width') === '3').length"


def says(key: str, lang: str = "en") -> str:
    return labels()[f"worked_example.{key}"][lang]


def scrub(tab: Tab, name: str, value: int) -> None:
    """Move a slider of the picture itself."""
    tab.page.locator(f"{CHART} input[name={name}]").evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value
    )
    tab.page.wait_for_timeout(200)


def texts(tab: Tab) -> list[str]:
    """Every word and number on the board."""
    return tab.page.evaluate(TEXTS)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_steps_and_the_queries_are_walked_without_a_message_to_the_server(
    open_tab: OpenTab, server: str, lang: str
) -> None:
    tab = open_tab(f"{server}/worked_example?lang={lang}").ready()
    sent = len(tab.sent)
    assert sent > 0
    assert "0.5065" not in texts(tab)
    scrub(tab, "step", 4)
    assert "0.5065" in texts(tab)
    assert "0.4203" not in texts(tab)
    assert says("picture_softmax", lang) in texts(tab)
    scrub(tab, "step", 5)
    assert "0.4203" in texts(tab)
    outlined = f"() => {HALO}.map(path => path.getBoundingClientRect().top)"
    before = tab.page.evaluate(outlined)
    scrub(tab, "query", 3)
    after = tab.page.evaluate(outlined)
    assert len(after) == len(before) == 4 + 3 + 3 + 4
    assert all(low > high for low, high in zip(after, before, strict=True))
    assert len(tab.sent) == sent
    assert tab.complaints == []


def test_a_pinned_cell_stays_lit_with_its_arithmetic_while_others_are_hovered(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    sent = len(tab.sent)
    # The empty cells on top are what is pointed at: Q, K and V have 12 each, then come S and A with 9 each.
    cells = tab.page.locator(f'{CHART} svg path[opacity="0"][aria-roledescription="rect mark"]')
    cells.nth(36 + 9 + 4).click(force=True)
    tab.page.wait_for_function(f"() => {THICK} > 0")
    # A[2, 2]: itself, the row of Q, the row of K, the row of S and the row of V.
    pinned = tab.page.evaluate(THICK)
    assert pinned == 1 + 4 + 4 + 3 + 4
    told = [text for text in texts(tab) if text.startswith("A[2, 2]")]
    assert len(told) == 1
    assert told[0].endswith("0.506480")
    cells.nth(0).hover(force=True)
    tab.page.wait_for_timeout(300)
    assert tab.page.evaluate(THICK) == pinned
    assert len(tab.sent) == sent


def test_on_a_narrow_screen_the_matrices_stand_one_below_the_other(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5", width=390, height=844).ready()
    tops = tab.page.evaluate(
        f"""() => Object.fromEntries([...document.querySelectorAll('{CHART} svg text')]
        .filter(text => ['Q', 'Kᵀ', 'A → Σ = 1', 'V', 'O = A V'].includes(text.textContent))
        .map(text => [text.textContent, text.getBoundingClientRect().top]))"""
    )
    order = [tops[title] for title in ("Q", "Kᵀ", "V", "A → Σ = 1", "O = A V")]
    assert order == sorted(order)
    assert len(set(order)) == 5
    width = tab.page.evaluate(f"() => document.querySelector('{CHART} svg').getBoundingClientRect().right")
    assert width <= 390
    assert tab.sideways() == 0


STATE = (
    "step=5&q=0.00390625,0,1,0;0,2,0,1;1,1,1,1&query_names=注意力|注意力|它&key_names=猫|the cat|là&paint=101;000;111"
)


def test_a_link_with_edited_cells_cjk_names_and_paint_makes_the_same_board_elsewhere(
    open_tab: OpenTab, server: str
) -> None:
    tab = open_tab(f"{server}/worked_example?{STATE}").ready()
    shown = texts(tab)
    # Names that repeat are numbered, so that each can be told even where it is cut.
    assert {"3 它", "猫", "là"} <= set(shown)
    assert {text[:3] for text in shown} >= {"1 注", "2 注"}
    assert shown.count("−∞") == 1 + 3
    hatched = f"() => document.querySelectorAll('{CHART} svg line[stroke=\"#9aa5b1\"]').length"
    assert tab.page.evaluate(hatched) >= 3 + 3
    assert says("cause_painted") in tab.page.get_by_test_id("stAlert").first.inner_text()
    other = open_tab(tab.page.url).ready()
    assert texts(other) == shown
    assert tab.complaints == other.complaints == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_picture_is_turned_so_that_columns_are_queries_and_says_which_way_sums_to_one(
    open_tab: OpenTab, server: str, lang: str
) -> None:
    tab = open_tab(f"{server}/worked_example?step=5&lang={lang}").ready()
    straight = texts(tab)
    assert {"A → Σ = 1", says("query_down", lang), says("key_across", lang)} <= set(straight)
    tab.page.get_by_text(labels()["frame.more_settings"][lang]).click()
    tab.page.wait_for_timeout(600)
    tab.page.get_by_role("combobox", name=says("drawn", lang)).click()
    tab.page.get_by_role("option", name=says("drawn_columns", lang)).click()
    tab.page.wait_for_function(f"() => ({TEXTS})().includes('A ↓ Σ = 1')")
    turned = set(texts(tab))
    assert {"Qᵀ", "Vᵀ", "O = Vᵀ A", says("query_across", lang), says("key_down", lang)} <= turned
    assert {"0.5065", "0.4203"} <= turned
    assert tab.complaints == []


def test_a_mask_painted_by_clicking_until_a_query_sees_nothing_hatches_and_names_it(
    open_tab: OpenTab, server: str
) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    tab.page.get_by_text(says("paint")).click()
    table = tab.page.get_by_test_id("stDataFrame").first
    table.wait_for()
    box = settled(table)
    rows, columns = 4, 3
    # The first column holds the names of the queries, the others 64 pixels each; the first line the names of the keys.
    height = box["height"] / rows
    left = box["width"] - 64 * columns
    for column in range(columns):
        tab.page.mouse.click(box["x"] + left + 64 * (column + 0.5), box["y"] + 1.5 * height)
        tab.page.wait_for_function(
            "mask => new URLSearchParams(location.search).get('paint') === mask",
            arg="0" * (column + 1) + "111"[column + 1 :] + ";111;111",
        )
        tab.ready()
    alert = tab.page.get_by_test_id("stAlert").filter(has_text="q1")
    assert says("cause_painted") in alert.first.inner_text()
    assert tab.complaints == []
