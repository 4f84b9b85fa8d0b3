"""The summary as Chromium prints it: one page of A4, two columns, black on white, nothing to press, nothing cut."""

import re

import pytest

from tests.browser.conftest import OpenTab

A4 = (595, 842)  # points
CUT = """() => [...document.querySelectorAll('.st-key-su_sheet .katex, .st-key-su_sheet table')].filter(each => {
  const own = each.getBoundingClientRect();
  const column = each.closest('[data-testid="stElementContainer"]').getBoundingClientRect();
  return own.right > column.right + 1 || own.left < column.left - 1;
}).map(each => each.textContent.slice(0, 40))"""
COLOURS = """() => [...document.querySelectorAll('.st-key-su_sheet *')].map(each => getComputedStyle(each).color)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_one_page_of_a4_in_black_on_white(open_tab: OpenTab, server: str, lang: str, theme: str) -> None:
    page = open_tab(f"{server}/summary?lang={lang}", theme=theme).ready().page
    printed = page.pdf(prefer_css_page_size=True).decode("latin-1")
    assert len(re.findall(r"/Type\s*/Page\b", printed)) == 1
    sizes = re.findall(r"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", printed)
    assert {(round(float(wide)), round(float(high))) for wide, high in sizes} == {A4}
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1050})  # what A4 leaves between its margins
    assert page.evaluate(CUT) == []
    assert set(page.evaluate(COLOURS)) == {"rgb(0, 0, 0)"}
    background = "getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    for part in ("stSidebar", "stHeader", "stToolbar", "stPageLink", "stSlider", "stButton"):
        assert not any(each.is_visible() for each in page.get_by_test_id(part).all()), part
    assert page.evaluate("getComputedStyle(document.querySelector('.st-key-su_sheet')).columnCount") == "2"


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_formula_leaves_its_column_on_the_screen(open_tab: OpenTab, server: str, lang: str, width: int) -> None:
    page = open_tab(f"{server}/summary?lang={lang}", width=width).ready().page
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("sizes", ["su_n=32768&su_d=4096&su_heads=32&su_layers=96", "su_n=64&su_d=64&su_heads=1"])
def test_other_numbers_stay_on_the_page(open_tab: OpenTab, server: str, sizes: str) -> None:
    page = open_tab(f"{server}/summary?{sizes}").ready().page
    printed = page.pdf(prefer_css_page_size=True).decode("latin-1")
    assert len(re.findall(r"/Type\s*/Page\b", printed)) == 1
