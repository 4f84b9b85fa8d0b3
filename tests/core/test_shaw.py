"""Shaw's clipped table against a loop over queries and keys; learned tables end where they end."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions import learned, shaw


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 4), st.integers(1, 4), st.sampled_from([(), (2,), (2, 3)]))
def test_each_score_is_a_product_with_its_own_row(device, n_q, more, k, d, leading):
    n_k = n_q + more
    generator = torch.Generator().manual_seed(0)
    q = torch.randn(*leading, n_q, d, generator=generator, dtype=torch.float64)
    table = torch.randn(shaw.table_rows(k), d, generator=generator, dtype=torch.float64)
    rows = shaw.index(n_q, n_k, k)
    got = shaw.scores(q.to(device), rows.to(device), table.to(device)).cpu()
    assert got.shape == (*leading, n_q, n_k)
    for i in range(n_q):
        for j in range(n_k):
            own = min(k, max(-k, j - (i + more)))
            assert rows[i, j] == own + k
            torch.testing.assert_close(got[..., i, j], (q[..., i, :] * table[own + k]).sum(-1))


@given(st.integers(1, 6), st.integers(0, 4))
def test_decoding_reads_the_last_rows_of_the_whole(n, k):
    whole = shaw.index(6, 6, k)
    assert torch.equal(shaw.index(n, 6, k), whole[6 - n :])
    assert whole.max() <= shaw.table_rows(k) - 1


def test_a_learned_table_is_looked_up_and_ends():
    rows = learned.table(5, 3, torch.Generator().manual_seed(1))
    assert torch.equal(learned.encode(torch.tensor([4, 0]), rows), rows[[4, 0]])
    for beyond in (5, -1):
        with pytest.raises(InputError) as refusal:
            learned.encode(torch.tensor([0, beyond]), rows)
        assert (refusal.value.code, refusal.value.values["value"]) == ("range", beyond)
    drawn = learned.table(2000, 8, torch.Generator().manual_seed(1))
    assert drawn.std().item() == pytest.approx(0.02, rel=0.05)


def test_bad_input_is_refused():
    refusals = [
        (lambda: shaw.index(3, 2, 1), "range"),
        (lambda: shaw.index(1, 1, -1), "range"),
        (lambda: shaw.scores(torch.zeros(2, 3), shaw.index(2, 2, 1), torch.zeros(3, 4)), "width"),
        (lambda: learned.encode(torch.tensor([0.5]), torch.zeros(2, 2)), "integers"),
        (lambda: learned.table(0, 2, torch.Generator()), "range"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
