"""Several heads: the page's numbers against computations of their own, and every listing run as a reader would."""

import json
import math
import re
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from core.attention import heads
from core.attention.decoding import decode
from core.charts import head_maps
from core.claims import listing, printed
from core.complexity import kv_cache
from core.errors import InputError
from pages.ui.draw import read
from pages.ui.language import labels
from pages.views import heads as view
from pages.views import heads_cache as caching
from pages.views import heads_claims as claims
from pages.views import heads_code as code
from pages.views import heads_listing as lines
from pages.views import heads_parameters as counting
from pages.views import heads_shapes as drawing
from pages.views import heads_sources as sourcing
from pages.views import heads_sums as sums
from pages.views.heads import Params

STATES = [
    Params(),
    Params(12, 6, 2, "both", "sentence", 3, "linear", False),
    Params(50, 5, 5, "padding", start="linear"),
    Params(48, 3, 1, "causal", divisor="model"),
    Params(8, 8, 4, bias=False, divisor="heads"),
    Params(512, 16, 16, "both", "sentence", 99),
    Params(16, 1, 1, "causal"),
]
NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?")


WORKER = """
import contextlib, io, json, sys
for line in sys.stdin:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(json.loads(line), {"__name__": "__main__"})
    print(json.dumps(out.getvalue()), flush=True)
"""


