"""FlexAttention against plain attention under the same mask, and its blocks against those that the mask touches."""

import subprocess
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attention import flex, masks, patterns
from core.attention.dot_product import attend
from core.complexity import cheaper_timing
from core.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")


def painted(n):
    """Cells as somebody paints them, some rows without any."""
    cells = torch.rand(n, n, generator=torch.Generator().manual_seed(n)) < 0.2
    cells[:: max(2, n // 3)] = False
    return cells


def drawn(n):
    return patterns.random(n, 3, torch.Generator().manual_seed(n))


PATTERNS = {
    "full": (lambda n, device: flex.full(), patterns.full),
    "causal": (lambda n, device: flex.causal(), lambda n: masks.causal(n, n)),
    "window": (lambda n, device: flex.window(5), lambda n: patterns.window(n, 5)),
    "itself": (lambda n, device: flex.window(0), lambda n: patterns.window(n, 0)),
    "dilated": (lambda n, device: flex.dilated(3, 4), lambda n: patterns.dilated(n, 3, 4)),
    "strided": (lambda n, device: flex.strided(7), lambda n: patterns.strided(n, 7)),
    "global": (lambda n, device: flex.global_tokens(2), lambda n: patterns.global_tokens(n, 2)),
    "block": (lambda n, device: flex.blocks(20), lambda n: patterns.blocks(n, 20)),
    "random": (lambda n, device: flex.table(drawn(n).to(device)), drawn),
    "painted": (lambda n, device: flex.table(painted(n).to(device)), painted),
    "decoder": (lambda n, device: flex.both(flex.strided(9), flex.causal()), lambda n: patterns.strided(n, 9).tril()),
    "joined": (
        lambda n, device: flex.either(flex.window(3), flex.global_tokens(1)),
        lambda n: patterns.either(patterns.window(n, 3), patterns.global_tokens(n, 1)),
    ),
}
LENGTHS = [1, 31, 129, 300]
each_pattern = pytest.mark.parametrize("name", PATTERNS)


def operands(device, leading, n_q, n_k, d_k=16, d_v=16, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shapes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    return [torch.randn(*leading, *shape, generator=generator).to(device) for shape in shapes]


def plain(q, k, v, keep, scale=None):
    return attend(q.double(), k.double(), v.double(), keep.to(q.device), scale).output


def pooled(keep, block):
    """Which blocks of a mask hold a kept pair, by hand."""
    n_q, n_k = keep.shape
    return [
        [bool(keep[i : i + block, j : j + block].any()) for j in range(0, n_k, block)] for i in range(0, n_q, block)
    ]


@each_pattern
def test_a_rule_keeps_what_the_mask_of_its_name_keeps(name, device):
    rule, mask = PATTERNS[name]
    for n in LENGTHS:
        i = torch.arange(n, device=device)
        here = torch.zeros((), dtype=torch.long, device=device)
        kept = rule(n, device)(here, here, i[:, None], i[None, :]).expand(n, n)
        assert torch.equal(kept.cpu(), mask(n))


@each_pattern
@pytest.mark.parametrize("n", LENGTHS)
def test_it_is_attention_under_the_same_mask(name, n, device):
    rule, mask = PATTERNS[name]
    q, k, v = operands(device, (2, 3), n, n)
    found = flex.attend_flex(q, k, v, rule(n, device))
    assert (found.shape, found.dtype, found.device) == (v.shape, torch.float32, q.device)
    assert (found - plain(q, k, v, mask(n))).abs().max() < 1e-6


@settings(max_examples=20)
@given(
    leading=st.sampled_from([(), (2,), (2, 3), (2, 1, 3)]),
    n_q=st.integers(1, 200),
    n_k=st.integers(1, 200),
    d_k=st.integers(1, 24),
    d_v=st.integers(1, 24),
    seed=st.integers(0, 100),
)
def test_all_shapes_with_queries_and_keys_of_different_number(leading, n_q, n_k, d_k, d_v, seed):
    q, k, v = operands("cpu", leading, n_q, n_k, d_k, d_v, seed)
    keep = torch.rand(n_q, n_k, generator=torch.Generator().manual_seed(seed)) < 0.3
    found = flex.attend_flex(q.double(), k.double(), v.double(), flex.table(keep))
    assert found.shape == (*leading, n_q, d_v)
    assert (found - plain(q, k, v, keep)).abs().max() < 1e-12


def test_queries_and_keys_may_have_leading_axes_of_their_own(device):
    q, k, v = operands(device, (), 40, 40)
    q, v = torch.stack([q, 2 * q])[:, None], torch.stack([v, v + 1, -v])
    found = flex.attend_flex(q, k, v, flex.window(4))
    assert found.shape == (2, 3, 40, 16)
    assert (found - plain(q, k, v, patterns.window(40, 4))).abs().max() < 1e-6


@pytest.mark.parametrize("scale", [0.0, 0.5, -0.25])
def test_the_scale_is_taken(scale, device):
    q, k, v = operands(device, (), 33, 33)
    found = flex.attend_flex(q, k, v, flex.strided(4), scale=scale)
    assert (found - plain(q, k, v, patterns.strided(33, 4), scale)).abs().max() < 1e-6


def test_causal_queries_are_the_last_positions_by_their_offset(device):
    q, k, v = operands(device, (), 20, 150)
    found = flex.attend_flex(q, k, v, flex.causal(130))
    assert (found - plain(q, k, v, masks.causal(20, 150))).abs().max() < 1e-6


def test_a_query_that_may_look_at_nothing_is_zero_as_ours_is(device):
    keep = patterns.window(140, 3)
    keep[[0, 17, 139]] = False
    keep[:, 50] = False
    q, k, v = operands(device, (2,), 140, 140)
    found = flex.attend_flex(q, k, v, flex.table(keep.to(device)))
    assert (found[:, [0, 17, 139]] == 0).all()
    assert (found - plain(q, k, v, keep)).abs().max() < 1e-6
    nothing = flex.attend_flex(q, k, v, flex.table(torch.zeros_like(keep).to(device)))
    assert (nothing == 0).all()


@each_pattern
@pytest.mark.parametrize("block", [16, 64, 128])
def test_the_blocks_that_are_worked_out_are_those_that_the_pattern_touches(name, block, device):
    rule, mask = PATTERNS[name]
    for n in (1, 64, 130, 300):
        found = flex.blocked(rule(n, device), n, n, device, block)
        by_hand = pooled(mask(n), block)
        assert flex.touched(found) == sum(map(sum, by_hand))
        assert found.to_dense().flatten(0, 2).bool().tolist() == by_hand


@pytest.mark.parametrize(("n", "radius", "expected"), [(1024, 64, 22), (1024, 1, 22), (1024, 0, 8), (4096, 64, 94)])
def test_a_window_touches_a_band_of_blocks(n, radius, expected):
    """Of 128 × 128 blocks a window up to 128 touches the diagonal and its two neighbours: 3·(n/128) − 2."""
    assert flex.touched(flex.blocked(flex.window(radius), n, n)) == expected


def test_what_is_blocked_once_serves_again(device):
    mask = flex.blocked(flex.window(5), 200, 200, device)
    for seed in range(2):
        q, k, v = operands(device, (2,), 200, 200, seed=seed)
        assert torch.equal(flex.attend_flex(q, k, v, mask), flex.attend_flex(q, k, v, flex.window(5)))
    q, k, v = operands(device, (), 100, 100)
    with pytest.raises(InputError) as caught:
        flex.attend_flex(q, k, v, mask)
    assert caught.value.code == "shape"


def test_half_precision_is_computed_in_float32_and_double_in_double(device):
    q, k, v = operands(device, (), 50, 50)
    half = [each.half() for each in (q, k, v)]
    found = flex.attend_flex(*half, flex.causal())
    assert found.dtype == torch.float32
    assert (found - plain(*half, masks.causal(50, 50))).abs().max() < 1e-6
    found = flex.attend_flex(q.double(), k.double(), v.double(), flex.causal())
    assert found.dtype == torch.float64
    assert (found - plain(q, k, v, masks.causal(50, 50))).abs().max() < 1e-14


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: flex.window(-1), "range"),
        (lambda: flex.dilated(1, 0), "range"),
        (lambda: flex.strided(0), "range"),
        (lambda: flex.blocks(0), "range"),
        (lambda: flex.global_tokens(-1), "range"),
        (lambda: flex.table(torch.ones(2, 2)), "mask_dtype"),
        (lambda: flex.table(torch.ones(2, 2, 2, dtype=torch.bool)), "shape"),
        (lambda: flex.blocked(flex.full(), 0, 4), "range"),
        (lambda: flex.attend_flex(torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 4), flex.full()), "width"),
        (lambda: flex.attend_flex(torch.ones(2, 3), torch.ones(2, 3), torch.ones(3, 3), flex.full()), "rows"),
        (lambda: flex.attend_flex(torch.ones(2), torch.ones(2, 3), torch.ones(2, 3), flex.full()), "shape"),
    ],
)
def test_what_cannot_be_is_refused(make, code):
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.code == code


