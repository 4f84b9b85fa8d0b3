"""The page's numbers against counting done here by hand, its listing run as pasted, and its measured run."""

import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.claims import printed
from core.complexity.counts import MATRIX_PRODUCTS, RIVALS, attention_terms, rnn_terms
from core.complexity.timing import Case, Progress, Setting
from core.device import timed_on
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.language import labels
from pages.ui.queue import Queue
from pages.views import measured_times, rnn_vs_attention_claims
from pages.views import rnn_vs_attention as view
from pages.views.rnn_vs_attention import Params
from tests.pages.conftest import Open

STATES = [
    Params(512, 64, "lstm", "matrix"),
    Params(16, 16, "rnn", "listing"),
    Params(128, 64, "gru", "everything", n_heads=8, along="d"),
    Params(16384, 1024, "bilstm", "everything", n_heads=16, radius=1024, kernel=63),
    Params(2048, 256, "rnn", "matrix", n_heads=4),
]
GATES = {"rnn": 1, "gru": 3, "lstm": 4, "bigru": 6, "bilstm": 8}


def by_hand(params: Params, n: int) -> tuple[int, int]:
    """Count the matrix products of both layers as weights × tokens."""
    d = params.d
    if params.counted == "listing":
        return 2 * n * n * d, 2 * n * d * d * GATES[params.rival]
    return 2 * (2 * n * n * d + 4 * n * d * d), 2 * (2 * n * d * d * GATES[params.rival])


@pytest.mark.parametrize("params", [state for state in STATES if state.counted != "everything"])
def test_sums_and_ratio_are_those_counted_by_hand(params: Params) -> None:
    found = view.totals(params)
    ours, theirs = by_hand(params, params.n)
    assert (found.attention_flops, found.rival_flops) == (ours, theirs)
    assert found.ratio == ours / theirs
    assert sum(line.size for line in found.attention if line.counted) == ours


@pytest.mark.parametrize("params", STATES)
def test_the_sides_change_at_the_marked_crossover(params: Params) -> None:
    found = view.totals(params)
    if found.cross_n is None:
        assert found.ratio > 1
    else:
        assert (found.ratio < 1) == (params.n < found.cross_n)
    assert (found.cross_d is not None and params.d > found.cross_d) == (found.ratio < 1)


@pytest.mark.parametrize("params", STATES)
@pytest.mark.parametrize("compared", view.COMPARED)
def test_every_line_goes_through_the_numbers_of_this_state(params: Params, compared: str) -> None:
    frame = read(view.curves(params, compared)["curves"])
    assert tuple(frame["line"].unique()) == view.LINES[compared]
    assert (frame["value"] > 0).all()
    x = params.d if view.by_width(params, compared) else params.n
    here = frame[frame["x"] == x].set_index("line")["value"]
    found = view.totals(params)
    if compared == "operations":
        assert here.to_dict() == {"attention": found.attention_flops, "rival": found.rival_flops}
    if compared == "memory":
        assert here.mul(2**20).to_dict() == pytest.approx(view.bytes_kept(params, params.n, params.d))
    if compared == "path":
        assert here["rival"] == params.n and here["attention"] == 1


def test_marks_and_ranges_agree_with_the_crossover() -> None:
    params = STATES[0]
    marks = read(view.curves(params, "operations")["marks"]).set_index("kind")
    assert marks.loc["crossover", "x"] == 128
    assert marks.loc["here", "x"] == 512
    assert bool(marks.loc["crossover", "left"]) and not bool(marks.loc["here", "left"])
    bars = read(view.beaten(params)["bars"])
    assert [row.split("|")[0] for row in bars["rival"].unique()] == list(RIVALS)
    ends = {row.split("|")[1] for row in bars["rival"]}
    assert ends == {"—", "n < 64", "n < 128", "n < 256", "n < 384"}
    never = bars[bars["rival"] == "rnn|—"]
    assert set(never["side"]) == {"rival"}


