"""Every page, in both languages, from a set of links: it stands, in its own language, and says what is wrong."""

import math
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.controls import APP_WIDE
from pages.ui.language import labels
from pages.ui.registry import PAGES
from tests.pages.conftest import Open
from tests.test_text import ENGLISH_SENTENCE, HAN, QUOTED, bare

NAMES = [entry.name for entry in PAGES]
PICTURED = {entry.name for entry in PAGES if entry.pictured}
NONSENSE = {
    "huge": "9" * 400,
    "negative": "-7",
    "nan": "NaN",
    "infinite": "1e999",
    "words": "<script>alert(1)</script>",
    "empty": "",
    "long": "a,b;" * 15_000,
    "repeated": ["1", "2"],
}


def texts(at: AppTest) -> list[str]:
    """Return every text that the page shows, charts' words apart."""
    shown = [
        element.value
        for kind in ("title", "subheader", "markdown", "caption", "info", "warning", "error", "success")
        for element in getattr(at, kind)
    ]
    widgets = [
        w
        for kind in ("slider", "select_slider", "toggle", "button", "selectbox", "number_input")
        for w in getattr(at, kind)
    ]
    return [text for text in [*shown, *(w.label for w in widgets)] if text and not text.startswith("<style>")]


def keys_in_link(at: AppTest) -> set[str]:
    """Return the keys of the page's controls that a link can set."""
    kinds = ("slider", "select_slider", "toggle", "selectbox", "segmented_control", "button_group", "text_input")
    return {widget.key for kind in kinds for widget in at.get(kind) if getattr(widget, "key", None)} | {"q", "k", "v"}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", NAMES)
def test_a_page_stands_in_its_own_language(open_page: Open, page: str, lang: str) -> None:
    at = open_page(page, lang)
    assert not at.exception
    assert [title.value for title in at.title] == [labels()[f"{page}.question"][lang]]
    assert not at.warning
    assert not at.error
    assert bool(at.get("vega_lite_chart")) == (page in PICTURED)
    for text in texts(at):
        if lang == "en":
            assert not HAN.search(QUOTED.sub("", bare(text))), text
        else:
            assert not ENGLISH_SENTENCE.search(bare(text)), text
        assert "@{" not in text
        assert not re.search(r"\b(nan|NaN|inf)\b", bare(text)), text


@pytest.mark.parametrize("page", NAMES)
def test_what_is_folded_away_is_not_made(open_page: Open, page: str) -> None:
    folded, opened = open_page(page, folded=True), open_page(page)
    assert sum(len(folded.get(kind)) for kind in ("code", "download_button")) == 0
    if page in PICTURED:
        assert sum(len(opened.get(kind)) for kind in ("code", "download_button")) > 0


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", NAMES)
def test_chart_words_are_in_the_page_language(open_page: Open, page: str, lang: str) -> None:
    for chart in open_page(page, lang).get("vega_lite_chart"):
        spec = re.sub(r'"(name|field|as|filter|test|calculate|expr)": ?"[^"]*"', "", chart.proto.spec)
        titles = re.findall(r'"title": ?"([^"]+)"', spec)
        for title in (text.encode().decode("unicode_escape") for text in titles):
            if lang == "en":
                assert not HAN.search(QUOTED.sub("", title)), title
            else:
                assert not ENGLISH_SENTENCE.search(title), title
        assert chart.proto.alt_text if hasattr(chart.proto, "alt_text") else True


@pytest.mark.parametrize("kind", NONSENSE)
@pytest.mark.parametrize("page", NAMES)
def test_nonsense_in_a_link_is_named_and_the_rest_of_the_page_stands(open_page: Open, page: str, kind: str) -> None:
    plain = open_page(page)
    for key in sorted(keys_in_link(plain) - {None, ""}):
        at = open_page(page, **{key: NONSENSE[kind]})
        assert not at.exception, key
        assert [title.value for title in at.title] == [labels()[f"{page}.question"]["en"]], key
        assert len(at.get("vega_lite_chart")) == len(plain.get("vega_lite_chart")), key
        for warning in at.warning:
            assert not re.search(r"(?<!\\)[<\[`$]", warning.value)
            assert len(warning.value) < 300


@pytest.mark.parametrize("page", NAMES)
def test_every_slider_refuses_what_lies_outside_it_and_says_so(open_page: Open, page: str) -> None:
    for slider in open_page(page).slider:
        for outside in (slider.max + 1, slider.min - 1, math.nan):
            at = open_page(page, **{slider.key: str(outside)})
            assert not at.exception
            assert len(at.warning) == 1, (slider.key, outside)
            assert at.slider(key=slider.key).value == slider.value


@pytest.mark.parametrize("page", NAMES)
def test_a_value_survives_another_page_and_the_way_back(open_page: Open, page: str) -> None:
    at = open_page(page)
    if not at.slider:
        return
    slider = at.slider[0]
    moved = slider.max if slider.value != slider.max else slider.min
    at.slider(key=slider.key).set_value(moved).run()
    other = "sqrt_dk" if page != "sqrt_dk" else "worked_example"
    at.switch_page(f"../{other}.py").run()
    assert not at.exception
    at.switch_page(f"../{page}.py").run()
    assert at.slider(key=slider.key).value == moved


def test_no_two_pages_share_a_key_but_those_of_the_whole_app(open_page: Open) -> None:
    kinds = ("slider", "select_slider", "selectbox", "button_group", "toggle", "text_input", "text_area", "checkbox")
    owner: dict[str, str] = {}
    for page in NAMES:
        at = open_page(page)
        for key in {control.key for kind in kinds for control in at.get(kind)} - {*APP_WIDE, None}:
            assert owner.setdefault(key, page) == page, (key, owner[key], page)


@pytest.mark.parametrize("page", NAMES)
def test_switching_the_language_keeps_every_value(open_page: Open, page: str) -> None:
    at = open_page(page)
    moved = {}
    for slider in at.slider:
        moved[slider.key] = slider.max
        at.slider(key=slider.key).set_value(slider.max)
    at.run()
    at.session_state["lang"] = "zh"
    at.run()
    assert not at.exception
    assert [title.value for title in at.title] == [labels()[f"{page}.question"]["zh"]]
    assert {slider.key: slider.value for slider in at.slider} == moved
