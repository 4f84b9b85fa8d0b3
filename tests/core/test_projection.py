"""P M Pᵀ: the commuting condition from both sides, the measures against plain definitions, the schemes' demands."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions import demands, projection, schemes, shaw, t5
from core.positions.properties import asymmetry, gram_row, toeplitz_share
from core.positions.sinusoidal import encode, frequencies, shift_map
from core.positions.survival import decays, diagonal_means, ranks, row_decay, survival, toeplitz_shares

EVEN = st.integers(1, 6).map(lambda half: 2 * half)
SEED = st.integers(0, 10_000)
CONVENTION = st.sampled_from(["paper", "notes"])


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=generator(seed), dtype=torch.float64)


def turned(m, d_model, convention, shift):
    """Rᵀ M R: the scores of positions that have all moved on by ``shift``."""
    turn = shift_map(shift, d_model, convention)
    return turn.mT @ m @ turn


@given(EVEN, SEED, CONVENTION)
def test_commuting_blocks_make_scores_of_the_distance_and_nothing_else_does(d_model, seed, convention):
    a, b = normal(2, d_model // 2, seed=seed)
    m = projection.commuting(a, b)
    codes = encode(range(9), d_model, convention)
    distance = torch.arange(9)[:, None] - torch.arange(9)
    omega = frequencies(d_model, convention)
    angles = distance[..., None] * omega
    torch.testing.assert_close(projection.scores(codes, m, codes), (a * angles.cos() + b * angles.sin()).sum(-1))
    torch.testing.assert_close(m @ shift_map(3, d_model, convention), shift_map(3, d_model, convention) @ m)
    assert projection.commuting_share(m).item() == pytest.approx(1)
    found_a, found_b = projection.coefficients(m)
    torch.testing.assert_close(found_a, a)
    torch.testing.assert_close(found_b, b)


@pytest.mark.parametrize("d_model", [4, 8, 16])
@pytest.mark.parametrize("convention", ["paper", "notes"])
def test_the_condition_is_exact_the_invariant_matrices_have_d_dimensions(d_model, convention):
    """All of R ᵀ M R − M = 0 as linear equations in M: the rank leaves d of d² dimensions free."""
    basis = torch.eye(d_model**2, dtype=torch.float64).unflatten(1, (d_model, d_model))
    equations = (turned(basis, d_model, convention, 1) - basis).flatten(1)
    sizes = torch.linalg.svdvals(equations)
    assert int((sizes < 1e-9).sum()) == d_model


@given(EVEN.filter(lambda d: d > 2), SEED)
def test_what_is_not_in_commuting_blocks_is_taken_away_as_the_nearest_is_found(d_model, seed):
    m = normal(d_model, d_model, seed=seed)
    nearest = projection.commuting(*projection.coefficients(m))
    assert abs(((m - nearest) * nearest).sum().item()) < 1e-9  # orthogonal: nothing commuting is left over
    share = (nearest.square().sum() / m.square().sum()).item()
    assert projection.commuting_share(m).item() == pytest.approx(share)
    # The average over many shifts is the same projection, found without knowing the blocks.
    shifts = normal(20_000, seed=1) * 1e7
    omega = frequencies(d_model)
    if d_model == 4:
        mean = torch.stack([turned(m, d_model, "paper", s) for s in shifts[:4000].tolist()]).mean(0)
        torch.testing.assert_close(mean, nearest, rtol=0, atol=0.15)
    assert len(omega) == d_model // 2


def test_a_random_matrix_has_one_dth_of_its_energy_in_the_commuting_blocks():
    shares = projection.commuting_share(projection.matrices("untied", 32, 400, generator(), rank=32))
    assert shares.mean().item() == pytest.approx(1 / 32, rel=0.1)


@given(st.integers(-9, 9), CONVENTION, st.sampled_from([16, 64]))
def test_the_turn_by_delta_looks_exactly_delta_back(delta, convention, d_model):
    codes = encode(range(40), d_model, convention)
    m = projection.matrices("shift", d_model, 1, generator(), delta=delta, convention=convention)[0]
    peaks = projection.scores(codes, m, codes).argmax(1)
    for query in range(10, 30):
        assert peaks[query] == query - delta


@pytest.mark.parametrize("kind", projection.KINDS)
def test_each_kind_is_what_its_name_says(kind):
    m = projection.matrices(kind, 12, 3, generator(), rank=4, epsilon=0.5, delta=2)
    assert m.shape == (3, 12, 12)
    symmetric = torch.allclose(m, m.mT)
    assert symmetric == (kind in {"identity", "orthogonal", "positive", "tied"})
    invariant = torch.allclose(projection.commuting_share(m), torch.ones(3, dtype=torch.float64))
    assert invariant == (kind in {"identity", "orthogonal", "positive", "commuting", "shift"})
    assert (projection.commutator_norm(m) < 1e-12).all() == invariant
    if kind in {"tied", "untied"}:
        assert torch.linalg.matrix_rank(m).tolist() == [4] * 3
    if kind == "noisy":
        noise = (m - torch.eye(12, dtype=torch.float64)) / 0.5
        assert noise.std().item() == pytest.approx(12**-0.5, rel=0.15)


@given(st.integers(3, 9), SEED)
def test_the_measures_of_many_are_those_of_each(n, seed):
    matrices = normal(2, 3, n, n, seed=seed)
    found = survival(matrices)
    for place in ((0, 1), (1, 2)):
        assert found.toeplitz[place].item() == pytest.approx(toeplitz_share(matrices[place]))
        assert found.asymmetry[place].item() == pytest.approx(asymmetry(matrices[place]))
        assert found.decay[place].item() == pytest.approx(spearman(matrices[place]))
    means = diagonal_means(matrices[0, 0])
    for offset in range(-(n - 1), n):
        assert means[offset + n - 1].item() == pytest.approx(matrices[0, 0].diagonal(offset).mean().item())


def spearman(matrix):
    """Ranks by counting, correlation by its definition."""
    n = len(matrix)
    pairs = [(matrix[i, j].item(), abs(i - j)) for i in range(n) for j in range(n) if i != j]

    def rank(values):
        return [sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]

    a, b = (rank(side) for side in zip(*pairs, strict=True))
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    top = sum((x - ma) * (y - mb) for x, y in zip(a, b, strict=True))
    return top / math.sqrt(sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_equal_values_share_their_mean_rank(values):
    expected = [sum(w < v for w in values) + (values.count(v) - 1) / 2 for v in values]
    assert ranks(torch.tensor(values, dtype=torch.float64)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(("d_model", "convention"), [(8, "paper"), (64, "notes"), (16, "notes")])
def test_the_decay_of_a_row_is_that_of_its_whole_matrix(d_model, convention):
    row = gram_row(20, d_model, convention)
    index = torch.arange(20)
    matrix = row[(index[:, None] - index).abs()]
    assert row_decay(row) == pytest.approx(spearman(matrix), abs=1e-9)
    assert decays(matrix).item() == pytest.approx(spearman(matrix), abs=1e-9)


def test_measures_of_extremes():
    flat = torch.ones(4, 4, dtype=torch.float64)
    assert (survival(flat).toeplitz.item(), survival(flat).asymmetry.item(), survival(flat).decay.item()) == (1, 0, 0)
    nothing = torch.zeros(2, 4, 4, dtype=torch.float64)
    assert toeplitz_shares(nothing).tolist() == [1, 1]
    fall = -(torch.arange(6)[:, None] - torch.arange(6)).abs().double()
    assert decays(fall).item() == pytest.approx(-1)
    assert decays(-fall).item() == pytest.approx(1)


def test_hidden_pairs_count_in_no_measure():
    full = normal(6, 6)
    distance = (torch.arange(6)[:, None] - torch.arange(6)).abs()
    hidden = distance > 3
    found = survival(full.masked_fill(hidden, -torch.inf))
    zeroed = full.masked_fill(hidden, 0.0)
    assert found.toeplitz.item() == pytest.approx(toeplitz_share(zeroed))
    assert found.asymmetry.item() == pytest.approx(asymmetry(zeroed))
    fall = (-distance.double()).masked_fill(hidden, -torch.inf)
    assert decays(fall).item() == pytest.approx(-1)
    seen = (distance > 0) & ~hidden
    ours, far = ranks(full[seen]), ranks(distance[seen].double())
    assert found.decay.item() == pytest.approx(torch.corrcoef(torch.stack([ours, far]))[0, 1].item())


def test_generic_projections_destroy_what_identity_keeps():
    codes = encode(range(64), 64)
    means = {}
    for kind in ("identity", "untied"):
        found = survival(projection.scores(codes, projection.matrices(kind, 64, 40, generator()), codes))
        means[kind] = [part.mean().item() for part in (found.toeplitz, found.asymmetry, found.decay)]
    assert means["identity"] == pytest.approx([1, 0, row_decay(gram_row(64, 64))], abs=1e-6)
    toeplitz, asymmetric, decay = means["untied"]
    assert toeplitz < 0.5
    assert 1 < asymmetric < 1.5
    assert abs(decay) < 0.1


@given(st.integers(2, 6), EVEN, SEED)
def test_the_four_terms_add_up(n, d_model, seed):
    x, m = normal(n, d_model, seed=seed), normal(d_model, d_model, seed=seed + 1)
    codes = encode(range(n), d_model)
    terms = projection.four_terms(x, codes, m)
    total = terms.content_content + terms.content_position + terms.position_content + terms.position_position
    torch.testing.assert_close(total, (x + codes) @ m @ (x + codes).mT)
    torch.testing.assert_close(terms.position_content, codes @ m @ x.mT)


HEAD = schemes.draw_head(16, 8, 64, generator(1))
TOKENS = normal(24, 16, seed=2)


@pytest.mark.parametrize("scheme", schemes.SCHEMES)
def test_a_schemes_score_is_that_of_its_rule_cell_by_cell(scheme):
    positions = torch.arange(24) + 3
    got = schemes.scores(scheme, TOKENS, positions, HEAD)
    codes = {"sinusoidal": encode(positions, 16), "learned": HEAD.rows[positions]}.get(scheme, torch.zeros(24, 16))
    q, k = (TOKENS + codes) @ HEAD.w_q, (TOKENS + codes) @ HEAD.w_k
    for i in range(24):
        for j in range(24):
            product, added, distance = (q[i] * k[j]).sum().item(), 0.0, j - i
            if scheme == "rope":
                turn = shift_map(distance, 8)  # columns (sin, cos) turn clockwise; q and k the other way round
                product = (q[i] @ turn.mT @ k[j]).item()
            if scheme == "shaw":
                row = min(schemes.CLIP, max(-schemes.CLIP, distance)) + schemes.CLIP
                product += (q[i] * HEAD.shaw[row]).sum().item()
            if scheme == "t5":
                added = HEAD.buckets[t5.bucket(torch.tensor(distance))].item()
            if scheme == "alibi":
                added = -schemes.SLOPE * abs(distance)
            if scheme == "window" and abs(distance) > schemes.RADIUS:
                added = -math.inf
            assert got[i, j].item() == pytest.approx(product / math.sqrt(8) + added, abs=1e-9)


@pytest.mark.parametrize("scheme", schemes.SCHEMES)
def test_the_demands_as_the_schemes_meet_them(scheme):
    absolute, silent = scheme in schemes.ABSOLUTE, scheme == "none"
    order = torch.randperm(24, generator=generator(3))
    assert (demands.rows_apart(scheme, TOKENS[0], 24, HEAD) > 1e-6) == (not silent)
    assert (demands.outputs_apart(scheme, TOKENS[0], 24, HEAD) > 1e-9) == absolute
    assert (demands.shift_change(scheme, TOKENS, (1, 7, 40), HEAD) < 1e-10) == (not absolute)
    assert (demands.permutation_defect(scheme, TOKENS, order, HEAD) < 1e-10) == silent


def test_what_a_longer_text_brings_that_training_had_not():
    def leaving(scheme, trained, tested, head=HEAD):
        found = demands.unseen(scheme, 16, trained, tested, head)
        return found.defined, found.leaving, found.total

    assert leaving("learned", 64, 65)[0] is False
    assert leaving("learned", 32, 64)[0] is True
    assert leaving("none", 64, 256) == leaving("window", 64, 256) == (True, 0, 0)
    assert leaving("alibi", 64, 256) == (True, 1, 1)
    assert leaving("alibi", 64, 64) == (True, 0, 1)
    assert leaving("shaw", 64, 256) == (True, 0, shaw.table_rows(schemes.CLIP))
    assert leaving("shaw", 5, 256) == (True, 2 * (schemes.CLIP - 4), 17)
    # Trained on 64 tokens, T5 never used the bucket from 64 on nor the one from 91 on, on either side.
    assert leaving("t5", 64, 256) == (True, 4, 32)
    assert leaving("t5", 128, 256) == (True, 0, 32)
    assert leaving("rope", 64, 256)[1] > 0
    squeezed = schemes.draw_head(16, 8, 64, generator(1), omega=frequencies(8) / 4)
    short = demands.unseen("rope", 16, 64, 64, squeezed)
    assert short.leaving == 0


def test_bad_input_is_refused():
    refusals = [
        (lambda: projection.matrices("other", 4, 1, generator()), "choice"),
        (lambda: projection.matrices("identity", 5, 1, generator()), "odd_width"),
        (lambda: projection.matrices("tied", 4, 1, generator(), rank=0), "range"),
        (lambda: projection.coefficients(torch.zeros(2, 4)), "shape"),
        (lambda: survival(torch.zeros(2, 2)), "shape"),
        (lambda: row_decay(torch.zeros(2)), "shape"),
        (lambda: schemes.scores("other", TOKENS, torch.arange(24), HEAD), "choice"),
        (lambda: schemes.scores("learned", TOKENS, torch.arange(24) + 60, HEAD), "range"),
        (lambda: schemes.draw_head(4, 3, 8, generator()), "odd_head"),
        (lambda: demands.permutation_defect("none", TOKENS, torch.zeros(24, dtype=torch.long), HEAD), "shape"),
        (lambda: demands.unseen("rope", 4, 8, 4, HEAD), "range"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