def test_what_is_kept_is_four_bytes_an_element() -> None:
    params = Params(128, 64, "bilstm", "matrix", n_heads=4)
    kept = {name: size for name, _, size, _ in view.kept_lines(params)}
    states = 2 * 128 * 64
    assert kept == {
        "map": 4 * 128**2,
        "qkv": 3 * 128 * 64,
        "output": 128 * 64,
        "hidden": states,
        "cell": states,
        "gates": 4 * states,
    }
    sizes = view.bytes_kept(params, 128, 64)
    assert sizes["attention"] == 4 * (4 * 128**2 + 4 * 128 * 64)
    assert sizes["rival"] == 4 * 6 * states
    assert sizes["fused"] == 4 * (4 * 128 * 64 + 4 * 128)
    assert sizes["last_state"] == 4 * 2 * 2 * 64


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("heads", [1, 8])
@pytest.mark.parametrize("along", view.ALONG)
def test_the_memory_lines_cross_where_the_page_says(rival: str, heads: int, along: str) -> None:
    params = Params(64, 256, rival, "matrix", n_heads=heads, along=along)
    drawn = view.curves(params, "memory")
    lines = read(drawn["curves"]).pivot(index="x", columns="line", values="value")
    place = view.equal_at(params, "memory", along)
    less = lines["attention"] < lines["rival"]
    beyond = lines.index > place if along == "d" else lines.index < place
    assert less.tolist() == (beyond.tolist() if place is not None else [False] * len(lines))
    assert view.case(params, "memory") == ("memory_never" if place is None else f"memory_{along}")
    marks = read(drawn["marks"]).set_index("kind")
    inside = place is not None and lines.index[0] <= place <= lines.index[-1]
    assert ("crossover" in marks.index) == inside
    if rival in ("lstm", "bilstm"):
        assert (lines["fused"] < lines["rival"]).all()


def test_the_memory_sum_says_the_crossover() -> None:
    assert view.memory_sum(Params(512, 64, "lstm", "matrix", n_heads=2)).endswith("\\frac{2\\,d}{h} = 64")
    assert view.memory_sum(Params(512, 64, "rnn", "matrix")).endswith("-3\\,d < 0")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("rival", ["rnn", "bilstm"])
def test_the_ratio_names_the_rival_in_the_readers_language(open_page: Open, lang: str, rival: str) -> None:
    formulas = [element.value for element in open_page("rnn_vs_attention", lang, rival=rival).latex]
    names = (labels()[f"rnn_vs_attention.{name}"][lang] for name in ("attention", f"rival_{rival}"))
    above, below = names
    assert any(f"\\frac{{\\text{{{above}}}}}{{\\text{{{below}}}}}" in formula for formula in formulas)
    assert not any("RNN}" in formula and rival != "rnn" for formula in formulas)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 20_000), st.integers(1, 2000))
def test_an_lstm_never_needs_twice_the_matrix_products(n: int, d: int) -> None:
    ours, theirs = (
        sum(flops for name, flops in terms.items() if name in MATRIX_PRODUCTS)
        for terms in (attention_terms(n, d), rnn_terms(n, d, "lstm"))
    )
    bound = next(row for row in rnn_vs_attention_claims.rows() if row.id == "speedup").values["bound"]
    assert theirs / ours == pytest.approx(4 * d / (2 * d + n))
    assert theirs < int(bound) * ours
    assert bound == "2"


@pytest.mark.parametrize("params", STATES)
def test_the_listing_runs_and_prints_the_numbers_of_the_page(params: Params) -> None:
    run = subprocess.run([sys.executable, "-c", view.listing(params)], capture_output=True, text=True, check=True)
    sums, cross, sizes, same, path = run.stdout.splitlines()
    found = view.totals(params)
    kept = view.bytes_kept(params, params.n, params.d)
    _, ours, _, theirs, ratio = sums.split()
    assert (int(ours), int(theirs), float(ratio)) == (found.attention_flops, found.rival_flops, found.ratio)
    assert cross.split()[1] == ("None" if found.cross_n is None else repr(found.cross_n))
    assert [int(size) for size in sizes.split()[1:]] == [kept["attention"], kept["rival"]]
    place = view.equal_at(params, "memory", "n")
    assert same.split()[-1] == ("None" if place is None else repr(place))
    lengths = view.path_lengths(params, params.n - 1)
    wanted = [lengths[name] for name in ("rival", "attention", "window", "convolution")]
    assert [int(word) for word in path.split() if word.isdigit()] == wanted