@pytest.fixture(scope="module")
def ran():
    """Return what a listing prints, each in a namespace of its own; one process of its own runs them all."""
    with subprocess.Popen(
        [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as worker:

        def run(text):
            worker.stdin.write(json.dumps(text) + "\n")
            return json.loads(worker.stdout.readline())

        yield run
        worker.stdin.close()


def numbers(text):
    return [float(number) for number in NUMBER.findall(text)]


@pytest.mark.parametrize("state", STATES)
def test_the_listing_of_the_maps_prints_what_the_page_reads(state, ran):
    said = dict(line.split(" ", 1) for line in ran(code.maps(state)).splitlines())
    found = view.seen(state).heads
    assert json.loads(said["entropy"]) == pytest.approx([each.entropy for each in found], abs=1e-9)
    assert json.loads(said["distance"]) == pytest.approx([each.distance for each in found], abs=1e-9)
    frame = read(view.cells(state, False, False))
    row = frame[(frame["panel"] == 0) & (frame["row"] == 0)]
    assert json.loads(said["row"]) == pytest.approx(row["value"].to_list(), abs=1e-6)


@pytest.mark.parametrize("state", STATES)
def test_maps_hide_what_the_mask_hides_and_rows_sum_to_one(state):
    frame, n = read(view.cells(state, False, True)), len(view.tokens(state.text))
    assert len(frame) == state.n_heads * n * n
    sums_of_rows = frame.groupby(["panel", "row"])["value"].sum()
    assert sums_of_rows.to_list() == pytest.approx([1.0] * len(sums_of_rows), abs=1e-5)
    later = frame["column"] > frame["row"]
    padding = frame["column"] == n - 1
    hidden = (later & (state.mask in ("causal", "both"))) | (padding & (state.mask in ("padding", "both")))
    assert ((frame["look"] == "hidden") == hidden).all()
    assert (frame["value"][hidden] == 0).all()
    assert view.tokens(state.text)[-1] == printed.LISTING_WORDS[-1]


@pytest.mark.parametrize("state", STATES)
def test_scores_are_divided_by_the_root_of_the_head_unless_a_mistake_is_asked_for(state):
    roots = {"head": state.d_model // state.n_heads, "model": state.d_model, "heads": state.n_heads}
    assert state.scale == pytest.approx(1 / math.sqrt(roots[state.divisor]))
    made = view.attended(state)
    assert made.attended.scale == state.scale
    k = heads.spread(made.k, state.n_heads)
    visible = view.keep(state)
    scores = torch.einsum("hid,hjd->hij", made.q, k) / math.sqrt(roots[state.divisor])
    if visible is not None:
        scores = scores.masked_fill(~visible, -math.inf)
    assert torch.allclose(made.attended.weights, scores.softmax(-1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("state", STATES)
def test_a_pair_is_followed_from_its_product_to_its_weight(state):
    made = view.attended(state)
    k = heads.spread(made.k, state.n_heads)
    for query, key in ((0, 0), (5, 3), (3, 5), (9, 9)):
        for head, pair in enumerate(view.pairs(state, query, key)):
            assert pair.product == pytest.approx(float(made.q[head, query] @ k[head, key]), abs=1e-10)
            assert pair.scaled == pytest.approx(pair.product * state.scale, abs=1e-10)
            weight = float(made.attended.weights[head, query, key])
            assert weight == pytest.approx(0 if pair.hidden else pair.power / pair.total, abs=1e-12)
            assert pair.weight == weight


def test_the_two_mistakes_flatten_and_sharpen():
    right, model, count = (view.seen(Params(divisor=each)) for each in view.DIVISORS)
    for a, b, c in zip(right.heads, model.heads, count.heads, strict=True):
        assert c.entropy < a.entropy < b.entropy


@pytest.mark.parametrize("state", STATES)
def test_the_entropy_of_the_mean_is_never_below_the_mean_of_the_entropies(state):
    found = view.seen(state)
    mean = sum(each.entropy for each in found.heads) / len(found.heads)
    assert found.mean.entropy >= mean - 1e-12
    assert found.even.share == pytest.approx(1.0)
    assert all(0 <= each.share <= 1 for each in found.heads)
    frame = read(view.cells(state, True, False))
    last = frame[frame["panel"] == state.n_heads]["value"].to_numpy()
    others = frame[frame["panel"] < state.n_heads]["value"].to_numpy().reshape(state.n_heads, -1)
    assert last == pytest.approx(others.mean(0), abs=1e-6)


@pytest.mark.parametrize("d_model", view.WIDTHS)
def test_only_divisors_are_offered(d_model):
    for count in view.head_counts(d_model):
        assert d_model % count == 0
        for share in view.groups(count):
            assert heads.head_map(count, count // share) == tuple(head // share for head in range(count))
    assert set(view.head_counts(d_model)) == {c for c in range(1, view.MOST_HEADS + 1) if d_model % c == 0}
    assert view.usual_heads(d_model) in view.head_counts(d_model)


@pytest.mark.parametrize("panels", range(1, view.MOST_HEADS + 2))
def test_maps_have_room_on_a_desk(panels):
    per_row, side = head_maps.arranged(panels)
    assert head_maps.LEFT + per_row * (side + head_maps.GAP) <= head_maps.ROOM
    assert side >= 60
    assert math.ceil(panels / per_row) <= 3


@pytest.mark.parametrize("n_heads", drawing.CUTS)
def test_the_listing_of_the_shapes_prints_the_drawn_numbers(n_heads, ran):
    state = Params(48, 6)
    said = dict(line.split(" ", 1) for line in ran(code.shapes(10, state, n_heads)).splitlines())
    for name, made in drawing.cuts(n_heads).items():
        assert json.loads(said[name]) == made.tolist()
    assert said["shapes"] == "[10, 48] [48, 48] [10, 48]"
    boxes = read(drawing.cut(n_heads, ("",) * 5, "", "")["plan_boxes"])
    assert sorted(boxes["text"].astype(int)) == sorted(list(range(12)) * 5)


@pytest.mark.parametrize("n", [10, 14])
@pytest.mark.parametrize(("d_model", "n_heads"), [(8, 1), (64, 4), (48, 12), (50, 10), (64, 16)])
def test_what_the_notes_write_is_drawn_to_scale_or_says_that_it_is_cut_off(n, d_model, n_heads):
    made = drawing.shapes(n, d_model, n_heads, ("X", "heads", "Concat", "W_O", "Z"), "notes", "cut")
    frame = read(made["plan_boxes"])
    ours = frame[frame["tip"].str.startswith("Concat")]
    concat, w_o = (frame[frame["tip"].str.startswith(f"notes: {start}")].iloc[0] for start in ("n ×", "(n·t)"))
    scale = ours["w"].sum() / d_model
    for box, side in ((concat, "w"), (w_o, "h")):
        for narrow, text in (("", "text"), ("s", "stext")):
            whole = box[narrow + side] == pytest.approx(scale * n * d_model / n_heads, rel=1e-5)
            assert whole == (box[text] == "")
        assert (box["look"] == "wrong") == (n != n_heads)
    assert ("wrong" in set(read(made["plan_words"])["role"])) == (n != n_heads)


@pytest.mark.parametrize("state", [each for each in STATES if each.divisor == "head"])
@pytest.mark.parametrize("factor", [1, 4])
def test_parameters_by_formula_are_those_of_the_modules_and_of_the_listing(state, factor, ran):
    found = counting.modules(state, factor)
    assert all((each.formula, each.formula_bare) == (each.counted, each.counted_bare) for each in found)
    said = [int(line) for line in ran(code.parameters(state, factor)).split()]
    assert said == [each.counted if state.bias else each.counted_bare for each in found]
    counts = counting.counts(state, factor)
    assert sum(counts[part] for part in counting.PARTS[:5]) == said[0]
    assert str(sum(counts.values())) in sums.parameters(state, factor)


def test_the_notes_modules_have_other_counts_than_printed():
    assert counting.notes() == {"module": 16_640, "block": 49_984}


def test_more_heads_cost_nothing_while_they_share_the_width():
    frame = read(counting.growth(64, 4, True)["growth"])
    lines_of = {name: each["count"].to_list() for name, each in frame.groupby("line")}
    assert len(set(lines_of["cut"])) == 1
    assert lines_of["shared"] == sorted(lines_of["shared"], reverse=True)
    assert lines_of["full"] == sorted(lines_of["full"])


@pytest.mark.parametrize("state", STATES)
def test_decoding_differs_from_the_causal_pass_by_rounding_alone(state):
    found = caching.decoded(state)
    assert max(found.gaps) < 1e-12
    assert len(found.steps) == len(view.tokens(state.text))
    x, weights = view.operands(state)
    last = list(decode(x, weights, state.n_heads, state.kv_heads))[-1]
    frame = read(caching.step_map(state, len(x), False, ""))
    assert frame["value"].to_list() == pytest.approx(last.weights.flatten().tolist(), abs=1e-6)


@pytest.mark.parametrize("at", [1, 4, 10])
def test_the_cache_is_drawn_as_far_as_it_is_written(at):
    state = Params(12, 6, 2)
    boxes = read(caching.cache(state, at, False, ("",) * 6)["plan_boxes"])
    looks = boxes["look"].value_counts().to_dict()
    assert looks.get("group", 0) == 3 * (at - 1)
    assert looks["new"] == 3
    assert looks.get("later", 0) == 3 * (10 - at)
    frame = read(caching.step_map(state, at, False, ""))
    assert ((frame["look"] == "hidden") == (frame["column"] >= at)).all()


def test_the_listing_of_the_cache_prints_its_bytes(ran):
    state, decoder = Params(12, 6, 2), kv_cache.Decoder(32, 32, 8, 128)
    difference, total = numbers(ran(code.shared(state, decoder, 4096, 4, 2)))
    assert difference < 1e-12
    assert total == kv_cache.cache_bytes(decoder, 4096, 4, 2)
    assert str(int(total)) in sums.cache(decoder, 4096, 4, 2)


def test_table_and_curves_of_the_caches_agree():
    rows, own = caching.USUAL, caching.own(Params(64, 4, 2), 12)
    table = {each.model: each.bytes for each in caching.taken(rows, own, 8192, 4, 2)}
    frame = read(caching.curves(rows, own, 8192, 4, 2)["cached"])
    assert frame[frame["n"] == 8192].set_index("model")["bytes"].to_dict() == table
    assert table["own"] == 2 * 12 * 2 * 16 * 8192 * 4 * 2
    assert tuple(table) == caching.MODELS


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("1,2;3", "ragged"),
        ("1,2,3,4", "sides"),
        (caching.spell_rows(caching.USUAL).replace("32,71,1", "32,70,4"), "shared_by"),
        (caching.spell_rows(caching.USUAL).replace("12,12,12,64", "0,12,12,64"), "range"),
        (caching.spell_rows(caching.USUAL).replace("12,12,12,64", "1.5,12,12,64"), "integers"),
        (caching.spell_rows(caching.USUAL).replace("12,12,12,64", "1e6,12,12,64"), "range"),
        ("x", "not_number"),
        ("", "empty"),
    ],
)
def test_sizes_that_cannot_be_are_refused_and_the_published_ones_used(open_page, text, rule):
    with pytest.raises(InputError) as refused:
        caching.read_rows(text)
    assert refused.value.code == rule
    if text:
        at = open_page("heads", hd_look="shared", hd_models=text)
        assert not at.exception
        assert len(at.warning) == 1
        assert labels()["heads.usual"]["en"] in at.warning[0].value


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("sizes", "size"), [("0,71,1,64", "layers"), ("32,71,1,6.5", "d_head"), ("32,70,4,64", "4")])
def test_a_refused_size_is_named_with_its_model(open_page, lang, sizes, size):
    text = caching.spell_rows(caching.USUAL).replace("32,71,1,64", sizes)
    (warning,) = open_page("heads", lang, hd_look="shared", hd_models=text).warning
    said = warning.value.replace("\\", "")
    assert "falcon_7b" in said
    assert size in said
    assert labels()["heads.usual"][lang] in said


def test_edited_sizes_stay_in_the_link_and_enter_the_table(open_page):
    text = caching.spell_rows(caching.USUAL).replace("32,32,32,128", "40,40,10,128")
    at = open_page("heads", hd_look="shared", hd_models=text)
    assert not at.exception
    assert not at.warning
    assert at.query_params["hd_models"] in (text, [text])
    table = next(each.value for each in at.markdown if each.value.startswith("| ") and "MiB" in each.value)
    assert "| 40 | 40 | 10 | 128 |" in table
    at.button(key="hd_models_back").click().run()
    assert not at.exception
    assert "hd_models" not in at.query_params


@pytest.mark.parametrize("asked", [{}, {"hd_tokens": "1048576", "hd_batch": "256"}, {"hd_tokens": "128", "hd_d": "8"}])
def test_amounts_in_the_table_of_caches_stand_below_each_other(open_page, asked):
    at = open_page("heads", hd_look="shared", **asked)
    table = next(each.value for each in at.markdown if each.value.startswith("| ") and "MiB" in each.value)
    rows = [line.strip("| ").split(" | ")[-3:] for line in table.splitlines()[2:]]
    d_model = int(asked.get("hd_d", 64))
    decoders = (*kv_cache.PRESETS.values(), kv_cache.Decoder(12, 4, 4, d_model // 4))
    n, batch = int(asked.get("hd_tokens", 4096)), int(asked.get("hd_batch", 1))
    for column, unit in zip(zip(*rows, strict=True), (1024, kv_cache.MIB, kv_cache.MB), strict=True):
        assert len({len(text.partition(".")[2]) for text in column}) == 1
        for text, each in zip(column, decoders, strict=True):
            assert re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d+)?", text)
            true = kv_cache.cache_bytes(each, *((1, 1) if unit == 1024 else (n, batch)), 2) / unit
            assert float(text.replace(",", "")) == pytest.approx(true, rel=0.005)


def test_a_cell_of_the_sizes_is_edited_and_one_that_cannot_be_is_refused(open_page):
    at = open_page("heads", hd_look="shared")
    for size, accepted in ((8, True), (5, False)):
        key = f"editor_hd_models_{at.session_state['_tables']['hd_models'].number}"
        at.session_state[key] = {
            "edited_rows": {2: {"key-value heads": size}}, "added_rows": [], "deleted_rows": [],
        }  # fmt: skip
        at.run()
        assert not at.exception
        assert bool(at.error) != accepted
        assert at.session_state["hd_models"][2] == (32, 32, 8, 128)
    assert "32, 32" not in at.error[0].value
    assert "divisors of 32: 1, 2, 4, 8, 16, 32" in at.error[0].value


@pytest.mark.parametrize("source", sourcing.SOURCES)
@pytest.mark.parametrize("n_q", [1, 4, 10])
@pytest.mark.parametrize("state", STATES[:3])
def test_the_listing_of_the_sources_prints_the_shapes_and_first_rows(source, n_q, state, ran):
    found = sourcing.looked(state, source, n_q)
    n = len(view.tokens(state.text))
    rows = n if source == "self" else n_q
    assert found.maps.shape[1:] == (rows, n)
    out = ran(code.sources(state, source, n_q)).splitlines()
    firsts = found.maps[:: state.n_heads, 0]
    for line, first in zip(out, firsts, strict=True):
        assert f"[{state.n_heads}, {rows}, {n}]" in line
        assert json.loads(line[line.rindex("[") :]) == pytest.approx(first.tolist(), abs=1e-9)


def test_the_two_corners_agree_only_where_the_map_is_square():
    for n_q in (1, 4, 9, 10):
        found = sourcing.looked(Params(), "masked", n_q)
        (lower_right, upper_left), n_heads = found.maps.chunk(2), Params().n_heads
        assert len(lower_right) == n_heads
        assert torch.equal(lower_right, upper_left) == (n_q == 10)
        lower, upper = sourcing.counted(found)
        assert lower.split(", ")[-1] == "10"
        assert upper.split(", ")[0] == "1"


@pytest.mark.parametrize("source", sourcing.SOURCES)
@pytest.mark.parametrize("n_q", [1, 4])
@pytest.mark.parametrize("state", STATES[:3])
def test_shapes_in_the_drawing_and_in_the_formula_are_those_of_the_tensors(source, n_q, state):
    n = len(view.tokens(state.text))
    made, rows = sourcing.looked(state, source, n_q).made, n if source == "self" else n_q
    boxes = read(sourcing.flow(state, source, rows, n, "Y", "X")["plan_boxes"])["text"].to_list()
    drawn = {text.split(" ", 1)[0]: json.loads(text.split(" ", 1)[1]) for text in boxes}
    joined = {"Q": made.q, "K": made.k, "V": made.v}
    for name, tensor in joined.items():
        heads_, length, width = tensor.shape
        assert drawn[name] == [length, heads_ * width]
    assert drawn["Aᵢ"] == list(made.attended.weights.shape[1:])
    assert drawn["Oᵢ"] == list(made.attended.output.shape[1:])
    assert drawn["Concat"] == list(made.concat.shape)
    assert drawn["Z"] == list(made.output.shape)
    under = re.findall(r"(O_i|W_O|Z)\}_\{(\d+) \\times (\d+)\}", sums.sources(rows, n, state))
    assert {name: [int(a), int(b)] for name, a, b in under} == {
        "O_i": drawn["Oᵢ"], "W_O": [drawn["Concat"][1], state.d_model], "Z": drawn["Z"],
    }  # fmt: skip


@pytest.mark.parametrize("n_heads", sorted({count for width in view.WIDTHS for count in view.head_counts(width)}))
def test_a_row_of_maps_holds_one_corner(n_heads):
    row = sourcing.per_row(n_heads)
    assert n_heads % row == 0 or n_heads == 1
    given = head_maps.values(2 * n_heads, 4, 10, 1.0, per_row=row)
    assert head_maps.LEFT + row * (given["wide_side"] + head_maps.GAP) <= head_maps.ROOM


def test_the_listing_of_the_listing_prints_its_row_and_its_counts(ran):
    row, module, block, *rest = ran(code.listing()).splitlines()
    found = {line.id: line.real for line in lines.lines()}
    assert row == found["row_5"]
    assert (f"{int(module):,}", f"{int(block):,}") == (found["parameters"], found["block_parameters"])
    costs, paths = rest[: len(printed.COMPLEXITY_TABLE)], rest[len(printed.COMPLEXITY_TABLE) :]
    assert " · ".join(line.split(" ", 1)[1] for line in costs) == found["costs"]
    assert costs[-1].split(" ", 1)[0] == found["longest"]
    assert " · ".join(paths) == found["paths"]


def test_the_lines_of_the_expected_output_get_their_verdicts():
    verdicts = {line.id: line.verdict for line in lines.lines()}
    wrong = {name for name, verdict in verdicts.items() if verdict == "wrong"}
    assert wrong == {"row_5", "parameters", "block_parameters", "table", "longest"}
    found = lines.row_5()
    assert (found.said_at, found.real_at, found.real, found.real_there) == (5, 2, "0.583", "0.051")
    assert lines.dropped().zeros == 15


def test_what_the_notes_say_gets_the_verdict_that_the_numbers_give():
    found = {row.id: row for row in claims.rows()}
    assert {name: row.verdict for name, row in found.items()} == {
        **dict.fromkeys(("formula", "cutting", "divisible", "eight", "result", "richer", "relations"), "correct"),
        **dict.fromkeys(("shared", "sources", "six"), "correct"),
        **dict.fromkeys(("concat", "output", "parameters", "block", "four", "row_5", "digits", "follows"), "wrong"),
        **dict.fromkeys(("twice", "raising", "same_input", "lower", "zero"), "only_if"),
        **dict.fromkeys(("before", "shown"), "imprecise"),
        "kinds": "open",
    }
    assert (found["parameters"].values["real"], found["block"].values["real"]) == ("16,640", "49,984")
    assert (found["shared"].values["own"], found["shared"].values["one"]) == ("1,048,576", "589,824")
    assert found["raising"].values["full"] == "8,388,608"
    stated = [line for line in lines.lines() if line.printed]
    assert found["follows"].values["all"] == str(len(stated))
    assert found["follows"].values["wrong"] == str(sum(line.printed != line.real for line in stated))
    assert found["follows"].values["missing"] == str(len(lines.lines()) - len(stated))
    assert found["zero"].values["future"] == "100"


@pytest.mark.parametrize("state", STATES)
def test_every_formula_has_its_braces(state):
    seen = view.seen(state)
    for text in (
        sums.scale(state), sums.mean(seen), sums.shapes(10, state), sums.parameters(state, 4),
        sums.sources(4, 10, state),
    ):  # fmt: skip
        assert text.count("{") == text.count("}")
        assert not re.search(r"\d[eE][+-]?\d", text)


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    state = Params(draw=91)
    view.seen(state)
    caching.decoded(state)
    sourcing.looked(state, "cross", 3)
    counting.modules(state, 2)
    claims.rows.__wrapped__()
    assert torch.equal(before, torch.get_rng_state())


def test_pictures_stay_small():
    wide = Params(512, 16, 1, "both", "sentence")
    assert len(view.cells(wide, True, True)) < 400_000
    assert len(caching.step_map(wide, 5, True, "head")) < 60_000


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_stands_in_both_languages(open_page, lang, look):
    at = open_page("heads", lang, hd_look=look, hd_d="48", hd_heads="6", hd_share="2", hd_mask="both", hd_mean="true")
    assert not at.exception
    assert not at.warning
    charts = {"maps": 1, "shapes": 2, "parameters": 2, "shared": 3, "sources": 2, "listing": 2}
    assert len(at.get("vega_lite_chart")) >= charts[look]
    shown = " ".join(each.value for each in [*at.markdown, *at.latex, *at.caption])
    assert "@{" not in shown


def test_what_a_link_may_not_ask_for_falls_back_and_is_named(open_page):
    asked = {"hd_d": "51", "hd_heads": "6", "hd_share": "3", "hd_mask": "window", "hd_draw": "100"}
    at = open_page("heads", **asked)
    assert not at.exception
    said = " ".join(warning.value for warning in at.warning)
    assert all(value in said for value in asked.values())
    assert at.select_slider(key="hd_d").value == Params().d_model


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_shared_is_named_by_the_number_in_the_link(open_page, lang):
    at = open_page("heads", lang, hd_d="48", hd_heads="12", hd_share="3")
    box = at.selectbox(key="hd_share")
    assert box.value == "3"
    assert [int(re.match(r"\d+", option).group()) for option in box.options] == [1, 2, 3, 4, 6, 12]


@pytest.mark.parametrize("look", view.LOOKS)
def test_the_mask_is_asked_for_where_it_is_used(open_page, look):
    at = open_page("heads", hd_look=look, hd_mask="causal")
    assert not at.exception
    assert [box.value for box in at.selectbox if box.key == "hd_mask"] == ["causal"] * (look == "maps")
    at.segmented_control(key="hd_look").set_value("maps").run()
    assert at.selectbox(key="hd_mask").value == "causal"


def test_another_width_takes_a_number_of_heads_that_divides_it(open_page):
    at = open_page("heads", hd_d="48", hd_heads="16", hd_share="8")
    assert not at.warning
    at.session_state["hd_d"] = 50
    at.run()
    assert not at.exception
    assert at.selectbox(key="hd_heads").value == "2"
    assert at.selectbox(key="hd_share").value == "1"


def test_one_spec_serves_every_size_and_mask(open_page):
    specs = set()
    for state in (
        {},
        {"hd_heads": "16"},
        {"hd_mask": "both", "hd_text": "sentence"},
        {"hd_d": "50", "hd_mean": "true"},
    ):
        at = open_page("heads", **state)
        spec = json.loads(at.get("vega_lite_chart")[0].proto.spec)
        for each in spec["params"]:
            each.pop("value", None)
        specs.add(json.dumps({key: value for key, value in spec.items() if key != "datasets"}, sort_keys=True))
    assert len(specs) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_rows_of_a_picture_are_called_what_they_are(open_page, lang):
    said = [labels()[f"heads.{name}"][lang] for name in ("query", "head_row")]
    for look, last, here in (("maps", 0, said[0]), ("shared", 1, said[1]), ("sources", 1, said[0])):
        spec = open_page("heads", lang, hd_look=look).get("vega_lite_chart")[last].proto.spec
        written = [each for each in said if each in json.dumps(json.loads(spec), ensure_ascii=False)]
        assert written == [here]


def test_tokens_are_stepped_by_the_buttons(open_page):
    at = open_page("heads", hd_look="shared")
    at.button(key="hd_step_on").click().run()
    assert not at.exception
    assert at.query_params["hd_step"] in ("2", ["2"])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_mistake_on_purpose_is_said_to_be_one(open_page, lang):
    for divisor in ("model", "heads"):
        at = open_page("heads", lang, hd_divisor=divisor)
        assert len(at.warning) == 1
    states = (("model", "4"), ("model", "1"), ("heads", "8"))
    flat, same, eight = (open_page("heads", lang, hd_divisor=by, hd_heads=h).warning[0].value for by, h in states)
    assert flat != same
    assert "0.125" in flat
    assert "0.125" in same
    assert eight == same.replace("0.125", "0.3536")


def test_only_the_chosen_look_is_computed(open_page, monkeypatch):
    called = []
    original = caching.decoded
    monkeypatch.setattr(caching, "decoded", lambda params: called.append(params) or original(params))
    assert not open_page("heads").exception
    assert called == []
    assert not open_page("heads", hd_look="shared").exception
    assert called


def test_what_does_not_decide_the_maps_does_not_make_them_again():
    assert view.attended(Params()) is view.attended(replace(Params()))
    assert listing.run is not lines.ran
    assert lines.ran() is lines.ran()


@pytest.mark.parametrize(
    "value",
    [
        *("9" * 400, "NaN", "-7;1e999", "<script>alert(1)</script>", "![x](http://192.0.2.1/x.png)", "1,2;" * 9000),
        *("[1, 2]", "１２ 1_0 0x10", "7," * 30_000, "@{name} {0} %s", "$\\href{javascript:x}{y}$"),
    ],
)
def test_hostile_sizes_in_a_link_get_one_sentence_and_the_table_stays(open_page, value):
    at = open_page("heads", hd_look="shared", hd_models=value)
    assert not at.exception
    assert len(at.warning) == 1
    assert len(at.warning[0].value) < 300
    assert not re.search(r"(?<!\\)[<\[`$]", at.warning[0].value)
    assert len(at.get("vega_lite_chart")) >= 3
