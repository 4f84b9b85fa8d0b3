"""The laboratory of the heads page: its pictures against the core, in both languages, and what a link can ask for."""

import itertools
import json
import re
from collections.abc import Callable, Iterator

import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.attention import alignment, patches
from core.attention import point_attention as space
from core.attention.block import Design, transform
from core.charts.heads_cases import VIEW
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.heads_lab import EXPERIMENTS
from pages.ui.language import labels
from pages.ui.queue import Queue
from pages.views import heads_lab as view
from pages.views import heads_lab_cases as cases
from pages.views import heads_lab_claims as claims
from pages.views import heads_translation as translation
from pages.views.timed_run import Timed

Open = Callable[..., AppTest]
LANGUAGES = ("en", "zh")
TOKENS = tuple(f"t{number}" for number in range(view.N))
DESIGNS = [Design(*on) for on in itertools.product((False, True), repeat=3)]
CONTROLS = {
    "block": ("hl_order", "hl_residual", "hl_norm", "hl_seed", "hl_step"),
    "mixing": ("hl_mask", "hl_seed"),
    "permute": ("hl_with", "hl_shuffle", "hl_seed"),
    "collapse": ("hl_gain",),
    "translation": ("hl_task",),
    "image": ("hl_asks", "hl_sharp"),
    "protein": ("hl_turn", "hl_shift", "hl_pull", "hl_residue", "hl_gamma"),
}


@pytest.fixture(autouse=True)
def own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())


def specs(at: AppTest) -> dict[str, dict]:
    found = {}
    for chart in at.get("vega_lite_chart"):
        spec = json.loads(chart.proto.spec)
        spec.pop("datasets", None)
        found[chart.proto.id] = spec
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", EXPERIMENTS)
def test_an_experiment_stands_in_both_languages(open_page: Open, lang: str, lab: str) -> None:
    at = open_page("heads", lang, heads_lab=lab)
    assert not at.exception
    assert not at.warning
    assert at.segmented_control(key="heads_lab").value == lab
    assert "_run_hl_translation" not in at.session_state


@pytest.mark.parametrize(("lab", "key"), [(lab, key) for lab, keys in CONTROLS.items() for key in keys])
@pytest.mark.parametrize("asked", ["1e9", "nan"])
def test_what_a_link_asks_of_an_experiment_is_bounded(open_page: Open, lab: str, key: str, asked: str) -> None:
    at = open_page("heads", heads_lab=lab, **{key: asked})
    assert not at.exception
    assert len(at.warning) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("order", view.ORDERS)
@pytest.mark.parametrize("switched", ["hl_residual", "hl_norm"])
def test_a_step_that_is_not_there_is_not_stepped_to(open_page: Open, lang: str, order: str, switched: str) -> None:
    at = open_page("heads", lang, heads_lab="block", hl_order=order, hl_step="8")
    assert not at.warning
    at.toggle(key=switched).set_value(False).run()
    assert not at.exception
    assert at.session_state["hl_step"] == 6


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("seed", [0, view.LAST_SEED])
def test_the_pictures_hold_the_blocks_activations(design: Design, seed: int) -> None:
    names = tuple(view.formulas(design))
    x, weights = view.start(seed)
    steps = transform(x, weights, None, design).steps
    assert tuple(steps) == names
    for step in (1, len(names)):
        found = view.block(design, seed, step, TOKENS)
        cells = read(found.data["map_cells"])
        assert read(found.data["map_now"])["panel"].tolist() == [names[step - 1]]
        assert set(cells[cells["look"] == "value"]["panel"]) == set(names[:step])
        assert cells["value"].abs().max() == pytest.approx(found.bound)
        for name, activation in steps.items():
            own = cells[cells["panel"] == name]
            placed = torch.zeros_like(activation)
            placed[own["row"].to_numpy() - 1, own["column"].to_numpy() - 1] = torch.tensor(own["value"].to_numpy())
            assert torch.equal(placed, activation), name


@pytest.mark.parametrize("masked", [False, True])
def test_only_attention_has_cells_beside_the_diagonal(masked: bool) -> None:
    cells = read(view.mixing(3, masked, TOKENS).data["map_cells"])
    off = cells[cells["row"] != cells["column"]]
    beside = {panel: int((own["value"] != 0).sum()) for panel, own in off.groupby("panel")}
    pairs = view.N * (view.N - 1)
    wanted = pairs // 2 if masked else pairs
    assert beside == {"attention": wanted, "norm": 0, "ffn": 0, "block": wanted}
    assert view.mixing(3, masked, TOKENS).values["zeros"] == str(pairs - wanted)


