"""What the notes ask and suspect about position codes after the projections, answered by what is computed."""

from dataclasses import dataclass

import torch

from core.claims import printed
from core.claims.compare import Verdict
from core.positions import demands, projection, schemes
from core.positions.properties import gram_row
from core.positions.survival import row_decay, toeplitz_shares
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, thousands
from pages.views import relative_positions as view
from pages.views.relative_positions import Band, Params

USUAL = (64, 64, 16)
"""n, d and d_k at which the notes are answered."""
TESTED = 256
"""A length that training never saw, beside ``view.TRAINED``."""
ASKED = 32
"""Tokens on which the demands are measured: some queries of a window then see other keys than others."""
SHIFTS = (1, 7, 32)
"""Common shifts that a learned table still has rows for."""
HEAD, DRAWS = 64, 8
"""The usual head width, and how many heads are drawn at the usual model width."""


@dataclass(frozen=True)
class Statement:
    """One statement of the notes: its id, the values that its labels are filled with, and the verdict on it."""

    name: str
    verdict: Verdict
    values: dict[str, str]


@dataclass(frozen=True)
class Demand:
    """One scheme against the demands: numbers ready to be read, and whether each is met (yes, partly or no)."""

    scheme: str
    rows: str
    outputs: str
    apart: str
    change: float
    changed: str
    same: str
    unseen: str
    defined: bool
    lengths: str
    permuted: str
    ordered: str
    decay: str
    falling: str
    heads: int


def usual(omega: str) -> Params:
    """Return the sizes at which the notes are answered, whatever the page is set to; only the frequencies are its own.

    A law is not to be read off a short text or a thin head, and what is measured once serves all visitors.
    """
    return Params("", "", *USUAL, 0.0, 0, omega, 0, "", 0, "", "none", 1, 0)


def statements(params: Params) -> tuple[Statement, ...]:
    """Answer the notes at this width, length, rank and frequencies."""
    return (
        _survive(params),
        _almost(params),
        _commute(params),
        _content(params),
        _variants(params),
    )


def _survive(params: Params) -> Statement:
    kept, lost = view.bands(params, "identity"), view.bands(params, "untied")
    values = {
        **{f"kept_{name}": fixed(band.mean, 2) for name, band in kept.items()},
        **{f"lost_{name}": spread(band) for name, band in lost.items()},
        **{f"any_{name}": spread(band) for name, band in view.bands(params, "commuting").items()},
        **{f"positive_{name}": spread(band) for name, band in view.bands(params, "positive").items()},
        "draws": str(lost["decay"].count),
    }
    return Statement("survive", "open", values)


def _almost(params: Params) -> Statement:
    found = {kind: view.bands(params, kind)["decay"] for kind in ("untied", "tied", "positive")}
    lost = abs(found["untied"].mean) < abs(found["tied"].mean)
    return Statement("almost", "only_if" if lost else "open", {kind: spread(band) for kind, band in found.items()})


def _commute(params: Params) -> Statement:
    found = {kind: view.bands(params, kind) for kind in ("orthogonal", "untied")}
    values = {
        "shared": fixed(found["orthogonal"]["toeplitz"].mean, 2),
        "share": significant(found["untied"]["commuting"].mean, 2),
        "d": str(params.d),
        "all": thousands(params.d**2),
    }
    return Statement("commute", "only_if", values)


@remember(64)
def _content_split(n: int, d: int, omega: str) -> dict[str, str]:
    """Average the four energies over draws of an unrelated M and of tokens N(0, 1)."""
    p = view.codes(n, d, omega)
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(8, n, d, generator=generator, dtype=torch.float64)
    m = projection.matrices("untied", d, 8, generator, rank=d, convention=omega)
    found = vars(projection.four_terms(x, p.expand_as(x), m))
    energy = {name: float(part.square().sum()) for name, part in found.items()}
    return {name: fixed(100 * part / sum(energy.values()), 0) for name, part in energy.items()}


def _content(params: Params) -> Statement:
    return Statement("content", "open", _content_split(min(params.n, 32), params.d, params.omega))


def _variants(params: Params) -> Statement:
    found = {
        name: view.scheme_decay(name, params.d, params.rank, ASKED, params.omega) for name in ("rope", "alibi", "t5")
    }
    changes = {row.scheme: row.changed for row in measured_demands(params.d, params.rank, 0, params.omega)}
    values = {name: spread(band) for name, band in found.items()}
    return Statement("variants", "open", values | {"change": changes["rope"], "draws": str(found["rope"].count)})


def at_size(omega: str) -> dict[str, str]:
    """Return the decay of P Pᵀ itself at the usual width over as many positions, in each convention.

    Beside it, in the page's, the Toeplitz share that unrelated projections to the usual head width leave there.
    """
    size = printed.DEFAULT_D_MODEL
    decay = {line: _own_decay(size, line) for line in view.CONVENTIONS}
    return {"size": str(size), "head": str(HEAD), "lost": spread(_lost(size, omega)), "draws": str(DRAWS)} | decay