def test_it_compiles_of_its_own_accord_on_cuda_only_and_where_there_is_a_kernel():
    assert flex.compiles("cuda") and flex.compiles("cuda:1", torch.float32, 16)
    assert not flex.compiles("cpu") and not flex.compiles("mps")
    assert not flex.compiles("cuda", torch.float64) and not flex.compiles("cuda", torch.float32, 8)


def test_the_compiled_function_is_taken_where_it_is_asked_for(monkeypatch):
    taken = []

    def compiled(q, k, v, block_mask, scale):
        taken.append((q.shape, flex.touched(block_mask), scale))
        return v

    monkeypatch.setattr(flex, "_kernel", lambda: compiled)
    q, k, v = operands("cpu", (3,), 20, 20)
    assert torch.equal(flex.attend_flex(q, k, v, flex.causal(), compiled=True), v)
    assert taken == [(torch.Size([1, 3, 20, 16]), 1, 0.25)]
    flex.attend_flex(q, k, v, flex.causal())
    assert len(taken) == 1


def test_what_is_timed_on_cuda_is_what_is_timed_here_by_another_kernel(device, monkeypatch):
    monkeypatch.setattr(flex, "has_compiler", lambda: True)
    inputs = torch.randn(3, 300, 64, generator=torch.Generator().manual_seed(0)).to(device)
    own = {name: way(*inputs) for name, way in cheaper_timing.ways().items()}
    found = {name: call() for name, call in cheaper_timing.cuda_ways(inputs).items()}
    assert tuple(found) == cheaper_timing.CUDA_WAYS
    assert (found["flex_window"] - own["window"]).abs().max() < 1e-6
    assert (found["flex_strided"] - own["strided"]).abs().max() < 1e-6
    assert found["half"].dtype == torch.bfloat16
    assert (found["half"] - own["fused"]).abs().max() < 2e-2
    monkeypatch.setattr(flex, "has_compiler", lambda: False)
    assert tuple(cheaper_timing.cuda_ways(inputs)) == ("half",)