@pytest.mark.parametrize("number", range(1, 21))
def test_a_shuffle_is_an_order_and_moves_something(number: int) -> None:
    assert sorted(view.shuffle(number)) == list(range(view.N)) != view.shuffle(number)


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("number", [1, 12])
def test_order_is_seen_with_a_mask_or_with_positions_only(seed: int, number: int) -> None:
    assert view.gap(seed, number, "plain") < 1e-13
    assert min(view.gap(seed, number, way) for way in ("causal", "positions")) > 1e-3
    cells = read(view.permuted(seed, number, "plain", TOKENS).data["map_cells"])
    first = cells[cells["panel"] == "after"].drop_duplicates("row")["row_name"].tolist()
    assert first == [f"{place + 1} t{place}" for place in view.shuffle(number)]


@pytest.mark.parametrize("gain", view.GAINS)
def test_tokens_become_one_without_residuals_only(gain: int) -> None:
    found = {name: spreads.quantile(0.5, dim=1) for name, spreads in view.stacks(gain).items()}
    for name in ("attention", "attention_ffn"):
        assert found[name][6] < 1e-9, name
    for name in ("attention_sum", "post", "pre"):
        assert found[name].min() > 1e-3, name
    assert found["pre"].min() > 0.3
    frame = read(view.depths(gain)["depths"])
    assert len(frame) == len(view.STACKS) * (view.DEPTH + 1)
    assert (frame["low"] <= frame["middle"]).all()
    assert (frame["middle"] <= frame["high"]).all()
    assert (frame["low"] > 0).all()


@pytest.mark.parametrize("way", patches.WAYS)
def test_words_and_patches_are_drawn_as_they_are(way: str) -> None:
    found = cases.looks(way, 6)
    cells = read(found.data["map_cells"])
    assert cells["value"].max() == pytest.approx(found.bound)
    if way == "words":
        assert cells.groupby("panel")["value"].sum().tolist() == pytest.approx([1] * len(patches.WORDS))
    else:
        sums = cells.groupby(["row", "column"])["value"].sum()
        assert (found.values["least"], found.values["most"]) == (f"{sums.min():.2f}", f"{sums.max():.2f}")
    assert read(cases.picture()["patches"]).groupby("row")["kind"].sum().tolist() == list(patches.PICTURE)


@pytest.mark.parametrize("residue", [1, 3, 6])
@pytest.mark.parametrize(("turn", "shift"), [(0, 0), (60, 8), (345, -12)])
def test_a_fold_that_is_turned_and_shifted_keeps_its_weights(residue: int, turn: float, shift: float) -> None:
    found = cases.changes(cases.Fold(turn, shift, 4, residue, 0.3))
    assert found["turned"] < 1e-12
    assert found["pulled"] > 0.01
    assert found["apart"] == abs(cases.N_RESIDUES + 1 - 2 * residue)
    assert cases.changes(cases.Fold(turn, shift, 0, residue, 0.3))["pulled"] == 0
    assert cases.changes(cases.Fold(turn, shift, 4, residue, 0.0))["pulled"] == 0


@pytest.mark.parametrize("turn", range(0, 361, 15))
def test_the_chain_stays_in_its_picture_however_it_is_moved(turn: int) -> None:
    moves = itertools.product(
        (-cases.FARTHEST_SHIFT, cases.FARTHEST_SHIFT), (0, cases.FARTHEST_PULL), range(1, cases.STRAND + 1)
    )
    for shift, pull, residue in moves:
        _, moved = cases.chain(cases.Fold(turn, shift, pull, residue, 0.3))
        assert moved[:, :2].abs().max() < VIEW / 2


def test_the_chain_is_drawn_where_it_lies() -> None:
    for turn, shift in ((0, cases.FARTHEST_SHIFT), (90, -cases.FARTHEST_SHIFT), (270, cases.FARTHEST_SHIFT)):
        fold = cases.Fold(turn, shift, cases.FARTHEST_PULL, 1, 0.3)
        chain, maps = cases.folded(fold)
        frame = read(chain["chain"])
        _, moved = cases.chain(fold)
        assert frame[["x", "y"]].to_numpy() == pytest.approx(moved[:, :2].numpy())
        before = space.hairpin(cases.STRAND)
        drawn = read(chain["still"])[["x", "y"]].to_numpy()
        assert drawn == pytest.approx((before - before.mean(0))[:, :2].numpy())
        cells = read(maps.data["map_cells"])
        own = cells[(cells["panel"] == "with") & (cells["row"] == 1)]
        assert own["value"].tolist() == pytest.approx(frame["weight"].tolist())
        assert frame[frame["partner"]]["number"].tolist() == [cases.N_RESIDUES]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fold_of_which_nothing_is_pulled_is_not_said_to_change(open_page: Open, lang: str) -> None:
    without, pulled = (
        next(each.value for each in open_page("heads", lang, heads_lab="protein", hl_pull=pull).markdown
             if "Å" in each.value and each.value.startswith("**"))
        for pull in ("0", "8")
    )  # fmt: skip
    assert "8 Å" in pulled
    assert "0 Å" not in re.sub(r"\d\.\d Å", "", without)


