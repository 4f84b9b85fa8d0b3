"""The ledger's page: filters, search, an opened statement, links that lead somewhere, and all checks run again."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.claims import live
from core.claims.ledger import Found
from core.claims.statements import BY_ID, CLAIMS
from core.device import DeviceChoice, choose
from pages.ui import claims_ledger, device, long_run
from pages.ui.language import fill, labels
from pages.ui.registry import PAGES
from pages.views import claims as view
from tests.pages.conftest import Open

PAGE = "claims"
REFUSED = ":material/link_off:"
COMPUTED = [each for each in CLAIMS if each.check is not None]
SEEN = sorted({(each.page, each.link) for each in CLAIMS})


def table(at) -> list[str]:
    """Return the numbers of the statements in the table."""
    return at.dataframe[0].value.iloc[:, 0].tolist()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_statement_has_its_words(lang: str) -> None:
    words = labels()
    for each in CLAIMS:
        name = each.id.replace("-", "_")
        assert words[f"claim.say_{name}"][lang]
        assert words[f"claim.got_{name}"][lang]
        # A verdict that is not plain needs a reason; what is only listed has it in its source.
        if each.recorded in ("only_if", "imprecise", "wrong") and each.check is not None:
            assert words[f"claim.if_{name}"][lang], each.id


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_words_of_every_statement_can_be_filled(lang: str) -> None:
    for each in CLAIMS:
        got = view.found(each.id)
        values = {} if got is None else view.words(got)
        for part in ("got", "if"):
            if (key := f"claim.{part}_{each.id.replace('-', '_')}") in labels():
                text = fill(labels()[key][lang], values)
                assert "@{" not in text


def test_filters_leave_what_they_say(open_page: Open) -> None:
    everything = table(open_page(PAGE))
    assert everything == [each.id for each in CLAIMS]
    asked = open_page(PAGE, cl_topic="scaling", cl_verdict="only_if")
    kept = [each.id for each in CLAIMS if (each.topic, each.recorded) == ("scaling", "only_if")]
    assert table(asked) == kept
    assert 0 < len(kept) < len(everything)
    assert not asked.warning


@pytest.mark.parametrize(("lang", "sought"), [("en", "gradient"), ("zh", "梯度"), ("en", "003-076")])
def test_search_finds_words_of_the_language_and_numbers(open_page: Open, lang: str, sought: str) -> None:
    found = table(open_page(PAGE, lang, cl_search=sought))
    assert 0 < len(found) < len(CLAIMS)
    for id in found:
        say = labels()["claim.say_" + id.replace("-", "_")][lang]
        assert sought in f"{id} {BY_ID[id].quote} {say}".lower()


def test_a_search_without_a_hit_says_so_and_loses_nothing(open_page: Open) -> None:
    at = open_page(PAGE, cl_search="xyzzy")
    assert not at.exception
    assert [info.value for info in at.info] == [labels()["claims.none"]["en"]]
    assert at.button(key="claims_start")


@pytest.mark.parametrize("id", ["003-025", "003-076", "000-033"])
def test_an_opened_statement_shows_what_its_function_computes(open_page: Open, id: str) -> None:
    at = open_page(PAGE, cl_claim=id)
    got = view.found(id)
    assert got is not None
    shown = "\n".join(text.value for text in [*at.markdown, *at.caption])
    assert BY_ID[id].quote in shown
    assert f"`{BY_ID[id].function}`" in shown
    assert f"-badge[{labels()[f'verdict.{got.verdict}']['en']}]" in shown
    assert BY_ID[id].check.__name__ in at.code[0].value


def test_an_opened_statement_is_in_the_link(open_page: Open) -> None:
    at = open_page(PAGE)
    at.session_state["cl_claim"] = "003-006"
    at.run()
    assert at.query_params["cl_claim"] in ("003-006", ["003-006"])


def test_a_statement_that_is_filtered_away_gives_way_to_the_first_that_is_left(open_page: Open) -> None:
    at = open_page(PAGE, cl_topic="example", cl_claim="000-033")
    assert len(at.warning) == 1
    assert at.selectbox(key="cl_claim").value == table(at)[0]


@pytest.mark.parametrize(("page", "link"), SEEN)
def test_every_link_leads_to_a_state_that_exists(open_page: Open, page: str, link: str) -> None:
    assert page in {entry.name for entry in PAGES}
    asked = dict(pair.split("=", 1) for pair in link.split("&")) if link else {}
    at = open_page(page, **asked)
    assert not at.exception
    # A demonstration of a mistake warns of itself; a link that asks for what there is not gets another sign.
    assert not [warning.value for warning in at.warning if warning.icon == REFUSED]
    assert [title.value for title in at.title] == [labels()[f"{page}.question"]["en"]]
    for key in asked:
        assert key in at.session_state, key


def test_a_link_that_leads_nowhere_would_be_noticed(open_page: Open) -> None:
    assert [warning.icon for warning in open_page("sqrt_dk", d_k="-3").warning] == [REFUSED]
    assert "no_such_key" not in open_page("sqrt_dk", no_such_key="1").session_state


def run_all(at: AppTest) -> str:
    """Press the button, wait for the last check, and return all that the page says."""
    at.button(key="claims_start").click().run()
    for _ in range(400):
        if at.button(key="claims_stop").disabled:
            break
        at.run()
    assert not at.exception
    return "\n".join(text.value for text in [*at.markdown, *at.caption])


def say(name: str, lang: str, **values: object) -> str:
    """Return one of the page's labels, filled."""
    return fill(labels()[f"claims.{name}"][lang], {key: str(value) for key, value in values.items()})


