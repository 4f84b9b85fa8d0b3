"""Records of measured times: what is written is read, what is read is summed up the same, what is wrong is refused."""

import copy
import json
import math
import os
import random
from pathlib import Path
from typing import Any

import pytest
import torch

from core.complexity import cheaper_timing, recorded, timing
from core.complexity.recorded import Machine, Record, Run
from core.device import TimedOn
from core.errors import InputError

MACHINE = Machine("a processor", 2, "", 25.3, "Linux", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
DATE = "2026-01-02T03:04:05+00:00"


def _timed_on(device: str) -> dict[str, Any]:
    return vars(TimedOn(device=device, device_label="a device", threads=1, dtype="float32", torch_version="2.13.0"))


def layer_run(
    d: int = 64,
    backward: bool = False,
    device: str = "cpu",
    rounds: int = 3,
    lengths: tuple[int, ...] = (16, 32, 64, 128, 256),
) -> Run:
    """A run whose seconds are an exact power of the length, times a little in each round."""
    kernels = {"attention_kernel": "MATH", "lstm_kernel": "oneDNN"}
    setting = timing.Setting(**_timed_on(device), batch=1, d=d, n_heads=1, backward=backward, **kernels)
    power = {"lstm": 1.0, "attention": 1.5}
    return recorded.of_layers(
        [
            timing.Progress(
                timing.Case(layer, n), number, 1e-6 * n ** power[layer] * (1 + number / 7), 1, 1, 9, setting
            )
            for number in range(rounds + 1)
            for layer in timing.LAYERS
            for n in lengths
        ]
    )


def way_run(device: str = "cpu", rounds: int = 2) -> Run:
    ways = cheaper_timing.offered(device)
    kernels = tuple((way, f"kernel of {way}") for way in ways)
    setting = cheaper_timing.Setting(
        **_timed_on(device), d=cheaper_timing.WIDTH, radius=cheaper_timing.RADIUS, kernels=kernels
    )
    return recorded.of_ways(
        [
            cheaper_timing.Slice(way, n, number, 1e-6 * n * (1 + at + number / 3), 1, 9, setting)
            for number in range(rounds + 1)
            for at, way in enumerate(ways)
            for n in cheaper_timing.LENGTHS
        ]
    )


def layers_record(name: str = "layers") -> Record:
    runs = (layer_run(), layer_run(backward=True), layer_run(d=128))
    return Record(name, "rnn_vs_attention", DATE, "a note [1,  2] “quoted”, 注", MACHINE, runs)


def ways_record(name: str = "ways", device: str = "cpu") -> Record:
    return Record(name, "cheaper_attention", DATE, "", MACHINE, (way_run(device),))


RECORDS = [layers_record, ways_record]


def put(folder: Path, record: Record) -> Path:
    path = folder / f"{record.name}.json"
    path.write_text(recorded.written(record), encoding="utf-8")
    return path


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        recorded.read(path)
    return caught.value


@pytest.mark.parametrize("make", RECORDS)
def test_what_is_written_is_read(make, tmp_path):
    record = make()
    assert recorded.read(put(tmp_path, record)) == record


@pytest.mark.parametrize("device", ["cpu", "cuda", "mps"])
def test_a_record_of_every_device_can_be_read_without_one(device, tmp_path):
    for record in (
        ways_record(device=device),
        Record("r", "rnn_vs_attention", DATE, "", MACHINE, (layer_run(device=device),)),
    ):
        found = recorded.read(put(tmp_path, record))
        assert found == record
        assert (found.device_label, found.day) == ("a device", "2026-01-02")


def test_a_recorded_run_is_summed_up_as_what_was_measured():
    results = list(timing.measure((16, 32, 64), 8, rounds=3))
    again = recorded.layers(recorded.of_layers(results))
    for one, other in zip(timing.summarise(results), timing.summarise(again), strict=True):
        assert (one.case, one.rounds) == (other.case, other.rounds)
        for name in ("minimum", "median", "maximum"):
            assert getattr(other, name) == pytest.approx(getattr(one, name), rel=1e-5)
    slices = list(cheaper_timing.measure(rounds=2, longest=256))
    again = recorded.ways(recorded.of_ways(slices))
    for one, other in zip(cheaper_timing.summarise(slices), cheaper_timing.summarise(again), strict=True):
        assert (one.way, one.n, one.rounds) == (other.way, other.n, other.rounds)
        assert (other.least, other.median) == pytest.approx((one.least, one.median), rel=1e-5)
    assert recorded.ways(recorded.of_layers(results)) == recorded.layers(recorded.of_ways(slices)) == ()


def test_a_run_that_its_budget_ended_keeps_the_rounds_that_it_has(tmp_path):
    results = list(timing.measure((16, 32), 8, rounds=3))[:-3]
    run = recorded.of_layers(results)
    assert sorted(len(case.seconds) for case in run.cases) == [2, 2, 2, 3]
    record = Record("part", "rnn_vs_attention", DATE, "", MACHINE, (run,))
    assert recorded.read(put(tmp_path, record)).runs == (run,)
    assert {r.round for r in recorded.layers(run)} == {1, 2, 3}


def test_the_file_states_the_least_the_spread_and_the_slopes(tmp_path):
    content = json.loads(put(tmp_path, layers_record()).read_text(encoding="utf-8"))
    for run in content["runs"]:
        for case in run["cases"]:
            assert case["least"] == min(case["seconds"])
            assert case["median"] == sorted(case["seconds"])[1]
            assert case["spread"] == pytest.approx((max(case["seconds"]) - case["least"]) / case["median"], rel=1e-5)
        assert {each["name"]: each["slope"] for each in run["slopes"]} == pytest.approx(
            {"lstm": 1, "attention": 1.5}, abs=1e-5
        )
        assert all(each["low"] <= each["high"] for each in run["slopes"])


def places(content, at=()):
    """Every place of a parsed file, as the keys that lead there."""
    if at:
        yield at
    pairs = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in pairs:
        yield from places(value, (*at, key))


def changed(content, at, value):
    found = copy.deepcopy(content)
    inner = found
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return found


def without(content, at):
    found = copy.deepcopy(content)
    inner = found
    for key in at[:-1]:
        inner = inner[key]
    del inner[at[-1]]
    return found


@pytest.fixture(params=RECORDS, ids=["layers", "ways"])
def content(request):
    return json.loads(recorded.written(request.param()))


WRONG = [None, True, "x\ny", "y" * 2000, -1, 1e300, 10**400, math.nan, math.inf, [], [[]] * 200, {}, {"a": 1}]
MAY_BE = [("backward", True), ("low", -1)]


def test_a_wrong_value_at_any_place_is_one_refusal(content, tmp_path):
    """NaN, infinities, huge, nested, empty or another type: nothing else may be raised, and nothing may get through."""
    path = tmp_path / "bad.json"
    chosen = random.Random(0)
    for at in places(content):
        if chosen.random() > 0.05 and len(at) > 3:
            continue
        for value in WRONG:
            if (at[-1], value) in MAY_BE or changed(content, at, value) == content:
                continue
            path.write_text(json.dumps(changed(content, at, value)), encoding="utf-8")
            error = refusal(path)
            assert (error.code, error.values["name"]) == ("record", "bad.json"), (at, value)


def test_a_missing_or_unknown_field_is_named(content, tmp_path):
    path = tmp_path / "bad.json"
    seen = 0
    for at in places(content):
        if not isinstance(at[-1], str):
            continue
        path.write_text(json.dumps(without(content, at)), encoding="utf-8")
        assert refusal(path).values["place"].endswith(f".{at[-1]}")
        path.write_text(json.dumps(changed(content, (*at[:-1], "surplus"), 1)), encoding="utf-8")
        assert refusal(path).values["place"].endswith(".surplus")
        seen += 1
        if seen > 150:
            break


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("format",), 2),
        (("page",), "heads"),
        (("date",), "2026-01-02T03:04:05"),
        (("date",), "yesterday"),
        (("runs", 0, "setting", "device"), "tpu"),
        (("runs", 0, "setting", "dtype"), "float16"),
        (("runs", 0, "setting", "device"), "cuda"),
        (("runs", 0, "setting", "device_label"), "another"),
        (("runs", 0, "cases", 0, "name"), "gru"),
        (("runs", 0, "cases", 0, "n"), 48),
        (("runs", 0, "cases", 0, "n"), 32),
        (("runs", 0, "cases", 0, "n"), 16.0),
        (("runs", 0, "cases", 0, "least"), 1e-9),
        (("runs", 0, "cases", 0, "seconds", 0), 1e-8),
        (("runs", 0, "cases", 0, "seconds", 0), 0),
        (("runs", 0, "slopes", 0, "slope"), 1.1),
        (("runs", 0, "slopes", 0, "lengths"), [16, 32]),
        (("runs", 0, "slopes"), []),
        (("runs", 0, "setting", "n_heads"), 3),
        (("runs", 0, "setting", "backward"), 0),
        (("runs", 0, "setting", "d"), 128),
        (("runs", 0, "setting", "batch"), 2),
    ],
)
def test_what_does_not_fit_together_is_refused(at, value, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(changed(json.loads(recorded.written(layers_record())), at, value)), encoding="utf-8")
    assert refusal(path).code == "record"