def points(task: str) -> Iterator[Timed[alignment.Point]]:
    """A run in which the model that looks back is right from step 50 on, and looks at the right symbol."""
    plan = translation.plan(task)
    right = torch.eye(translation.LENGTH).flip(0) if task == "reverse" else torch.eye(translation.LENGTH)
    even = torch.full((translation.LENGTH, translation.LENGTH), 1 / translation.LENGTH)
    for model in alignment.MODELS:
        for step in translation.SNAPSHOTS:
            map_ = tuple(map(tuple, (right if step >= 50 else even).tolist()))
            maps = (map_,) * len(plan.seeds) if model == "attention" else ()
            share = 1.0 if model == "attention" and step >= 50 else 0.25
            yield Timed(alignment.Point(model, step, (1.0,), ((share,) * 3,), maps, 0.5), 2.0)


@pytest.mark.parametrize("task", alignment.TASKS)
def test_an_alignment_is_summed_up_as_far_as_it_is(task: str) -> None:
    every = list(points(task))
    whole, begun = translation.aligned(every, task), translation.aligned(every[:5], task)
    assert whole.values == {"fixed": "25", "attention": "100", "aligned": "100"}
    assert begun.values == {"fixed": "25", "attention": "25", "aligned": "12"}
    assert translation.aligned(every[:1], task).values["attention"] == "–"
    cells = read(begun.data["map_cells"])
    assert set(cells[cells["look"] == "value"]["panel"]) == {str(translation.SNAPSHOTS[0])}


@pytest.mark.parametrize("task", alignment.TASKS)
def test_the_plan_is_one_that_the_core_takes_and_its_snapshots_come(task: str) -> None:
    plan = translation.plan(task)
    assert all(step % plan.every == 0 for step in translation.SNAPSHOTS)
    assert next(translation.begin(task, "cpu")).point.step == plan.every


@pytest.mark.parametrize("lang", LANGUAGES)
def test_translation_is_trained_by_button_only(open_page: Open, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "begin", lambda task, device: points(task))
    at = open_page("heads", lang, heads_lab="translation")
    before = len(at.get("vega_lite_chart"))
    at.button(key="hl_translation_start").click().run()
    assert not at.exception
    assert at.session_state["_run_hl_translation"].state == "finished"
    assert len(at.get("vega_lite_chart")) == before + 1
    at.segmented_control(key="hl_task").set_value("copy").run()
    assert len(at.info) == 1


@pytest.mark.parametrize("lab", [lab for lab in EXPERIMENTS if lab != "translation"])
def test_one_spec_serves_every_state_of_equal_panels(open_page: Open, lab: str) -> None:
    links = {
        "block": {"hl_seed": "5", "hl_step": "4"}, "mixing": {"hl_seed": "7"}, "permute": {"hl_shuffle": "9"},
        "collapse": {"hl_gain": "4"}, "image": {"hl_sharp": "2"}, "protein": {"hl_turn": "90", "hl_residue": "1"},
    }  # fmt: skip
    one, other = (specs(open_page("heads", heads_lab=lab, **link)) for link in ({}, links[lab]))
    for spec in (*one.values(), *other.values()):
        for parameter in spec.get("params", []):
            if parameter.get("name") == "bound":
                parameter.pop("value")
    assert one == other


def test_no_spec_is_built_for_another_design_of_the_block(open_page: Open) -> None:
    """Which maps there are, and what they are called, are values of the picture's parameters."""
    found = []
    for link in ({}, {"hl_order": "pre"}, {"hl_norm": "false"}):
        made = specs(open_page("heads", heads_lab="block", **link)).values()
        (spec,) = (each for each in made if any(param["name"] == "tall" for param in each.get("params", [])))
        params = {each["name"]: each.pop("value", None) for each in spec["params"]}
        assert len(params["panels"]) == len(params["names"])
        found.append((spec, params["panels"]))
    assert found[0][0] == found[1][0] == found[2][0]
    assert sorted(found[0][1]) == sorted(found[1][1]) != found[1][1]
    assert len(found[2][1]) == len(found[0][1]) - 2


def test_statements_are_judged_by_what_is_computed_and_have_their_words() -> None:
    rows = [row for made in (claims.mixing, claims.permute, claims.collapse, claims.translation, claims.image,
                             claims.protein) for row in made()]  # fmt: skip
    assert {row.id: row.verdict for row in rows} == {
        "mixing": "correct", "order": "only_if", "replace": "correct", "gnmt": "imprecise", "dalle": "wrong",
        "alphafold": "correct", "far": "only_if",
    }  # fmt: skip
    for row in rows:
        assert (f"heads_lab.condition_{row.id}" in labels()) == row.conditional


def test_the_grades_of_the_source_close_the_gap_by_what_it_says() -> None:
    (row,) = claims.translation()
    assert int(row.values["low"]) <= int(row.values["closed_low"])
    assert int(row.values["rise_high"]) < int(row.values["low"])