@remember(4)
def _lost(size: int, omega: str) -> Band:
    p, shares = view.codes(size, size, omega), []
    for seed in range(DRAWS):
        w_q, w_k = torch.randn(2, size, HEAD, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        shares.append(toeplitz_shares((p @ w_q) @ (p @ w_k).mT))
    return view.band(torch.stack(shares))


@remember(4)
def _own_decay(size: int, convention: str) -> str:
    return fixed(row_decay(gram_row(size, size, convention)), 2)


@remember(128)
def measured_demands(d: int, rank: int, seed: int, omega: str) -> tuple[Demand, ...]:
    """Measure the notes' demands and order for every scheme, on one head and the same tokens."""
    return tuple(_demand(name, d, rank, seed, omega) for name in schemes.SCHEMES)


def _demand(name: str, d: int, rank: int, seed: int, omega: str) -> Demand:
    own, x = view.head(d, rank, seed, "none", 1), view.sequence(ASKED, d, seed, "drawn")
    order = torch.randperm(ASKED, generator=torch.Generator().manual_seed(2000 + seed))
    rows = demands.rows_apart(name, x[0], ASKED, own, omega)
    outputs = demands.outputs_apart(name, x[0], ASKED, own, omega)
    change = demands.shift_change(name, x, SHIFTS, own, omega)
    new = demands.unseen(name, d, view.TRAINED, TESTED, own, omega)
    permuted = demands.permutation_defect(name, x, order, own, omega)
    decay = view.scheme_decay(name, d, rank, ASKED, omega)
    return Demand(
        name,
        rows=_small(rows),
        outputs=_small(outputs),
        apart="yes" if outputs > view.ROUNDING else "partly" if rows > view.ROUNDING else "no",
        change=change,
        changed=_small(change),
        same="yes" if change < view.ROUNDING else "no",
        unseen=f"{new.leaving}/{new.total}" if new.total else "0",
        defined=new.defined,
        lengths=in_range(new),
        permuted=_small(permuted),
        ordered="yes" if permuted > view.ROUNDING else "no",
        decay=spread(decay),
        falling="yes" if decay.high < -0.5 else "partly" if decay.mean + 3 * decay.error < 0 else "no",
        heads=decay.count,
    )


def in_range(found: demands.Unseen) -> str:
    """Tell whether the numbers that carry positions stay in their trained range: none leaves, some leave, all do."""
    if not found.defined or 0 < found.total == found.leaving:
        return "no"
    return "partly" if found.leaving else "yes"


def spread(band: Band) -> str:
    """Write a mean and its standard error."""
    return fixed(band.mean, 2) if band.count == 1 else f"{fixed(band.mean, 2)} ± {fixed(band.error, 2)}"


def _small(value: float) -> str:
    return significant(value, 2)


def about(look: str, params: Params) -> dict[str, str]:
    """Return the numbers in the words about a look."""
    if look == "families":
        return at_size(params.omega) | {kind: _small(gap) for kind, gap in shortfalls(params).items()}
    if look == "terms":
        return {"strength": significant(params.content / 100, 2)}
    return {}


def shortfalls(params: Params) -> dict[str, float]:
    """Return by how much each random kind that need not commute falls short of a Toeplitz share of 1, on average."""
    gaps = {kind: 1 - view.bands(params, kind)["toeplitz"].mean for kind in ("noisy", "tied", "untied")}
    return {kind: gap if gap > view.ROUNDING else 0.0 for kind, gap in gaps.items()}


def short_of_one(params: Params) -> dict[str, str]:
    """Return the least and the greatest shortfall among the kinds whose draws do not commute with the shifts."""
    gaps = [gap for kind, gap in shortfalls(params).items() if view.bands(params, kind)["commuting"].low < 1 - 1e-9]
    return {"least": _small(min(gaps)), "most": _small(max(gaps))}


def decides(n: int, d: int) -> str:
    """Tell whether n positions have a Toeplitz S only if M commutes: the codes of all but the last must span R^d.

    Over n ≤ d positions some M that does not commute gives a Toeplitz S as well; p_t = Rᵗ p₀ with a part in every
    plane that R turns, by distinct angles, so that any d of them in a row span all dimensions.
    """
    return "enough" if n > d else "few"


def chance(d: int) -> str:
    """Return the share of a random M that commutes with the shifts, 1/d, in per cent."""
    return significant(100 / d, 2)


def take_away(params: Params) -> dict[str, str]:
    """Return the numbers of the last sentences."""
    kept, lost, commuting = (view.bands(params, kind) for kind in ("identity", "untied", "commuting"))
    return {
        "kept": fixed(100 * kept["toeplitz"].mean, 0),
        "lost": fixed(100 * lost["toeplitz"].mean, 0),
        "decay": fixed(kept["decay"].mean, 2),
        "flat": spread(lost["decay"]),
        "any_share": fixed(100 * commuting["toeplitz"].mean, 0),
        "any_asymmetry": spread(commuting["asymmetry"]),
        "any_decay": spread(commuting["decay"]),
    }