def test_compiling_is_outside_the_measured_time_and_the_budget(monkeypatch):
    asked = []
    first, others = {"half": lambda: None, "flex_window": lambda: None}, {"plain": lambda: None}
    monkeypatch.setattr(cheaper_timing, "calls", lambda inputs: others | first)
    monkeypatch.setattr(cheaper_timing, "_seconds", lambda call, device: asked.append(call) or 0.5)
    results = list(cheaper_timing.measure(rounds=1, longest=256, budget_seconds=2.9))
    assert [(each.way, each.round) for each in results] == [
        *(("plain", 0), ("half", 0), ("flex_window", 0)), *(("flex_window", 1), ("half", 1), ("plain", 1)),
    ]  # fmt: skip
    plain, half, window = others["plain"], first["half"], first["flex_window"]
    assert asked == [plain, half, half, window, window, window, half, plain]


def test_what_is_offered_depends_on_the_kind_of_device_alone():
    assert cheaper_timing.offered("cuda") == cheaper_timing.offered("cuda:0") == cheaper_timing.KNOWN
    assert cheaper_timing.offered("cpu") == cheaper_timing.offered("mps") == cheaper_timing.WAYS
    assert [way for way, _ in cheaper_timing.setting("cpu").kernels] == list(cheaper_timing.WAYS)


def loads(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


IMPORTED = (
    "import importlib, pkgutil, sys\n"
    "import core.attention, core.complexity, pages.views\n"
    "for package in (core.attention, core.complexity, pages.views):\n"
    "    for found in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
    "        importlib.import_module(found.name)\n"
    "from core.complexity import cheaper_timing\n"
    "from core.attention import flex\n"
    "rules = flex.window(3), flex.compiles('cuda')\n"
    "assert len(list(cheaper_timing.measure(rounds=1, longest=256))) > 6\n"
)
NO_COMPILER = "assert 'torch._dynamo' not in sys.modules, 'a compiler is loaded'\n"


def test_importing_and_measuring_on_a_processor_load_no_compiler():
    passed, said = loads(IMPORTED + NO_COMPILER)
    assert passed, said


def test_the_test_of_the_compiler_can_fail():
    passed, said = loads("import sys, torch._dynamo\n" + NO_COMPILER)
    assert not passed and "a compiler is loaded" in said
