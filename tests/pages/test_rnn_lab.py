"""The laboratory of the RNN page: its pictures against the core, in both languages, and what a link can ask for."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.charts.flow import FLOOR
from core.complexity import gradient_flow, paths, recall
from core.complexity.faster import crossing
from core.complexity.gradient_flow import Case, Measured
from core.complexity.timing import Case as Timed
from core.complexity.timing import Progress, Setting, seconds_by_case
from core.device import timed_on
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.queue import Queue
from pages.ui.rnn_lab import EXPERIMENTS
from pages.views import measured_times, rnn_gradient, rnn_recall, rnn_schedule
from pages.views import rnn_vs_attention as page

Open = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())


def charts(at: AppTest) -> int:
    return len(at.get("vega_lite_chart"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("lab", EXPERIMENTS)
def test_an_experiment_stands_in_both_languages(open_page: Open, lang: str, lab: str) -> None:
    at = open_page("rnn_vs_attention", lang, rnn_lab=lab)
    assert not at.exception
    assert not at.warning
    assert at.segmented_control(key="rnn_lab").value == lab
    assert all(f"_run_{name}" not in at.session_state for name in ("rnn_gradient", "rnn_recall", "clock"))


@pytest.mark.parametrize("asked", ["", "nothing", "<b>", "schedule,gradient", "9" * 400])
def test_an_experiment_that_there_is_not_is_named_and_the_first_one_stands(open_page: Open, asked: str) -> None:
    at = open_page("rnn_vs_attention", rnn_lab=asked)
    assert not at.exception
    assert len(at.warning) == 1
    assert at.segmented_control(key="rnn_lab").value == "schedule"


@pytest.mark.parametrize(
    ("lab", "key", "value"),
    [
        ("schedule", "rnn_schedule_n", "1000"), ("schedule", "rnn_schedule_from", "0"),
        ("schedule", "rnn_schedule_to", "99"), ("schedule", "rnn_schedule_radius", "0"),
        ("schedule", "rnn_schedule_kernel", "1"), ("gradient", "rnn_gradient_weights", "zeros"),
        ("gradient", "rnn_gradient_width", "100000"), ("recall", "rnn_recall_n", "1e9"),
    ],
)  # fmt: skip
def test_what_a_link_asks_of_an_experiment_is_bounded(open_page: Open, lab: str, key: str, value: str) -> None:
    at = open_page("rnn_vs_attention", rnn_lab=lab, **{key: value})
    assert not at.exception
    assert len(at.warning) == 1


@pytest.mark.parametrize("link", [{}, {"rnn_schedule_from": "9", "rnn_schedule_to": "3"}, {"rnn_schedule_n": "24"}])
def test_the_schedule_says_steps_and_ways(open_page: Open, link: dict[str, str]) -> None:
    at = open_page("rnn_vs_attention", rnn_lab="schedule", **link)
    assert not at.exception
    assert not at.warning
    assert charts(at) == 3


@pytest.mark.parametrize(("i", "j"), [(1, 16), (5, 5), (12, 2)])
def test_the_schedule_draws_every_cell_and_counts_what_paths_counts(i: int, j: int) -> None:
    params = rnn_schedule.Params(16, i, j, 4, 7)
    data, height = rnn_schedule.pictures(params, ("a", "b", "c", "d"))
    cells, hops, names = (read(data[name]) for name in ("cells", "hops", "names"))
    made = rnn_schedule.schedules(params)
    assert len(cells) == sum(len(each.cells) for each in made.values())
    assert len(hops) == sum(len(each.hops) for each in made.values())
    assert len(cells[["x", "y"]].drop_duplicates()) == len(cells)
    places = set(zip(cells["x"], cells["y"], strict=True))
    assert set(zip(hops["x"], hops["y"], strict=True)) | set(zip(hops["x2"], hops["y2"], strict=True)) <= places
    assert names.sort_values("y", ascending=False)["text"].tolist() == ["a", "b", "c", "d"]
    assert height > 200
    counts = rnn_schedule.counts(params)
    assert counts["recurrent"] == (16, None if i > j else j - i)
    assert counts["attention"] == (1, 1)
    if i != j:
        assert counts["window"][1] == paths.windowed_path(abs(i - j), 4)
        assert counts["convolution"][1] == paths.cnn_path(abs(i - j), 7)


@pytest.mark.parametrize("n", rnn_schedule.LENGTHS)
def test_the_schedule_fits_a_screen_with_its_slider(n: int) -> None:
    names = ("a", "b", "c", "d")
    assert 200 < rnn_schedule.pictures(rnn_schedule.Params(n, 1, n, 4, 7), names)[1] <= 500
    assert rnn_schedule.pictures(rnn_schedule.Params(n, 1, n, 1, 3), names)[1] <= 680


def flows(kept: dict[str, float], seeds: int = 2) -> list[Measured]:
    """A run in which every kind keeps the same share a step, and attention 1/n."""
    every = []
    for seed in range(seeds):
        for case in rnn_gradient.CASES:
            share = 1.0 if case.kind == "attention" else kept[case.kind]
            start = (1 + seed) / case.n if case.kind == "attention" else 1 + seed
            norms = tuple(start * share**distance for distance in range(case.n))
            every.append(Measured(case, seed, norms, len(every) + 1, seeds * len(rnn_gradient.CASES)))
    return every


@pytest.mark.parametrize(
    ("kept", "gone", "verdict"),
    [
        ({"rnn": 0.5, "gru": 0.7, "lstm": 1.0}, 2, "only_if"),
        ({"rnn": 1.0, "gru": 1.0, "lstm": 1.0}, 0, "wrong"),
        ({"rnn": 0.5, "gru": 0.5, "lstm": 0.5}, 8, "correct"),
    ],
)
def test_the_statement_about_vanishing_is_judged_by_what_is_measured(
    kept: dict[str, float], gone: int, verdict: str
) -> None:
    found = rnn_gradient.summary(flows(kept))
    assert found is not None
    assert (found.gone, found.recurrent, found.verdict, found.seeds) == (gone, 8, verdict, 2)
    assert found.exponent.startswith("−1.00") or found.exponent.startswith("-1.00")


def test_gradients_are_drawn_with_bands_and_none_below_the_floor() -> None:
    found = rnn_gradient.summary(flows({"rnn": 0.1, "gru": 0.9, "lstm": 0.99}))
    assert found is not None
    frame = read(found.gradient["gradient"])
    assert set(frame["line"]) == set(gradient_flow.KINDS)
    assert frame[["middle", "low", "high"]].min().min() == FLOOR
    gru = frame[(frame["line"] == "gru") & (frame["distance"] == 16)].iloc[0]
    assert (gru["low"], gru["middle"], gru["high"]) == pytest.approx(tuple(s * 0.9**16 for s in (1, 1.5, 2)))
    assert sorted(frame[frame["line"] == "lstm"]["forget"].unique()) == list(rnn_gradient.FORGETS)
    assert frame[frame["line"] != "lstm"]["forget"].isna().all()
    guide = read(found.dilution["guide"])
    assert (guide["n"] * guide["value"]).tolist() == pytest.approx([guide["n"][0] * guide["value"][0]] * len(guide))


def test_nothing_is_drawn_before_every_case_has_a_seed() -> None:
    whole = flows({"rnn": 0.5, "gru": 0.5, "lstm": 0.5})
    assert rnn_gradient.summary(whole[: len(rnn_gradient.CASES) - 1]) is None
    assert rnn_gradient.summary(whole[: len(rnn_gradient.CASES)]) is not None


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_gradients_are_measured_by_button_only(open_page: Open, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rnn_gradient, "begin", lambda d, start: iter(flows({"rnn": 0.5, "gru": 0.7, "lstm": 0.999})))
    at = open_page("rnn_vs_attention", lang, rnn_lab="gradient")
    before = charts(at)
    at.button(key="rnn_gradient_start").click().run()
    assert not at.exception
    assert at.session_state["_run_rnn_gradient"].state == "finished"
    assert charts(at) == before + 2
    assert any("orange-badge" in m.value and "2" in m.value for m in at.markdown)
    at.select_slider(key="rnn_gradient_width").set_value(8).run()
    assert len(at.info) == 1


def test_a_gradient_run_is_the_cores(open_page: Open) -> None:
    first = next(rnn_gradient.begin(8, "torch"))
    assert first.case == Case("rnn", rnn_gradient.N)
    assert first.total == len(rnn_gradient.CASES) * len(rnn_gradient.SEEDS)
    assert first.norms == gradient_flow.norms(first.case, 8, "torch", 0)


def points(n: int, whole: bool = True) -> Iterator[rnn_recall.Timed]:
    plan = rnn_recall.plan(n)
    for seed in plan.seeds:
        for model in plan.models:
            for step in (0, plan.steps):
                share = 0.1 if step == 0 or model == "rnn" else 0.9 + 0.04 * seed
                right = [share] * len(plan.distances)
                if model == "lstm" and step:
                    right[-1] = 0.5
                yield rnn_recall.Timed(recall.Point(model, seed, step, tuple(right), 0.5), 2.0)
                if not whole and model == "lstm":
                    return


def test_recall_is_summed_up_over_seeds_and_says_how_far_each_reaches() -> None:
    found = rnn_recall.summary(list(points(33)), 33)
    assert found.learned == {"rnn": 0, "lstm": 16, "lstm_open": 32, "attention": 32}
    assert set(found.seeds.values()) == {3}
    frame = read(found.data["recall"])
    last = frame[(frame["line"] == "attention") & (frame["place"] == 2)]
    assert last[["low", "middle", "high"]].drop_duplicates().to_numpy().tolist() == [pytest.approx([0.9, 0.94, 0.98])]
    assert read(found.data["start_at"])["place"].tolist() == [2]


def test_an_unfinished_recall_run_is_summed_up_as_far_as_it_is() -> None:
    found = rnn_recall.summary(list(points(17, whole=False)), 17)
    assert [model for model, _ in found.rows] == ["rnn"]
    assert found.seeds == {"rnn": 1}


@pytest.mark.parametrize("n", rnn_recall.LENGTHS)
def test_every_length_has_a_plan_that_the_core_takes(n: int) -> None:
    plan = rnn_recall.plan(n)
    assert plan.distances[-1] == n - 1
    assert next(rnn_recall.begin(n, "cpu")).point.step == 0
    assert rnn_recall.places(plan) == 1 + math.ceil(plan.steps / plan.every)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_recall_is_trained_by_button_only_and_can_be_stopped(open_page: Open, lang: str) -> None:
    at = open_page("rnn_vs_attention", lang, rnn_lab="recall", rnn_recall_n="9")
    before = charts(at)
    at.button(key="rnn_recall_start").click().run()
    assert not at.exception
    assert at.session_state["_run_rnn_recall"].live
    at.button(key="rnn_recall_stop").click().run()
    assert not at.exception
    run = at.session_state["_run_rnn_recall"]
    assert run.state == "stopped"
    assert run.results
    assert charts(at) == before + 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_recall_result_is_shown_in_words_too(open_page: Open, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rnn_recall, "begin", lambda n, device: points(n))
    at = open_page("rnn_vs_attention", lang, rnn_lab="recall")
    at.button(key="rnn_recall_start").click().run()
    assert not at.exception
    assert at.session_state["_run_rnn_recall"].state == "finished"
    said = [m.value for m in at.markdown if m.value.startswith("- ")]
    assert len(said) == 4
    assert sum("32" in line for line in said) == 2
    at.select_slider(key="rnn_recall_n").set_value(17).run()
    assert len(at.info) == 1


def timed(ratio: Callable[[int], float], backward: bool) -> list[Progress]:
    """A run in which the LSTM takes ``ratio`` times as long as attention."""
    where = replace(timed_on("cpu"), device_label="a processor")
    kernels = {"attention_kernel": "MATH", "lstm_kernel": "oneDNN"}
    setting = Setting(**vars(where), batch=1, d=64, n_heads=1, backward=backward, **kernels)
    made: list[Any] = []
    for number in range(3):
        for n in measured_times.lengths(64, backward):
            for layer, seconds in (("lstm", 1e-6 * n * ratio(n)), ("attention", 1e-6 * n)):
                made.append((Timed(layer, n), number, seconds))
    return [Progress(c, k, s, 1, done, len(made), setting) for done, (c, k, s) in enumerate(made, start=1)]


@pytest.mark.parametrize(
    ("ratio", "verdict", "inside", "cross"),
    [
        (lambda n: 10.0, "correct", "16, 32, 64, 128, 256, 512, 1,024, 2,048", ""),
        (lambda n: 2.0, "only_if", "—", ""),
        (lambda n: 320 / n, "only_if", "16, 32, 64", "320"),
    ],
)
def test_the_statement_about_training_times_is_judged_by_the_run(
    ratio: Callable[[int], float], verdict: str, inside: str, cross: str
) -> None:
    run = timed(ratio, backward=True)
    measured = measured_times.summary(run)
    assert measured is not None
    values, found = measured_times.speedup(measured)
    assert (found, values["inside"], values["cross"]) == (verdict, inside, cross)
    assert bool(cross) == (crossing(seconds_by_case(run)) is not None)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("passes", measured_times.PASSES)
def test_the_verdict_on_training_stands_under_a_training_run_only(
    open_page: Open, lang: str, passes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        measured_times, "begin", lambda d, h, device, backward: iter(timed(lambda n: 320 / n, backward))
    )
    at = open_page("rnn_vs_attention", lang, clock_pass=passes)
    at.button(key="clock_start").click().run()
    assert not at.exception
    badges = [m.value for m in at.markdown if m.value.startswith(":orange-badge[")]
    assert len(badges) == (1 if passes == "training" else 0)
    assert any("320" in m.value for m in at.markdown)
    other = next(name for name in measured_times.PASSES if name != passes)
    at.segmented_control(key="clock_pass").set_value(other).run()
    assert len(at.info) == 1


def test_long_contexts_are_bytes_a_head_and_a_layer() -> None:
    rows = page.long_rows(page.Params(512, 64, "lstm", "matrix", n_heads=8))
    assert [row[0] for row in rows] == ["8,192", "131,072"]
    assert [row[1] for row in rows] == ["67,108,864", "17,179,869,184"]
    assert rows[0][2:] == ("0.25 GiB", "0.125 GiB", "1 GiB") or rows[0][2:] == ("0.250 GiB", "0.125 GiB", "1.00 GiB")
    assert [row[2].split()[0] for row in rows][1].startswith("64")


def test_sizes_are_those_of_real_modules_and_backward_is_twice_forward() -> None:
    rows = {name: sizes for name, *sizes in page.size_rows(page.Params(100, 32, "bigru", "matrix", kernel=5))}
    modules = {
        "attention": torch.nn.MultiheadAttention(32, 4),
        "rival": torch.nn.GRU(32, 32, bidirectional=True),
        "convolution": torch.nn.Conv1d(32, 32, 5),
    }
    for name, module in modules.items():
        held, forward, backward = rows[name]
        assert held == sum(parameter.numel() for parameter in module.parameters())
        assert backward == 2 * forward