def test_verdicts_on_the_notes() -> None:
    rows = {row.id: row for row in rnn_vs_attention_claims.rows()}
    assert {name: row.verdict for name, row in rows.items()} == {
        "rnn_path": "correct",
        "attention_path": "correct",
        "vanished": "only_if",
        "sequential": "only_if",
        "two_products": "imprecise",
        "speedup": "open",
        "depth": "only_if",
        "orders": "only_if",
        "memory": "only_if",
        "growth": "only_if",
        "short": "only_if",
        "maximum": "imprecise",
        "table": "correct",
        "twice": "wrong",
        "turn": "imprecise",
        "long": "rounded_correct",
    }
    assert rows["twice"].values["ratio"] == "2"
    assert rows["growth"].values["slope"] == "1.33"
    assert rows["long"].values["short_binary"] == f"{8192**2:,}"
    short = rows["short"].values
    assert [short[name] for name in ("listing", *RIVALS)] == ["64", "—", "64", "128", "256", "384"]


def test_the_printed_table_is_the_notes_arithmetic() -> None:
    for n, rnn, attention, memory in printed.COMPLEXITY_TABLE:
        assert (rnn, attention, memory) == (n * 64**2, n**2 * 64, n**2)


def results(d: int, exponent: dict[str, float], rounds: int) -> list[Progress]:
    """A run whose times follow an exact power of the length."""
    where = replace(timed_on("cpu"), device_label="a processor")
    kernels = {"attention_kernel": "MATH", "lstm_kernel": "oneDNN"}
    setting = Setting(**vars(where), batch=1, d=d, n_heads=1, **kernels)
    cases = [Case(layer, n) for n in measured_times.lengths(d) for layer in ("lstm", "attention")]
    plan = list(product(range(rounds + 1), cases))
    return [
        Progress(case, number, 1e-6 * case.n ** exponent[case.layer], 1, done, len(plan), setting)
        for done, (number, case) in enumerate(plan, start=1)
    ]


def test_measured_slopes_are_the_exponents_and_the_formula_stands_beside() -> None:
    measured = measured_times.summary(results(64, {"lstm": 1.0, "attention": 1.7}, rounds=2))
    assert measured is not None
    assert measured.rounds == 2
    slopes = {fit.layer: fit for fit in measured.fits}
    assert slopes["lstm"].measured.slope == pytest.approx(1.0)
    assert slopes["attention"].measured.slope == pytest.approx(1.7)
    assert slopes["lstm"].formula == pytest.approx(1.0)
    assert 1.8 < slopes["attention"].formula < 2
    fits = read(measured.data["fits"])
    assert fits["value"].tolist() == pytest.approx(
        [1e-3 * n**exponent for exponent in (1.0, 1.7) for n in (512, 1024, 2048, 4096)]
    )
    assert len(measured_times.time_rows(measured)) == len(measured_times.lengths(64))


def test_an_unfinished_run_is_summed_up_as_far_as_it_is() -> None:
    whole = results(1024, {"lstm": 1.0, "attention": 1.0}, rounds=2)
    cases = 2 * len(measured_times.lengths(1024))
    assert measured_times.summary(whole[:cases]) is None, "only the warm-up"
    part = measured_times.summary(whole[: cases + 3])
    assert part is not None
    assert part.fits == ()
    assert [row.count("–") for row in measured_times.time_rows(part)] == [0, 2]


