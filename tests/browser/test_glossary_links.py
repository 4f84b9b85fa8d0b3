"""The glossary in a browser: its links lead to the app's own pages, in the reader's language, and open in a new tab."""

import pytest

from pages.ui.language import labels
from pages.ui.registry import PAGES
from pages.views.glossary import TERMS
from tests.browser.conftest import OpenTab, Tab

LINKS = """() => [...document.querySelectorAll('.st-key-stacked_glossary a')].map(each => [each.href, each.target])"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_links_lead_to_pages_of_this_app(open_tab: OpenTab, server: str, lang: str) -> None:
    page = open_tab(f"{server}/glossary?lang={lang}").ready().page
    found = page.evaluate(LINKS)
    assert len(found) == sum(len(term.pages) for term in TERMS)
    addresses = {f"{server}/{entry.name}" for entry in PAGES}
    for href, target in found:
        address, _, query = href.partition("?")
        assert address in addresses
        assert query.split("&")[-1] == f"lang={lang}"
        assert target == "_blank"
    with page.context.expect_page() as opened:
        page.locator(".st-key-stacked_glossary a", has_text=labels()["page.positions"][lang]).first.click()
    assert Tab(opened.value).ready().title() == labels()["positions.question"][lang]


def test_a_search_is_in_the_link_and_keeps_what_it_found(open_tab: OpenTab, server: str) -> None:
    page = open_tab(f"{server}/glossary").ready().page
    page.get_by_test_id("stTextInput").locator("input").fill("rotary")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.st-key-stacked_glossary tbody tr').length < 5")
    assert "gl_search=rotary" in page.url
