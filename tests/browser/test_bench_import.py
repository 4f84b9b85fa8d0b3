"""A matrix comes from a spreadsheet's clipboard or from a file, and goes away again as files, in a real browser."""

import io
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import Locator

from core.matrix_import.upload import understand_bytes
from pages.ui.language import labels
from tests.browser.conftest import OpenTab, Tab


def fold(tab: Tab, key: str, lang: str) -> Locator:
    """Open a fold of the page by its label, and return it."""
    box = tab.page.locator('[data-testid="stExpander"]', has=tab.page.locator("summary", has_text=labels()[key][lang]))
    box.locator("summary").click()
    box.locator('[data-testid="stExpanderDetails"] [data-testid="stElementContainer"]').first.wait_for()
    tab.ready()
    return box


def texts(tab: Tab) -> list[str]:
    """Every word and number on the board."""
    return tab.page.evaluate("() => [...document.querySelectorAll('svg.marks text')].map(text => text.textContent)")


def use(tab: Tab, box: Locator) -> None:
    box.locator(".st-key-import_use button").click()
    box.locator('[data-testid="stAlert"]').first.wait_for()
    tab.ready()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_cells_pasted_from_a_spreadsheet_are_used_and_undone(open_tab: OpenTab, server: str, lang: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5&lang={lang}").ready()
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    box = fold(tab, "bench_import.fold", lang)
    cells = "\tw\tx\ty\tz\n猫\t0,5\t-7,25\t0\t1\ncat\t1\t1\t0\t0\n狗\t0\t0\t1\t0\n"
    tab.page.evaluate("text => navigator.clipboard.writeText(text)", cells)
    area = box.locator("textarea")
    area.focus()
    tab.page.keyboard.press("Control+V")
    tab.page.keyboard.press("Control+Enter")
    box.locator(".st-key-import_use button").wait_for()
    tab.ready()
    assert "−7.25" not in texts(tab)
    use(tab, box)
    tab.page.wait_for_function("() => location.search.includes('q=0.5')")
    assert {"−7.25", "猫", "狗"} <= set(texts(tab))
    assert "w%09x" not in tab.page.url
    assert area.input_value() == cells
    box.locator(".st-key-undo_import button").click()
    tab.page.wait_for_function("() => !location.search.includes('q=0.5')")
    tab.ready()
    assert "−7.25" not in texts(tab)
    assert tab.complaints == []


def test_a_file_is_uploaded_chosen_from_and_used(open_tab: OpenTab, server: str, tmp_path: Path) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    box = fold(tab, "bench_import.fold", "en")
    box.locator(".st-key-import_way button").nth(1).click()
    stream = io.BytesIO()
    np.savez(stream, first=np.eye(4), q=np.array([[9.5, 0, 0, 1]], dtype=np.float16))
    file = tmp_path / "heads.npz"
    file.write_bytes(stream.getvalue())
    box.locator('input[type="file"]').set_input_files(file)
    box.locator('[data-testid="stSelectbox"]').wait_for()
    tab.ready()
    box.locator('[data-testid="stSelectbox"] input').click()
    tab.page.locator('[role="option"]', has_text="float16").click()
    tab.ready()
    box.locator('[data-testid="stMarkdown"]', has_text="1 × 4").wait_for()
    use(tab, box)
    tab.page.wait_for_function("() => location.search.includes('q=9.5')")
    assert "9.5" in texts(tab)
    assert tab.complaints == []


def test_pictures_and_matrices_are_downloaded_and_the_link_is_that_of_the_address_bar(
    open_tab: OpenTab, server: str
) -> None:
    tab = open_tab(f"{server}/worked_example?step=4&query=2&lang=zh&key_names=猫|狗|鸟").ready()
    box = fold(tab, "frame.take_along", "zh")
    for name, start in (("board.png", b"\x89PNG"), ("board.svg", b"<svg"), ("a.csv", b"\xef\xbb\xbf")):
        stem, _, kind = name.partition(".")
        with tab.page.expect_download() as started:
            box.locator(f".st-key-{kind.upper()}_{stem} button").click()
        assert started.value.suggested_filename == name
        data = Path(started.value.path()).read_bytes()
        assert data.startswith(start)
    assert understand_bytes(data).columns == ("猫", "狗", "鸟")
    shown = box.locator("code").first.inner_text()
    other = open_tab(shown).ready()
    assert unquote(other.page.url) == unquote(tab.page.url)
    assert texts(other) == texts(tab)
    assert tab.complaints == []