@pytest.mark.parametrize("d", view.WIDTHS)
def test_every_width_has_lengths_that_may_be_timed(d: int) -> None:
    lengths = measured_times.lengths(d)
    assert len(lengths) >= 4
    next(measured_times.begin(d, 16, "cpu"))


@pytest.fixture
def own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())


@pytest.mark.usefixtures("own_line")
def test_the_run_starts_by_button_only_and_can_be_stopped(open_page: Open) -> None:
    at = open_page("rnn_vs_attention", layer_width="16")
    charts = len(at.get("vega_lite_chart"))
    assert at.button(key="clock_stop").disabled
    at.button(key="clock_start").click().run()
    assert not at.exception
    assert at.session_state["_run_clock"].live
    at.button(key="clock_stop").click().run()
    run = at.session_state["_run_clock"]
    assert not at.exception
    assert (run.live, run.state) == (False, "stopped")
    assert run.results
    assert any("%" in info.value for info in at.info)
    assert at.button(key="clock_stop").disabled
    assert len(at.get("vega_lite_chart")) >= charts


@pytest.mark.usefixtures("own_line")
def test_a_finished_run_shows_times_and_its_setting(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        measured_times, "begin", lambda d, h, device, backward: iter(results(d, {"lstm": 1, "attention": 2}, 1))
    )
    at = open_page("rnn_vs_attention", "zh")
    at.button(key="clock_start").click().run()
    assert not at.exception
    assert at.session_state["_run_clock"].state == "finished"
    assert len(at.get("vega_lite_chart")) == 4
    assert any("a processor" in caption.value and "oneDNN" in caption.value for caption in at.caption)
    at.select_slider(key="layer_width").set_value(256).run()
    other = labels()["rnn_vs_attention.clock_other"]["zh"].partition("@")[0]
    assert any(info.value.startswith(other) for info in at.info)


@pytest.mark.usefixtures("own_line")
def test_a_result_that_is_there_already_is_shown_at_once_and_can_be_replaced(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        measured_times, "begin", lambda d, h, device, backward: iter(results(d, {"lstm": 1, "attention": 2}, 1))
    )
    first, second = open_page("rnn_vs_attention"), open_page("rnn_vs_attention")
    first.button(key="clock_start").click().run()
    for state in ("shared", "finished"):
        second.button(key="clock_start").click().run()
        assert second.session_state["_run_clock"].state == state
        assert second.button(key="clock_stop").disabled
        assert not second.button(key="clock_start").disabled


@pytest.mark.parametrize("compared", view.COMPARED)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_comparison_stands(open_page: Open, lang: str, compared: str) -> None:
    for link in ({}, {"rival": "rnn", "along": "d", "counted": "everything"}):
        at = open_page("rnn_vs_attention", lang, compare=compared, **link)
        assert not at.exception
        assert not at.warning
        assert len(at.get("vega_lite_chart")) == (3 if compared == "operations" else 2)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("link", "price"),
    [
        ({"n_tokens": "512", "layer_width": "64", "rival": "lstm", "counted": "matrix"}, "more"),
        ({"n_tokens": "64", "layer_width": "64", "rival": "rnn", "counted": "listing"}, "same"),
        ({"n_tokens": "16", "layer_width": "1024", "rival": "bilstm", "counted": "listing"}, "less"),
    ],
)
def test_what_costs_less_is_not_called_a_price(open_page: Open, link, price, lang):
    found = view.totals(Params(n=int(link["n_tokens"]), d=int(link["layer_width"]), rival=link["rival"],
                               counted=link["counted"]))  # fmt: skip
    sign = (found.attention_flops > found.rival_flops) - (found.attention_flops < found.rival_flops)
    assert {"more": 1, "same": 0, "less": -1}[price] == sign
    said = " ".join(each.value for each in open_page("rnn_vs_attention", lang, **link).markdown)
    begins = {id: labels()[f"rnn_vs_attention.price_{id}"][lang].split("@")[0] for id in ("more", "same", "less")}
    assert [id for id, start in begins.items() if start in said] == [price]
