"""Recorded times on the pages: the same frames as measured ones, told apart, in the link, and harmless when broken."""

import json
import os
from dataclasses import replace

import pytest
import torch

from benchmarks import record_times
from core.complexity import cheaper_timing, recorded
from core.complexity.recorded import Record
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.language import labels
from pages.ui.queue import Queue
from pages.views import cheaper_attention_clock, measured_times, rnn_vs_attention
from pages.views import recorded as view
from tests.core.test_recorded import DATE, MACHINE, layer_run, layers_record, put, way_run, ways_record
from tests.pages.test_rnn_vs_attention import results

KEYS = {"rnn_vs_attention": "clock_record", "cheaper_attention": "ca_record"}
MAKE = {"rnn_vs_attention": layers_record, "cheaper_attention": ways_record}
PAGES = list(KEYS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def own_line(monkeypatch):
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())


def times(at):
    """Return the one chart of measured times on a page: its spec, and the values of its parameters."""
    specs = [json.loads(chart.proto.spec) for chart in at.get("vega_lite_chart")]
    found = [spec for spec in specs if "here_name" in {each["name"] for each in spec.get("params", [])}]
    return [(spec, {each["name"]: each.get("value") for each in spec["params"]}) for spec in found]


def frame_of_page(run, page):
    if page == "cheaper_attention":
        return cheaper_attention_clock.of_record(run)
    return measured_times.of_record(run)


def test_what_the_script_measures_is_what_the_pages_draw(tmp_path, monkeypatch):
    begun = []

    def begin(d, n_heads, device, backward):
        begun.append((d, n_heads, device, backward))
        made = results(d, {"lstm": 1, "attention": 1.5}, 2)
        return iter([replace(each, setting=replace(each.setting, backward=backward)) for each in made])

    monkeypatch.setattr(measured_times, "begin", begin)
    monkeypatch.setattr(
        cheaper_attention_clock, "begin", lambda device: cheaper_timing.measure(device, rounds=2, longest=256)
    )
    monkeypatch.setattr(torch, "set_num_threads", lambda count: begun.append(count))
    monkeypatch.setattr(rnn_vs_attention, "WIDTHS", (64,))
    record_times.main(["--folder", str(tmp_path), "--name", "here", "--note", "a note", "--heads", "1"])
    assert begun[0] == 1, "one thread, as the server has"
    assert begun[1:] == [(64, 1, "cpu", False), (64, 1, "cpu", True)]
    assert {path.name for path in tmp_path.iterdir()} == {f"{page}-here.json" for page in PAGES}
    [layers], [ways] = (recorded.read_all(tmp_path, page)[0] for page in PAGES)
    assert (layers.note, layers.machine.cores, layers.machine.gpu) == ("a note", os.cpu_count(), "")
    own = measured_times.summary(results(64, {"lstm": 1, "attention": 1.5}, 2))
    again = measured_times.of_record(layers.runs[0])
    for name in ("points", "fits"):
        columns = ["n", *(each for each in ("least", "median", "value") if each in read(own.data[name]))]
        one, other = (read(each.data[name]).sort_values(["line", "n"]) for each in (own, again))
        assert other[columns].to_numpy() == pytest.approx(one[columns].to_numpy(), rel=1e-5)
    found = cheaper_attention_clock.of_record(ways.runs[0])
    assert {(each.way, each.n) for each in found.timings} == {(way, 256) for way in cheaper_timing.WAYS}
    assert found.setting == cheaper_timing.setting("cpu")


def test_a_device_that_is_not_there_is_not_recorded(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SystemExit):
        record_times.main(["--device", "cuda", "--folder", str(tmp_path)])
    assert "cuda" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("page", PAGES)
def test_from_the_file_to_the_frame_of_the_page(page, tmp_path):
    run = recorded.read(put(tmp_path, MAKE[page]())).runs[0]
    frame = read(view.together(None, frame_of_page(run, page))["points"])
    assert set(frame["origin"]) == {"recorded"}
    found = {(row["line"], row["n"]): row["least"] for row in frame.to_dict("records")}
    assert found == {(case.name, case.n): pytest.approx(1e3 * min(case.seconds)) for case in run.cases}


