"""The page of mistakes: every exhibit stands in both languages, shows what ran, and its listing runs as pasted."""

import pytest

from core import snippets
from core.mistakes.exhibits import BY_NAME, EXHIBITS
from pages.ui.draw import read
from pages.ui.language import labels
from pages.ui.prose import sections
from pages.views import mistakes as view

NAMES = [each.name for each in EXHIBITS]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_an_exhibit_stands_with_both_codes_and_what_they_print(open_page, lang, name):
    at = open_page("mistakes", lang, mk_exhibit=name)
    assert not at.exception
    assert not at.warning
    shown = "\n".join(each.value for each in at.markdown)
    for side in view.SIDES:
        found = view.side(name, side)
        assert found.code in shown
        assert found.printed.rstrip() in shown
    assert len(at.get("vega_lite_chart")) == 2
    assert sections("mistakes", lang)[name] in shown


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda each: each.name)
def test_titles_say_of_which_side_the_law_holds(open_page, exhibit):
    at = open_page("mistakes", mk_exhibit=exhibit.name)
    words = {
        key.removeprefix("mistakes."): value["en"] for key, value in labels().items() if key.startswith("mistakes.")
    }
    titles = [each.value for each in at.markdown if words[f"law_{exhibit.name}"] in each.value][:2]
    ends = ["law_elsewhere"] * 2 if exhibit.needs_streamlit else ["law_fails", "law_holds"]
    for title, end in zip(titles, ends, strict=True):
        assert title.rstrip("*").endswith(words[end])


@pytest.mark.parametrize(("page", "link"), sorted({(each.page, each.link) for each in EXHIBITS if each.link}))
def test_where_it_leads_the_page_takes_the_whole_link(open_page, page, link):
    at = open_page(page, **dict(link))
    assert not at.exception
    assert at.session_state["_notices"] == []
    for key, value in link:
        assert at.query_params[key] in (value, [value])


@pytest.mark.parametrize("topic", view.CHOICES)
def test_a_topic_leaves_its_exhibits(open_page, topic):
    at = open_page("mistakes", mk_topic=topic)
    assert not at.exception
    shown = at.selectbox(key="mk_exhibit").options
    for option, name in zip(shown, view.names(topic), strict=True):
        assert option.startswith(labels()[f"mistakes.name_{name}"]["en"])
        assert option.endswith("(raises)") == BY_NAME[name].raises


def test_an_exhibit_of_another_topic_gives_way_to_the_first(open_page):
    at = open_page("mistakes", mk_topic="heads", mk_exhibit="merge_heads")
    assert at.selectbox(key="mk_exhibit").value == "merge_heads"
    at.selectbox(key="mk_topic").set_value("files").run()
    assert not at.exception
    assert at.selectbox(key="mk_exhibit").value == view.names("files")[0]


@pytest.mark.parametrize("name", [each.name for each in EXHIBITS if not each.needs_streamlit])
def test_the_listing_runs_as_pasted_and_can_fail(name):
    listing = view.listing(name)
    assert snippets.run(listing).error == ""
    law = listing.rstrip().splitlines()[-1]
    broken = snippets.run(f"import torch\n{snippets.source('mistakes', f'{name}_broken')}\n{law}\n")
    assert broken.error


@pytest.mark.parametrize("name", NAMES)
def test_the_difference_turns_one_snippet_into_the_other(name):
    lines = view.difference(name).splitlines()
    broken, right = ({*view.side(name, side).code.splitlines()} for side in view.SIDES)
    assert {line[2:] for line in lines if line.startswith("-")} <= broken
    assert {line[2:] for line in lines if line.startswith("+")} <= right
    assert right - broken <= {line[2:] for line in lines if line.startswith("+")} | {""}


@pytest.mark.parametrize("name", NAMES)
def test_frames_hold_numbers_and_say_where_there_is_none(name):
    for side in view.SIDES:
        frame = read(view.side(name, side).picture.data["small_cells"])
        assert frame["value"].notna().all()
        assert set(frame["look"]) <= {"number", "word", "broken"}
        assert (frame["text"].str.len() > 0).all()


def test_all_that_is_sent_for_an_exhibit_is_small():
    for name in NAMES:
        assert sum(len(view.side(name, side).picture.data["small_cells"]) for side in view.SIDES) < 8_000


def test_a_second_visitor_runs_nothing_again(open_page, monkeypatch):
    open_page("mistakes", mk_exhibit="softmax_axis")
    monkeypatch.setattr(snippets, "run", lambda text: pytest.fail("run again"))
    assert not open_page("mistakes", mk_exhibit="softmax_axis").exception
