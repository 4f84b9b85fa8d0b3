"""A small recall task: how far back does a layer find what it is asked for, after a few hundred steps of training?

A sequence holds random symbols; exactly one of them is flagged, ``distance`` positions before the last. Asked, at the
last position, is the flagged symbol. Every token is one-hot with the flag as one more number. The model is

    token → Linear → one layer of width d → state (or output of the last query) → Linear → symbols

with that layer a tanh RNN, an LSTM, an LSTM whose forget bias starts higher by 3, or one attention head without any
position code, which the task does not need. Training sequences draw the distance uniformly from 1 … n − 1; Adam, cross
entropy. The share of right answers is measured on fresh sequences at fixed distances. Guessing is right in 1/symbols.
Axes: batch, n = tokens, d = width.
Source: the definition; a variant of the recall tasks of Hochreiter and Schmidhuber 1997.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core import device as devices
from core.adam import Adam
from core.complexity import modules
from core.errors import require_choice, require_range

MODELS = {"rnn": ("rnn", 0), "lstm": ("lstm", 0), "lstm_open": ("lstm", 3), "attention": ("attention", 0)}
N_SYMBOLS = 8
CHANCE = 1 / N_SYMBOLS
MAX_TOKENS = 128


@dataclass(frozen=True)
class Plan:
    """What is trained: every model of ``models`` under every seed, on ``n`` tokens; tests at ``distances``."""

    models: tuple[str, ...] = tuple(MODELS)
    seeds: tuple[int, ...] = (0, 1, 2)
    n: int = 33
    d: int = 32
    distances: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    steps: int = 300
    every: int = 20
    batch: int = 64
    tests: int = 64
    rate: float = 0.01


@dataclass(frozen=True)
class Point:
    """Shares of right answers at the plan's distances after ``step`` steps; ``done`` is the share of the plan."""

    model: str
    seed: int
    step: int
    right: tuple[float, ...]
    done: float


class Recaller(torch.nn.Module):
    """Token → Linear → layer → Linear, [batch, n, symbols + 1] → [batch, symbols]."""

    def __init__(self, model: str, d: int, generator: torch.Generator) -> None:
        super().__init__()
        kind, forget = MODELS[model]
        self.read = modules.linear(N_SYMBOLS + 1, d, generator)
        self.layer: torch.nn.Module = (
            modules.attention(d, 1, generator)
            if kind == "attention"
            else modules.recurrent(kind, d, d, generator, forget=forget)
        )
        self.answer = modules.linear(d, N_SYMBOLS, generator)

    def forward(self, tokens: Tensor) -> Tensor:
        """Answer at the last position."""
        x = self.read(tokens)
        if isinstance(self.layer, torch.nn.MultiheadAttention):
            last: Tensor = self.layer(x[:, -1:], x, x, need_weights=False)[0][:, 0]
        else:
            last = self.layer(x)[0][:, -1]
        answer: Tensor = self.answer(last)
        return answer


def draw(n: int, distance: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Sequences with the flag ``distance`` [batch] before the last: tokens [batch, n, symbols + 1], answers [batch]."""
    symbols = torch.randint(N_SYMBOLS, (len(distance), n), generator=generator)
    place = (n - 1 - distance).unsqueeze(1)
    flags = torch.zeros(len(distance), n, 1).scatter_(1, place.unsqueeze(2), 1.0)
    tokens = torch.cat((torch.nn.functional.one_hot(symbols, N_SYMBOLS).float(), flags), dim=2)
    return tokens, symbols.gather(1, place).squeeze(1)


def train(plan: Plan, device: str = "cpu") -> Iterator[Point]:
    """Train model after model, seed by seed, and yield a point at the start and every ``every`` steps.

    Random numbers come from CPU generators seeded by the plan. Raises InputError("range", "choice") at the first step
    for a plan that is too large or names something else.
    Source: module docstring; Adam as in Kingma and Ba 2015.
    """
    _require(plan)
    runs = [(model, seed) for seed in plan.seeds for model in plan.models]
    for place, (model, seed) in enumerate(runs):
        for step, right in _train_one(plan, model, seed, device):
            yield Point(model, seed, step, right, (place + step / plan.steps) / len(runs))


def _train_one(plan: Plan, model: str, seed: int, device: str) -> Iterator[tuple[int, tuple[float, ...]]]:
    generator = devices.generator(seed)
    recaller = Recaller(model, plan.d, generator).to(device)
    adam = Adam(recaller.parameters(), plan.rate)
    tests = draw(plan.n, torch.tensor(plan.distances).repeat_interleave(plan.tests), devices.generator(10_000 + seed))
    yield 0, _right(recaller, tests, len(plan.distances), device)
    for step in range(1, plan.steps + 1):
        distance = torch.randint(1, plan.n, (plan.batch,), generator=generator)
        tokens, answers = draw(plan.n, distance, generator)
        loss = torch.nn.functional.cross_entropy(recaller(tokens.to(device)), answers.to(device))
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(recaller.parameters(), 1.0)
        adam.step()
        if step % plan.every == 0 or step == plan.steps:
            yield step, _right(recaller, tests, len(plan.distances), device)


@torch.no_grad()
def _right(recaller: Recaller, tests: tuple[Tensor, Tensor], n_distances: int, device: str) -> tuple[float, ...]:
    """Shares of right answers, distance by distance."""
    tokens, answers = tests
    hits = recaller(tokens.to(device)).argmax(dim=1).cpu() == answers
    return tuple(hits.view(n_distances, -1).float().mean(dim=1).tolist())


def _require(plan: Plan) -> None:
    for model in plan.models:
        require_choice("model", model, tuple(MODELS))
    require_range("runs", len(plan.models) * len(plan.seeds), 1, 64)
    require_range("n", plan.n, 2, MAX_TOKENS)
    for distance in plan.distances:
        require_range("distance", distance, 1, plan.n - 1)
    require_range("steps", plan.steps, 1, 2000)
    require_range("every", plan.every, 1, plan.steps)
    require_range("batch", plan.batch, 1, 1024)
    require_range("tests", plan.tests, 1, 1024)
