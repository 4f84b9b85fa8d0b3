"""The width above which attention needs less, against counting width by width and against the crossover in length."""

import pytest

from core.complexity.counts import (
    EVERYTHING,
    MATRIX_PRODUCTS,
    NOTES_LISTING,
    RIVALS,
    attention_terms,
    crossover,
    rnn_terms,
    width_crossover,
)
from core.errors import InputError

COUNTS = {"listing": NOTES_LISTING, "matrix": MATRIX_PRODUCTS, "everything": EVERYTHING}


def cheaper(n: int, d: int, counted: frozenset[str], rival: str, n_heads: int) -> bool:
    ours, theirs = attention_terms(n, d, n_heads), rnn_terms(n, d, *RIVALS[rival])
    return sum(ours[name] for name in ours if name in counted) < sum(theirs[name] for name in theirs if name in counted)


@pytest.mark.parametrize("n_heads", [1, 4])
@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("counted", COUNTS)
@pytest.mark.parametrize("n", [1, 37, 256])
def test_counting_width_by_width_finds_the_same(n: int, counted: str, rival: str, n_heads: int) -> None:
    found = width_crossover(n, COUNTS[counted], rival, n_heads)
    for d in range(n_heads, 4 * n + 64, n_heads):
        assert cheaper(n, d, COUNTS[counted], rival, n_heads) == (found is not None and d > found), (d, found)


@pytest.mark.parametrize("rival", ["gru", "lstm", "bigru", "bilstm"])
def test_it_undoes_the_crossover_in_length(rival: str) -> None:
    for d in (16, 64, 1024):
        n = crossover(d, MATRIX_PRODUCTS, rival)
        assert n is not None
        assert width_crossover(int(n), MATRIX_PRODUCTS, rival) == pytest.approx(d)


def test_counts_without_a_square_term() -> None:
    assert width_crossover(8, {"biases"}, "gru") == 0.0  # 6·n·d against 4·n·d
    assert width_crossover(8, {"biases"}, "rnn") is None
    assert width_crossover(8, {"softmax"}, "lstm") is None
    assert width_crossover(6, {"softmax", "gates"}, "lstm") == pytest.approx(6 * 6 / 9)


def test_what_is_refused() -> None:
    with pytest.raises(InputError):
        width_crossover(8, MATRIX_PRODUCTS, "transformer")
    with pytest.raises(InputError):
        width_crossover(8, {"dropout"})
    with pytest.raises(InputError):
        width_crossover(0, MATRIX_PRODUCTS)