@pytest.mark.parametrize("page", PAGES)
def test_here_and_recorded_lie_side_by_side_in_every_frame(page):
    measured = frame_of_page(MAKE[page]().runs[0], page)
    both = view.together(measured, measured)
    assert set(both) == set(measured.data) == set(view.together(measured, None))
    for name, packed in both.items():
        frame = read(packed)
        parts = [frame[frame["origin"] == origin].drop(columns="origin") for origin in ("here", "recorded")]
        assert parts[0].reset_index(drop=True).equals(parts[1].reset_index(drop=True))
        assert len(frame) == 2 * len(read(measured.data[name]))


def test_a_record_has_the_run_that_is_asked_for_or_none():
    record = layers_record()
    assert measured_times.recorded_run(record, 64, 1, True) is record.runs[1]
    assert measured_times.recorded_run(record, 128, 1, False) is record.runs[2]
    assert measured_times.recorded_run(record, 128, 1, True) is None
    assert measured_times.held(record) == ((False, 1, (64, 128)), (True, 1, (64,)))


def test_files_are_read_again_when_they_change(folder):
    assert view.records("cheaper_attention") == ((), ())
    path = put(folder, ways_record("a"))
    assert [record.name for record in view.records("cheaper_attention")[0]] == ["a"]
    path.write_text("{}", encoding="utf-8")
    assert [len(part) for part in view.records("cheaper_attention")] == [0, 1]
    path.unlink()
    assert view.records("cheaper_attention") == ((), ())


def test_what_has_not_changed_is_not_read_again(folder):
    put(folder, ways_record("a"))
    assert view.records("cheaper_attention") is view.records("cheaper_attention")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", PAGES)
def test_a_record_can_be_looked_at_without_a_run(open_page, folder, page, lang):
    put(folder, MAKE[page]("elsewhere"))
    assert times(open_page(page, lang)) == []
    at = open_page(page, lang, **{KEYS[page]: "elsewhere"})
    assert not at.exception and not at.warning
    [(_, given)] = times(at)
    assert given["here_name"] == ""
    assert all(part in given["recorded_name"] for part in ("a device", "2026-01-02", "CPU", "float32", "1"))
    said = " ".join(caption.value for caption in at.caption)
    assert all(part in said for part in ("elsewhere.json", DATE[:10], "a processor", "25.3", "0.10", "0.60"))


@pytest.mark.usefixtures("own_line")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_lstm_measured_here_stands_beside_the_record(open_page, folder, monkeypatch, lang):
    runs = (layer_run(lengths=measured_times.lengths(64)), layer_run(d=128))
    put(folder, replace(layers_record("elsewhere"), runs=runs))
    monkeypatch.setattr(
        measured_times, "begin", lambda d, h, device, backward: iter(results(d, {"lstm": 1, "attention": 2}, 1))
    )
    at = open_page("rnn_vs_attention", lang, clock_record="elsewhere")
    at.button(key="clock_start").click().run()
    assert not at.exception
    [(_, given)] = times(at)
    assert "a device" in given["recorded_name"]
    assert "a processor" in given["here_name"] and given["here_name"] != given["recorded_name"]
    tables = [each.value for each in at.markdown if each.value.startswith("| ")]
    slopes = [each for each in tables if labels()["rnn_vs_attention.slope"][lang] in each]
    assert len(slopes) == 2
    assert "2.000 [" in slopes[0] and "1.500 [" in slopes[1]
    at.select_slider(key="layer_width").set_value(256).run()
    assert not at.exception
    assert any("h = 1" in info.value and "d = 64, 128" in info.value for info in at.info)
    [(_, given)] = times(at)
    assert given["recorded_name"] == ""


@pytest.mark.usefixtures("own_line")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_ways_measured_here_stand_beside_the_record(open_page, folder, monkeypatch, lang):
    put(folder, ways_record("elsewhere"))
    monkeypatch.setattr(cheaper_attention_clock, "begin", lambda chosen: iter(recorded.ways(way_run(rounds=1))))
    at = open_page("cheaper_attention", lang, ca_record="elsewhere")
    at.button(key="cheaper_start").click().run()
    assert not at.exception
    [(_, given)] = times(at)
    assert given["here_name"] and given["recorded_name"]
    tables = [each.value for each in at.markdown if each.value.startswith("| ") and "kernel of" in each.value]
    assert len(tables) == 2
    assert all(f"`kernel of {way}`" in tables[0] for way in cheaper_timing.WAYS)


