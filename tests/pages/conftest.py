"""Pages as Streamlit's own test client sees them: the frame script, a page, a language, a link."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import draw
from pages.ui.registry import PAGES

FRAME = Path(__file__).resolve().parents[2] / "pages" / "ui" / "frame.py"
draw.VALIDATE = True
FOLDS = ("paint", "code", "edit", "take_along", "import", "weights", "backwards")
Open = Callable[..., AppTest]


@pytest.fixture
def open_page() -> Open:
    """Return a function that opens a page by name, in a language, with the parameters of a link, its folds open."""

    def opened(page: str, lang: str = "en", folded: bool = False, **link: str | list[str]) -> AppTest:
        at = AppTest.from_file(str(FRAME), default_timeout=60)
        for fold in FOLDS:
            at.session_state[f"fold_{fold}"] = not folded
        at.query_params["lang"] = lang
        if page != PAGES[0].name:
            at.switch_page(f"../{page}.py")
        for key, value in link.items():
            at.query_params[key] = value
        return at.run()

    return opened
