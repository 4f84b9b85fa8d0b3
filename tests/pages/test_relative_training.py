"""The relative positions page trains: both runs in both languages, what stopping keeps, what a link can ask for."""

from dataclasses import replace

import pytest

from core.positions import extrapolation, training
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.queue import Queue
from pages.views import relative_training as view
from tests.pages.test_every_page import texts
from tests.test_text import ENGLISH_SENTENCE, HAN, QUOTED, bare

HEAD = replace(view.HEAD, seeds=(0, 1), n=8, d=8, steps=4, every=2)
SHORT = extrapolation.Plan(seeds=(0, 1), n=8, d=8, batch=4, steps=2, every=1)


@pytest.fixture(autouse=True)
def small_and_own_line(monkeypatch):
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())
    monkeypatch.setattr(view, "HEAD", HEAD)
    monkeypatch.setattr(view, "plan", lambda back: replace(SHORT, back=back))


def charts(at):
    return len(at.get("vega_lite_chart"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("run", "pictures"), [("previous", 2), ("lengths", 1)])
def test_a_run_ends_with_pictures_and_words_in_both_languages(open_page, monkeypatch, run, pictures, lang):
    monkeypatch.setattr(long_run, "TICK_SECONDS", 60.0)
    at = open_page("relative_positions", lang, rp_train=run)
    silent = charts(at)
    assert f"_run_rp_{run}" not in at.session_state, "a link starts nothing"
    at.button(key=f"rp_{run}_start").click().run()
    for _ in range(3):
        if at.session_state[f"_run_rp_{run}"].state == "finished":
            break
        at.run()
    assert not at.exception
    assert at.session_state[f"_run_rp_{run}"].state == "finished"
    assert charts(at) == silent + pictures
    for text in texts(at):
        if lang == "en":
            assert not HAN.search(QUOTED.sub("", bare(text))), text
        else:
            assert not ENGLISH_SENTENCE.search(bare(text)), text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_stopping_keeps_what_was_found(open_page, monkeypatch, lang):
    monkeypatch.setattr(view, "plan", lambda back: replace(SHORT, back=back, steps=5000))
    at = open_page("relative_positions", lang, rp_train="lengths")
    silent = charts(at)
    at.button(key="rp_lengths_start").click().run()
    at.run()
    at.button(key="rp_lengths_stop").click().run()
    run = at.session_state["_run_rp_lengths"]
    assert not at.exception
    assert (run.state, run.live) == ("stopped", False)
    assert run.results
    assert charts(at) == silent + 1


@pytest.mark.parametrize("link", [{"rp_train": "all"}, {"rp_train": "lengths", "rp_train_back": "99"}])
def test_what_a_link_asks_of_the_training_is_bounded(open_page, link):
    at = open_page("relative_positions", **link)
    assert not at.exception
    assert len(at.warning) == 1


def test_frames_hold_the_runs():
    points = list(training.train_head(HEAD))
    frame = read(view.shares(points, 0.5)["shares"])
    last = frame[(frame["step"] == 4) & (frame["measure"] == "commuting")].iloc[0]
    assert (last["low"], last["high"]) == pytest.approx((min(points[-1].commuting[2:]), max(points[-1].commuting[2:])))
    assert frame[frame["measure"] == "learned"]["step"].min() == 2
    assert [point.step for point in view.moments(points)] == [0, 2, 4]
    assert view.cell(points[0], "learned", 0.5) == "—"


def test_lengths_are_counted_as_kept_where_the_median_is_right():
    half, good = (0.1, 0.5, 1.0), (0.9, 0.95, 0.2)
    points = [
        extrapolation.Point("none", 2, (1.0,) * 3, (half, half, half), 0.1),
        extrapolation.Point("shaw", 2, (1.0,) * 3, (good, good, good), 0.2),
        extrapolation.Point("rope", 2, (1.0,) * 3, (good, half, half), 0.3),
        extrapolation.Point("t5", 1, (1.0,) * 3, (good, good, good), 0.3),
    ]
    assert view.kept(points, 3) == (3, 2, 1)
    frame = read(view.tested(points, 3)["tested"]).set_index(["scheme", "length"])
    assert frame.loc[("rope", "3")].tolist() == [32, 0.5, 0.1, 1.0]
    assert set(frame.index.get_level_values("scheme")) == {"none", "shaw", "rope", "t5"}
