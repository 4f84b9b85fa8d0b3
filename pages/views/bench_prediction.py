"""A guess about one row of weights beside what is computed."""

from dataclasses import dataclass

from torch import Tensor

NO_KEY = -1
"""The guess that a query gets nothing from any key."""


@dataclass(frozen=True)
class Guess:
    """Which key gets most (from 0, or ``NO_KEY``), how much that is, and which query (from 0) is spoken of."""

    key: int
    share: float
    query: int


@dataclass(frozen=True)
class Outcome:
    """Every key that gets most (none if the row is empty or no number), how much that is, and what the guessed key
    gets in truth."""

    most: tuple[int, ...]
    largest: float
    of_guessed: float


def outcome(weights: Tensor, guess: Guess) -> Outcome:
    """Judge a guess by the row of weights [n_k]; weights that differ by rounding alone are equal."""
    row = weights.tolist()
    largest = float(weights.max())
    most = tuple(j for j, a in enumerate(row) if largest > 0 and abs(a - largest) <= 1e-9 * largest)
    return Outcome(most, largest, 0.0 if guess.key == NO_KEY else row[guess.key])