def test_flex_attention_on_a_processor_is_no_known_case(tmp_path):
    path = tmp_path / "bad.json"
    content = json.loads(recorded.written(ways_record(device="cuda")))
    content["runs"][0]["setting"]["device"] = "cpu"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert refusal(path).code == "record"


def test_a_cuda_machine_without_a_compiler_has_fewer_cases(tmp_path):
    content = json.loads(recorded.written(ways_record("part", device="cuda")))
    [run] = content["runs"]
    for way in ("flex_window", "flex_strided"):
        del run["setting"]["kernels"][way]
    path = tmp_path / "part.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert refusal(path).values["expected"].endswith("half"), "a case without a kernel"
    run["cases"] = [case for case in run["cases"] if not case["name"].startswith("flex")]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert [way for way, _ in recorded.read(path).runs[0].setting.kernels] == [*cheaper_timing.WAYS, "half"]


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"\xff\xfe", b"[]", b"null", b"NaN", b'"text"', b"[" * 100_000, b'{"format": 1, "format": 1}',
        b"1" * 5000, b"\x80\x04K\x01.",
    ],
)  # fmt: skip
def test_what_is_no_such_json_is_refused(raw, tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(raw)
    assert refusal(path).code == "record"


def test_a_file_that_says_one_thing_twice_is_refused(tmp_path):
    path = put(tmp_path, layers_record())
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"format": 1,', '"format": 1,\n "note": "another",', 1), encoding="utf-8")
    assert refusal(path).code == "record"


def test_a_file_is_never_read_beyond_its_bound(tmp_path):
    path = tmp_path / "bad.json"
    with path.open("wb") as file:
        file.truncate(2**40)  # a hole: a terabyte to whoever reads it whole
    assert refusal(path).code == "too_long"
    path.write_bytes(b" " * (recorded.MAX_BYTES + 1))
    assert refusal(path).code == "too_long"
    full = recorded.written(layers_record()).encode()
    path.write_bytes(full + b" " * (recorded.MAX_BYTES - len(full)))
    assert recorded.read(path).page == "rnn_vs_attention"


def test_a_folder_a_pipe_a_broken_link_and_an_odd_name_are_refused(tmp_path):
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "An odd name.json").write_text(recorded.written(layers_record()), encoding="utf-8")
    found, refused = recorded.read_all(tmp_path, "rnn_vs_attention")
    assert found == ()
    assert {error.values["name"] for error in refused} == {"folder.json", "pipe.json", "link.json", "An odd name.json"}