@pytest.mark.parametrize("page", PAGES)
def test_the_choice_is_in_the_link_and_one_spec_serves_every_machine(open_page, folder, page):
    for name in ("one", "two"):
        put(folder, MAKE[page](name))
    at = open_page(page)
    specs = []
    for name in ("one", "two"):
        at.selectbox(key=KEYS[page]).set_value(name).run()
        assert at.query_params[KEYS[page]] in (name, [name])
        [(spec, _)] = times(at)
        specs.append({key: value for key, value in spec.items() if key not in ("datasets", "params")})
    assert specs[0] == specs[1]
    at.selectbox(key=KEYS[page]).set_value("none").run()
    assert KEYS[page] not in at.query_params
    assert times(at) == []


@pytest.mark.parametrize("page", PAGES)
def test_here_and_recorded_have_a_dash_and_a_shape_each(open_page, folder, page):
    put(folder, MAKE[page]("one"))
    [(spec, _)] = times(open_page(page, **{KEYS[page]: "one"}))
    channels = {name: value for layer in spec["layer"] for name, value in layer["encoding"].items()}
    for channel in ("strokeDash", "shape"):
        assert channels[channel]["field"] == "origin"
        assert channels[channel]["scale"]["domain"] == ["here", "recorded"]
        assert len(set(map(str, channels[channel]["scale"]["range"]))) == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", PAGES)
def test_a_broken_file_is_named_and_nothing_else_is_lost(open_page, folder, page, lang):
    put(folder, MAKE[page]("good"))
    (folder / "broken.json").write_text('{"format": 1, "page": "<b>*x*</b>"}', encoding="utf-8")
    os.mkfifo(folder / "pipe.json")
    at = open_page(page, lang, **{KEYS[page]: "good"})
    assert not at.exception
    said = [warning.value for warning in at.warning]
    assert len(said) == 2
    assert "broken.json" in said[0] and "pipe.json" in said[1]
    assert all(labels()["recorded.left_out"][lang] in each for each in said)
    assert len(times(at)) == 1


@pytest.mark.parametrize("page", PAGES)
def test_a_record_that_is_not_there_is_named(open_page, folder, page):
    at = open_page(page, **{KEYS[page]: "gone"})
    assert not at.exception
    assert any("gone" in warning.value for warning in at.warning)
    assert times(at) == []


def test_what_a_file_says_is_shown_as_it_is(open_page, folder):
    odd = Record("odd", "cheaper_attention", DATE, "**bold** <b>x</b> [a](http://b) $x$", MACHINE, ways_record().runs)
    put(folder, odd)
    at = open_page("cheaper_attention", ca_record="odd")
    said = " ".join(caption.value for caption in at.caption)
    assert "bold" in said
    assert not any(marks in said for marks in ("**bold", "<b>", "[a](http", "$x$"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_flex_attention_recorded_on_cuda_is_shown_on_a_processor_which_says_why_it_has_none(open_page, folder, lang):
    put(folder, ways_record("gpu", device="cuda"))
    at = open_page("cheaper_attention", lang, ca_record="gpu", device="cpu")
    assert not at.exception
    [(spec, given)] = times(at)
    assert "CUDA" in given["recorded_name"]
    colors = spec["layer"][0]["encoding"]["color"]["scale"]
    assert colors["domain"] == list(cheaper_timing.KNOWN)
    assert len(set(colors["range"])) == len(cheaper_timing.KNOWN)
    [table] = [each.value for each in at.markdown if each.value.startswith("| ") and "kernel of" in each.value]
    assert all(f"`kernel of {way}`" in table for way in cheaper_timing.KNOWN)
    said = [caption.value for caption in at.caption]
    assert labels()["cheaper_attention.flex_on_cuda"][lang] in said
    assert labels()["cheaper_attention.flex_compiles"][lang] not in said
