"""Hostile links in a real browser: nothing in them runs, and nothing asks another host."""

from urllib.parse import quote

import pytest

from pages.ui.registry import PAGES
from tests.browser.conftest import OpenTab

NAMES = [entry.name for entry in PAGES]
KEYS = (
    *("lang", "device", "present", "q", "k", "v", "step", "query", "causal", "editing", "s1", "s2", "d_k", "keys"),
    *("window", "beside", "way", "samples", "draw", "look", "omega", "d_model", "n", "t", "delta", "pair"),
    *("n_tokens", "rival", "counted", "compare", "along", "layer_width", "layer_heads", "path_radius", "path_kernel"),
    *("lab", "rnn_lab", "positions_lab", "rp_look", "rp_n", "rp_d", "rp_kind", "rp_rank", "rp_seed"),
    *("ca_pattern", "ca_or", "ca_n", "ca_d", "ca_heads", "ca_radius"),
    *("sc_look", "sc_fn", "sc_n", "sc_d", "sc_query", "sc_shift", "sc_out", "sc_task"),
    *("cv_convention", "mk_topic", "mk_exhibit", "hd_d", "hd_heads", "hd_share", "hd_mask", "hd_models"),
)
ATTACKS = (
    "<script>window.ran=1</script><img src=http://192.0.2.1/x.png onerror=window.ran=1>",
    "![x](http://192.0.2.1/x.png)[x](javascript:window.ran=1)<svg onload=window.ran=1>",
    "http://192.0.2.1/x www.example.org/x me@example.org",
    "$\\href{javascript:window.ran=1}{x}\\includegraphics{http://192.0.2.1/x.png}$",
)


@pytest.mark.parametrize("page", NAMES)
def test_nothing_in_a_link_runs_or_calls_out(open_tab: OpenTab, server: str, page: str) -> None:
    for attack in ATTACKS:
        asked = "&".join(f"{key}={quote(attack)}" for key in KEYS)
        tab = open_tab(f"{server}/{'' if page == NAMES[0] else page}?{asked}").ready()
        assert tab.page.evaluate("window.ran") is None
        said = tab.page.locator('[data-testid="stAlertContentWarning"]')
        said.nth(2).wait_for()
        assert said.locator("img, svg[onload], script, .katex, a[href]").count() == 0
        assert tab.complaints == []


def test_the_browser_itself_refuses_what_is_not_of_this_host(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/").ready()
    refused = tab.page.evaluate(
        """async () => {
          const refused = [];
          document.addEventListener('securitypolicyviolation', event => refused.push(event.effectiveDirective));
          const image = new Image(); image.src = 'http://192.0.2.1/x.png'; document.body.append(image);
          const script = document.createElement('script'); script.textContent = 'window.ran = 1';
          document.body.append(script);
          await fetch('http://192.0.2.1/').catch(() => null);
          await new Promise(done => setTimeout(done, 300));
          return refused;
        }"""
    )
    assert {"img-src", "script-src-elem", "connect-src"} <= set(refused)
    assert tab.page.evaluate("window.ran") is None