def test_one_bad_file_costs_nothing_else(tmp_path):
    put(tmp_path, layers_record("a"))
    put(tmp_path, ways_record("b"))
    put(tmp_path, layers_record("d"))
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    found, refused = recorded.read_all(tmp_path, "rnn_vs_attention")
    assert [record.name for record in found] == ["a", "d"]
    assert [error.values["name"] for error in refused] == ["c.json"]
    assert [record.name for record in recorded.read_all(tmp_path, "cheaper_attention")[0]] == ["b"]
    assert recorded.read_all(tmp_path / "nowhere", "cheaper_attention") == ((), ())


def test_no_more_files_are_looked_at_than_may_be(tmp_path):
    for number in range(recorded.MAX_FILES + 3):
        put(tmp_path, ways_record(f"r{number:02}"))
    assert len(recorded.read_all(tmp_path, "cheaper_attention")[0]) == recorded.MAX_FILES


def test_reading_leaves_the_global_generator_alone(tmp_path):
    before = torch.get_rng_state()
    recorded.read(put(tmp_path, layers_record()))
    assert torch.equal(before, torch.get_rng_state())


def test_every_shipped_record_can_be_read_and_says_what_it_is():
    shipped = list(recorded.FOLDER.glob("*.json"))
    assert {recorded.read(path).page for path in shipped} == set(recorded.PAGES)
    for path in shipped:
        record = recorded.read(path)
        assert record.note, path.name
        written = json.loads(recorded.written(record))
        assert written == json.loads(path.read_text(encoding="utf-8")), path.name
