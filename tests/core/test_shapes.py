"""Leading axes broadcast as torch says, without what torch imports to say it."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.attention.shapes import broadcast_shape, broadcasts_to

SHAPES = st.lists(st.lists(st.integers(0, 3), max_size=4).map(tuple), min_size=1, max_size=3)
ROOT = Path(__file__).resolve().parents[2]


@given(SHAPES)
def test_shapes_broadcast_as_torch_says(shapes):
    try:
        expected = torch.broadcast_shapes(*shapes)
    except RuntimeError:
        with pytest.raises(RuntimeError):
            broadcast_shape(*shapes)
        return
    assert broadcast_shape(*shapes) == expected


@given(SHAPES)
def test_a_shape_broadcasts_to_what_it_does_not_enlarge(shapes):
    shape, target = shapes[0], shapes[-1]
    try:
        fits = torch.empty(shape).expand(target).shape == torch.Size(target)
    except RuntimeError:
        fits = False
    assert broadcasts_to(shape, target) == fits


def loaded(code: str) -> bool:
    """Return whether ``code`` brings sympy into a fresh interpreter."""
    program = f"import sys\n{code}\nprint('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip() == "True"


def test_attention_brings_no_sympy_into_the_server():
    make = "import torch\nq = torch.ones(3, 2)\n"
    assert not loaded(f"{make}from core.attention.dot_product import attend, fused_output\nattend(q, q, q)")
    assert loaded(f"{make}torch.broadcast_shapes((3, 2), (2,))")