def a_machine_with(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let a kind of device be the best one there is, and let no earlier run stand for a new one."""
    choose = device.choose

    def chosen(asked: str) -> DeviceChoice:
        return DeviceChoice(asked, name, False, "Test GPU", None) if asked in ("auto", name) else choose(asked)

    monkeypatch.setattr(device, "choose", chosen)
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_checks_run_again_and_agree(open_page: Open, lang: str) -> None:
    at = open_page(PAGE, lang, device="cpu")
    here = f"CPU ({choose('cpu').label})"
    assert say("on_cpu", lang, device=here) in [text.value for text in at.caption]
    said = run_all(at)
    total = len(COMPUTED)
    start = say("checked", lang, count=total, agree=total, seconds="@", slowest="", longest="").partition("@")[0]
    assert start in said
    assert say("all_here", lang, device=here) in said
    assert not at.warning
    assert at.session_state["_run_claims"].key == ("claims", "cpu")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_says_where_each_check_was_computed(
    open_page: Open, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, numbers = ("000-033", "003-025"), ("003-006",)
    asked: list[str] = []

    def ran(check: object, place: str) -> live.Ran:
        asked.append(place)
        each = next(each for each in COMPUTED if each.check is check)
        if each.id in refused:
            return live.Ran(Found(each.recorded), "cpu", "refused", "NotImplementedError: no `mm`")
        return live.Ran(Found(each.recorded), *(("cpu", "numbers") if each.id in numbers else ("cuda", "asked")))

    a_machine_with(monkeypatch, "cuda")
    monkeypatch.setattr(live, "run", ran)
    monkeypatch.setattr(live, "wake", lambda _: None)
    at = open_page(PAGE, lang)
    assert say("on_device", lang, device="CUDA (Test GPU)") in [text.value for text in at.caption]
    said = run_all(at)
    assert asked == ["cuda"] * len(COMPUTED)
    assert at.session_state["_run_claims"].key == ("claims", "cuda")
    assert say("there", lang, count=len(COMPUTED) - 3, device="CUDA (Test GPU)") in said
    assert say("numbers", lang, count=1) in said
    assert say("refused", lang, count=2, ids=", ".join(refused)) in said
    for id in refused:
        assert f"{id} · `NotImplementedError: no 'mm'`" in said


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_device_without_float64_gives_way_and_the_page_says_so(
    open_page: Open, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_machine_with(monkeypatch, "mps")
    at = open_page(PAGE, lang)
    wanted = say("no_float64", lang, device="MPS"), say("on_cpu", lang, device=f"CPU ({choose('cpu').label})")
    assert "  \n".join(wanted) in [text.value for text in at.caption]
    at.button(key="claims_start").click().run()
    assert at.session_state["_run_claims"].key == ("claims", "cpu")


def test_a_verdict_that_differs_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    other = view.Checked("003-006", live.Ran(Found("correct"), "cpu", "asked"), 0.1)
    said: list[str] = []
    monkeypatch.setattr(claims_ledger.st, "warning", lambda text, **_: said.append(text))
    monkeypatch.setattr(claims_ledger.st, "markdown", lambda text, **_: None)
    run = claims_ledger.long_run.Run(("claims", "cpu"), "ticket", None, [other], 1.0)
    claims_ledger.checked(run)
    assert len(said) == 1
    assert "003-006" in said[0]


@pytest.mark.parametrize("sought", ["x" * 70, "a\x00b"])
def test_a_search_that_is_refused_is_not_used(open_page: Open, sought: str) -> None:
    at = open_page(PAGE, cl_search=sought)
    assert [warning.icon for warning in at.warning] == [REFUSED]
    assert table(at) == [each.id for each in CLAIMS]
    assert at.text_input(key="cl_search").value == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_take_away_counts_as_the_ledger_does(open_page: Open, lang: str) -> None:
    count = {verdict: sum(each.recorded == verdict for each in CLAIMS) for verdict in {c.recorded for c in CLAIMS}}
    [said] = [each.value for each in open_page("claims", lang).success]
    right, off = count["correct"] + count["rounded_correct"], count["imprecise"] + count["wrong"]
    numbers = sorted(map(int, re.findall(r"\d+", said)))
    assert numbers == sorted([len(CLAIMS), right, count["only_if"], off])
    assert right + count["only_if"] + off + count["open"] == len(CLAIMS)
