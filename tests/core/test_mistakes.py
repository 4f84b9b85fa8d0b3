"""Every exhibit: the broken snippet fails as it is said to, the right one obeys the law, and each only that."""

import pytest
import torch
import torch.nn.functional as F
from streamlit.testing.v1 import AppTest
from torch.utils.flop_counter import FlopCounterMode

from core import snippets
from core.attention.dot_product import attend, masked_softmax
from core.attention.masks import causal
from core.mistakes.exhibit import TOPICS
from core.mistakes.exhibits import BY_NAME, EXHIBITS
from core.positions import alibi, rotary, shaw, sinusoidal
from pages.ui.registry import PAGES

RUN = [each for each in EXHIBITS if not each.needs_streamlit]


def ran(name, side):
    return snippets.run(snippets.source("mistakes", f"{name}_{side}"))


@pytest.mark.parametrize("exhibit", RUN, ids=lambda each: each.name)
def test_the_broken_snippet_fails_as_it_is_said_to_and_the_right_one_obeys_the_law(exhibit):
    broken, right = (ran(exhibit.name, side) for side in ("broken", "right"))
    assert right.error == ""
    assert right.printed
    assert right.holds(exhibit.law), right.printed
    assert broken.holds(exhibit.fault), broken.printed + broken.error
    assert not broken.holds(exhibit.law)
    assert not right.holds(exhibit.fault)
    assert broken.printed + broken.error != right.printed


@pytest.mark.parametrize("exhibit", RUN, ids=lambda each: each.name)
def test_those_marked_as_raising_raise_and_no_others(exhibit):
    assert exhibit.raises == bool(ran(exhibit.name, "broken").error)


@pytest.mark.parametrize("exhibit", RUN, ids=lambda each: each.name)
def test_what_is_drawn_is_there(exhibit):
    assert exhibit.shows in ran(exhibit.name, "right").values
    broken = ran(exhibit.name, "broken")
    assert exhibit.shows in broken.values or broken.error


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda each: each.name)
def test_the_two_snippets_differ_in_little(exhibit):
    broken, right = (snippets.source("mistakes", f"{exhibit.name}_{side}").splitlines() for side in ("broken", "right"))
    kept = sum(line in right for line in broken)
    assert kept >= len(broken) / 3


def test_every_kind_of_fault_has_an_exhibit_and_every_topic_has_some():
    assert {each.kind for each in EXHIBITS} == set(range(1, 15))
    assert {each.topic for each in EXHIBITS} == set(TOPICS)
    assert len(BY_NAME) == len(EXHIBITS)
    assert {each.page for each in EXHIBITS} <= {entry.name for entry in PAGES}


def test_the_law_of_a_broken_snippet_is_no_accident_of_a_missing_name():
    for exhibit in RUN:
        right = ran(exhibit.name, "right")
        eval(exhibit.law, {**right.values, "error": ""})  # raises NameError where the law itself misspells a name


def test_right_snippets_agree_with_the_core():
    right = {each.name: ran(each.name, "right").values for each in RUN}
    scores = right["true_means"]["scores"]
    assert torch.allclose(right["true_means"]["weights"], masked_softmax(scores, causal(3, 3))[0], atol=1e-6)
    keep = right["empty_row"]["keep"]
    assert torch.allclose(right["empty_row"]["weights"], masked_softmax(right["empty_row"]["scores"], keep)[0])
    assert torch.allclose(right["odd_width"]["codes"].double(), sinusoidal.encode(range(4), 5), atol=1e-6)
    assert torch.allclose(
        right["sine_variant"]["codes"].double(), sinusoidal.encode(range(0, 50, 10), 6, layout="concat"), atol=1e-5
    )
    assert torch.allclose(right["alibi_slopes"]["slopes"].double(), alibi.slopes(6))
    assert torch.equal(right["shaw_index"]["index"], shaw.index(2, 5, 2))
    assert torch.allclose(right["rope_width"]["per_head"][0].double(), rotary.frequencies(4))
    x = right["no_weights"]["x"]
    assert torch.allclose(right["no_weights"]["weights"], attend(x, x, x).weights, atol=1e-6)
    half = right["half_overflow"]
    assert torch.allclose(half["weights"], attend(half["q"], half["k"], half["k"]).weights)


def test_the_broken_rotary_mix_is_what_the_core_gives_for_two_layouts():
    values = ran("rope_layout", "broken").values
    turned = rotary.turns(range(4), torch.tensor([1.0, 0.1], dtype=torch.float64))
    q, k = (values[name].double() for name in ("q", "k"))
    mixed = rotary.rotate(q, turned, "half") @ rotary.rotate(k, turned, "interleaved").mT
    assert torch.allclose(values["scores"].double(), mixed, atol=1e-5)


def test_the_counts_are_those_of_torch_s_own_counter():
    q, k, v = torch.ones(3, 2, 4, 96, 32)
    for side, attention in (("broken", F.scaled_dot_product_attention), ("right", lambda q, k, v: (q @ k.mT) @ v)):
        with FlopCounterMode(display=False) as counter:
            attention(q, k, v)
        assert ran("counter_zero", side).values["counts"].item() == counter.get_total_flops()
    assert ran("mac_or_flop", "right").values["counts"].tolist() == [[counter.get_total_flops()] * 2]


def app(name, side):
    return AppTest.from_string(snippets.source("mistakes", f"{name}_{side}"), default_timeout=30).run()


@pytest.mark.parametrize("side", ["broken", "right"])
def test_a_slider_is_left_and_found_again(side):
    at = app("forgetful_slider", side)
    at.slider(key="tau").set_value(3).run()
    at.radio(key="page").set_value("two").run()
    assert not at.slider
    at.radio(key="page").set_value("one").run()
    exhibit = BY_NAME["forgetful_slider"]
    found = snippets.Ran("", {"tau": at.slider(key="tau").value}, "")
    assert found.holds(exhibit.law if side == "right" else exhibit.fault)
    assert not found.holds(exhibit.fault if side == "right" else exhibit.law)


@pytest.mark.parametrize("side", ["broken", "right"])
def test_an_editor_is_another_one_once_its_result_is_fed_back(side):
    at = app("lost_edit", side)
    before = at.dataframe[0].proto.id
    edited = at.dataframe[0].value.copy()
    edited.loc[0, "k0"] = 9.0
    if side == "broken":
        at.session_state["table"] = edited  # what the app itself stores after an edit
    at.run()
    after = at.dataframe[0].proto.id
    exhibit = BY_NAME["lost_edit"]
    found = snippets.Ran("", {"before": before, "after": after}, "")
    assert found.holds(exhibit.law if side == "right" else exhibit.fault)
