"""The scores laboratory: the run in both languages, what stopping keeps, what a link can ask for."""

from dataclasses import replace

import pytest

from core.attention import alignment
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.queue import Queue
from pages.views import scores_bottleneck as view
from pages.views.timed_run import timed
from tests.pages.test_every_page import texts
from tests.test_text import ENGLISH_SENTENCE, HAN, QUOTED, bare

SHORT = alignment.Plan(longest=4, lengths=(2, 4), seeds=(0, 1), d=8, batch=4, tests=8, steps=4, every=2)


@pytest.fixture(autouse=True)
def small_and_own_line(monkeypatch):
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())
    monkeypatch.setattr(view, "plan", lambda task: replace(SHORT, task=task))


def charts(at):
    return len(at.get("vega_lite_chart"))


@pytest.mark.parametrize("task", view.TASKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_run_ends_with_two_pictures_and_words_in_both_languages(open_page, monkeypatch, lang, task):
    monkeypatch.setattr(long_run, "TICK_SECONDS", 60.0)
    at = open_page("scores", lang, sc_task=task)
    silent = charts(at)
    assert "_run_sc_bottleneck" not in at.session_state, "a link starts nothing"
    at.button(key="sc_bottleneck_start").click().run()
    for _ in range(3):
        if at.session_state["_run_sc_bottleneck"].state == "finished":
            break
        at.run()
    assert not at.exception
    assert at.session_state["_run_sc_bottleneck"].state == "finished"
    assert charts(at) == silent + 2
    for text in texts(at):
        if lang == "en":
            assert not HAN.search(QUOTED.sub("", bare(text))), text
        else:
            assert not ENGLISH_SENTENCE.search(bare(text)), text


def test_stopping_keeps_what_was_found(open_page, monkeypatch):
    monkeypatch.setattr(view, "plan", lambda task: replace(SHORT, task=task, steps=5000))
    at = open_page("scores")
    silent = charts(at)
    at.button(key="sc_bottleneck_start").click().run()
    at.run()
    at.button(key="sc_bottleneck_stop").click().run()
    run = at.session_state["_run_sc_bottleneck"]
    assert not at.exception
    assert (run.state, run.live) == ("stopped", False)
    assert run.results
    assert charts(at) > silent


def test_what_a_link_asks_of_the_run_is_bounded(open_page):
    at = open_page("scores", sc_task="sort")
    assert not at.exception
    assert len(at.warning) == 1


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_frames_hold_the_run_as_far_as_it_is(count):
    results = list(timed(alignment.train(SHORT)))[:count]
    found = view.summary(results, "reverse")
    frame = read(found.data["recall"])
    assert set(frame["line"]) == {each.point.model for each in results}
    last = results[0].point
    first = frame[(frame["line"] == "fixed") & (frame["place"] == 1)]
    assert first["distance"].to_list() == [2, 4]
    assert first["low"].to_list() == [min(right) for right in last.right]
    assert first["high"].to_list() == [max(right) for right in last.right]
    reached = {each.point.model: each.point.step for each in results}
    step = min(reached.values())
    assert found.steps == dict.fromkeys(reached, step), "one step in the picture, in the table and in the title"
    assert read(found.data["corners"])["step"].max() == step
    ends = frame[frame["place"] == frame["place"].max()]
    for model, row in found.rows.items():
        own = ends[ends["line"] == model]
        assert list(zip(own["middle"], own["low"], own["high"], strict=True)) == list(row)
    data = view.maps(results, ["a", "b"])
    assert (data is None) == (count == 1)
    if data is not None:
        cells = read(data["panel_cells"])
        assert len(cells) == 2 * 4 * 4
        assert cells.groupby(["panel", "row"])["value"].sum().to_list() == pytest.approx([1] * 8, abs=1e-5)
    shares = view.on_line(results, "reverse")
    assert shares is None or all(0 <= share <= 1 for share in shares)


def test_the_line_is_that_of_the_task():
    def results(rows):
        point = alignment.Point("attention", 1, (0.0,), ((1.0,),), (rows,), 1.0)
        return list(timed([point]))

    falling = ((0.1, 0.9), (0.8, 0.2))
    assert view.on_line(results(falling), "reverse") == (1.0,)
    assert view.on_line(results(falling), "copy") == (0.0,)


def test_a_length_counts_as_reached_only_with_all_shorter_ones():
    good, bad = (0.95, 0.9, 1.0), (0.5, 0.1, 1.0)
    assert view.reach((good, good, bad), (2, 4, 8)) == 4
    assert view.reach((bad, good, good), (2, 4, 8)) == 0


def test_what_is_trained_for_visitors_is_bounded():
    for task in view.TASKS:
        made = alignment.Plan(task=task)
        assert made.steps * made.longest * len(made.seeds) * made.batch <= 2_000_000
        assert view.places(made) <= 100
