"""Adam: step by step what torch's own does, and nothing of the compiler that torch's own loads."""

import subprocess
import sys

import pytest
import torch

from core.adam import Adam


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("rate", [1e-3, 0.1])
def test_every_step_is_torchs(dtype: torch.dtype, rate: float) -> None:
    generator = torch.Generator().manual_seed(0)
    start = [torch.randn(3, 4, generator=generator, dtype=dtype), torch.randn(5, generator=generator, dtype=dtype)]
    ours, theirs = ([each.clone().requires_grad_() for each in start] for _ in range(2))
    own, other = Adam(ours, rate), torch.optim.Adam(theirs, lr=rate)
    target = torch.randn(3, 5, generator=generator, dtype=dtype)
    for _ in range(25):
        for weights, optimizer in ((ours, own), (theirs, other)):
            optimizer.zero_grad()
            ((weights[0].sum(1, keepdim=True) * weights[1] - target) ** 4).sum().backward()
            optimizer.step()
        for one, two in zip(ours, theirs, strict=True):
            assert torch.allclose(one, two, rtol=0, atol=1e-12 if dtype == torch.float64 else 2e-6)


def test_a_weight_without_a_gradient_stays() -> None:
    still, moved = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    adam = Adam([still, moved], 0.1)
    moved.sum().backward()
    adam.step()
    assert still.tolist() == [1, 1]
    assert moved.detach().tolist() == pytest.approx([0.9, 0.9])
    adam.zero_grad()
    assert moved.grad is None


def test_trainings_and_modules_load_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "import torch\n"
        "from core.complexity import recall\n"
        "from core.attention import alignment\n"
        "from core.positions import extrapolation, training\n"
        "next(iter(recall.train(recall.Plan())))\n"
        "next(iter(training.train_head(training.HeadPlan())))\n"
        "next(iter(alignment.train(alignment.Plan(every=1))))\n"
        "next(iter(extrapolation.train(extrapolation.Plan(every=1))))\n"
        "from core.complexity import modules\n"
        "modules.attention(8, 2, torch.Generator())\n"
        "modules.recurrent('lstm', 4, 4, torch.Generator())\n"
        "assert 'torch._dynamo' not in sys.modules, 'a compiler is loaded'\n"
        "assert 'sympy' not in sys.modules, 'a symbolic algebra system is loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
