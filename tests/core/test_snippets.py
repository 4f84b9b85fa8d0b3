"""How snippets are run, and that they leave alone what all visitors share."""

import subprocess
import sys

import pytest
import torch

from core import snippets
from core.conventions.variants import EXAMPLES
from core.mistakes.exhibits import EXHIBITS


def files(folder):
    return sorted(file.stem for file in (snippets.SNIPPETS / folder).glob("*.py"))


IN_PROCESS = [("conventions", name) for name in EXAMPLES] + [
    ("mistakes", f"{each.name}_{side}") for each in EXHIBITS if not each.needs_streamlit for side in ("broken", "right")
]


def test_every_file_belongs_to_an_exhibit_or_a_convention_and_none_is_missing():
    assert files("mistakes") == sorted(f"{each.name}_{side}" for each in EXHIBITS for side in ("broken", "right"))
    assert files("conventions") == sorted(EXAMPLES)


def test_what_a_snippet_prints_and_leaves_is_kept():
    ran = snippets.run("print('a', 1, sep='-')\nprint([2])\nx = 3")
    assert (ran.printed, ran.error, dict(ran.values)) == ("a-1\n[2]\n", "", {"x": 3})
    assert ran.holds("x == 3 and error == ''")
    assert not ran.holds("x == 4")
    assert not ran.holds("never_made == 1")


def test_an_error_is_a_result_and_what_came_before_it_stays():
    ran = snippets.run("x = 1\nprint(x)\nraise ValueError('first\\nsecond')")
    assert (ran.printed, ran.error) == ("1\n", "ValueError: first")
    assert ran.holds("'first' in error and x == 1")


def test_nothing_is_printed_to_the_real_output(capsys):
    snippets.run("print('quiet')")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("folder", "name"), IN_PROCESS)
def test_a_snippet_leaves_the_global_generator_and_the_settings_alone(folder, name):
    before = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()
    snippets.run(snippets.source(folder, name))
    after = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()
    assert torch.equal(before[0], after[0])
    assert before[1:] == after[1:]


def test_no_snippet_loads_what_takes_long():
    """A fresh process runs them all: none brings sympy along, which costs a second and 80 MB."""
    code = """
import sys
from core import snippets
for folder, name in {names}:
    if name == "padding_mask":  # torch checks a padding mask with sympy at hand: half a second, once
        continue
    snippets.run(snippets.source(folder, name))
    assert "sympy" not in sys.modules, (folder, name)
print("done")
"""
    run = subprocess.run(
        [sys.executable, "-c", code.replace("{names}", repr(IN_PROCESS))],
        cwd=snippets.SNIPPETS.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout == "done\n"


@pytest.mark.parametrize(("folder", "name"), IN_PROCESS)
def test_a_snippet_is_short_and_in_english(folder, name):
    text = snippets.source(folder, name)
    assert len(text.splitlines()) <= (45 if folder == "conventions" else 26)
    assert max(map(len, text.splitlines())) <= 120
    assert "`" not in text
    for line in text.splitlines():
        assert line.partition("#")[2].isascii(), line
