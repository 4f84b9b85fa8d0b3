"""Every page as the very first request that a cold server gets: inside the frame, in the link's state."""

import pytest

from pages.ui.language import labels
from pages.ui.registry import PAGES
from tests.browser.conftest import OpenTab, running_server


@pytest.mark.parametrize("page", [entry.name for entry in PAGES])
def test_a_deep_link_works_as_the_first_request(open_tab: OpenTab, page: str) -> None:
    with running_server() as address:
        tab = open_tab(f"{address}/{page}?lang=zh").ready()
        assert tab.title() == labels()[f"{page}.question"]["zh"]
        assert tab.page.locator('[data-testid="stSidebarNav"] a').count() == len(PAGES)
        assert tab.page.locator('[role="dialog"]').count() == 0
        assert tab.complaints == []
