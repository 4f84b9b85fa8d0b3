"""The pictures of the relative positions page, one function a look; each draws and returns what can be taken along."""

import streamlit as st

from core.charts import survival
from core.charts.large_map import large_map
from core.positions.projection import KINDS
from core.positions.schemes import SCHEMES
from pages.ui import prose
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels
from pages.ui.numbers import fixed, significant
from pages.views import maps
from pages.views import relative_positions as view
from pages.views import relative_positions_claims as claims
from pages.views import relative_positions_sums as sums
from pages.views.relative_positions import Params, Picture

PAGE = "relative_positions"
words = Labels(PAGE)
BADGE = {"yes": "green", "partly": "orange", "no": "red"}


def _map(name: str, found: maps.Map, bound: float, title: str, description: str, height: int) -> Figure:
    made = figure(
        name, large_map, found.data, title=title, description=description, values={"bound": bound},
        scale="signed", row_title=words("query"), column_title=words("key"), value_title=words("score"), height=height,
    )  # fmt: skip
    if max(found.hover_block) > 1 and name not in {"content_position", "position_content"}:
        st.caption(words("hover_pooled", rows=found.hover_block[0], columns=found.hover_block[1]))
    return made


def _beside(made: Picture, name: str, title: str, description: str, lines: tuple[str, ...]) -> tuple[Figure, ...]:
    """A map on the left, the means of its diagonals on the right."""
    left, right = st.columns([6, 5], gap="medium")
    with left:
        drawn = _map(name, made.map, made.bound, title, description, 300)
    with right:
        along = figure(
            f"{name}_along", survival.profile, made.along, title=words("picture_along"),
            description=words("alt_along"), offset_title=words("offset"), value_title=words("score"),
            line_names=lines, low_title=words("smallest"), high_title=words("largest"), height=300,
        )  # fmt: skip
    return drawn, along


def projected(params: Params) -> tuple[Figure, ...]:
    """Draw S = P M Pᵀ and its diagonals, and write its measures."""
    made = view.projected(params)
    kind, share = words(f"kind_{params.kind}"), fixed(100 * made.measured.toeplitz, 0)
    figures = _beside(
        made, "projected", words("picture_map", kind=kind, share=share),
        words("alt_map", kind=kind, n=params.n, share=share), (),
    )  # fmt: skip
    prose.formula(sums.measures(made.measured, with_matrix=True))
    return figures


def families(params: Params) -> tuple[Figure, ...]:
    """Draw every kind of M over its draws."""
    draws = view.bands(params, "untied")["decay"].count
    return (
        figure(
            "families", survival.families, view.families(params),
            title=words("picture_families", draws=draws, **claims.short_of_one(params)),
            description=words("alt_families", draws=draws, n=params.n, d=params.d), kinds=KINDS,
            kind_names=tuple(words(f"kind_{kind}") for kind in KINDS), measure_names=_measures(),
            value_title=words("value"), range_title=words("all_draws"), height=360,
        ),
    )  # fmt: skip


def noise(params: Params) -> tuple[Figure, ...]:
    """Draw the three measures against ε, and write them at the page's ε."""
    here = view.bands(params, "noisy")
    made = figure(
        "noise", survival.noise, view.noise(params),
        title=words("picture_noise", draws=view.SWEPT_SEEDS, n=min(params.n, view.SWEPT_LENGTH)),
        description=words("alt_noise"), measure_names=_measures(), noise_title="ε", value_title=words("value"),
        height=320,
    )  # fmt: skip
    found = {name: claims.spread(band) for name, band in here.items()}
    st.markdown(words("noise_here", n=params.n, eps=fixed(params.eps, 2), draws=here["decay"].count, **found))
    return (made,)


def _measures() -> tuple[str, ...]:
    return tuple(words(f"measure_{name}") for name in survival.MEASURES)


def terms(params: Params) -> tuple[Figure, ...]:
    """Draw the four terms of (x + p) M (x + p)ᵀ on one colour scale."""
    parts, figures = view.terms(params), []
    for place, term in enumerate(parts.terms):
        if place % 2 == 0:
            columns = st.columns(2, gap="medium")
        name, share = words(f"term_{term.name}"), fixed(100 * term.share, 0)
        with columns[place % 2]:
            title = words("picture_term", term=name, share=share, toeplitz=fixed(term.measured.toeplitz, 2))
            figures.append(_map(term.name, term.map, parts.bound, title, words("alt_term", term=name), 190))
    prose.formula(sums.measures(parts.total, with_matrix=False))
    return tuple(figures)


def scheme(params: Params) -> tuple[Figure, ...]:
    """Draw one scheme's scores, and its diagonals before and after a common shift."""
    made, name, by = view.scheme(params), words(f"scheme_{params.scheme}"), view.furthest(params)
    lines = (words("line_here"), words("line_moved"))
    # What does not move cannot change: no law is read from it.
    said = "still" if by == 0 else "unchanged" if made.change == 0 else "scheme"
    title = words(f"picture_{said}", scheme=name, by=by, change=significant(made.change, 2))
    figures = _beside(made, "scheme", title, words("alt_scheme", scheme=name), lines)
    if by > 0:
        prose.formula(sums.change(by, made.change))
    prose.formula(sums.measures(made.measured, with_matrix=False))
    if (view.n_tokens(params), by) != (params.n, params.by):
        st.caption(words("table_ends", rows=view.TRAINED, n=view.n_tokens(params), by=by))
    return figures


def demands(params: Params) -> tuple[Figure, ...]:
    """Show the table of demands, and draw the changes under a common shift."""
    found = claims.measured_demands(params.d, params.rank, params.seed, params.omega)
    heads = [words(f"demand_{name}") for name in ("scheme", "apart", "same", "lengths", "order", "falls")]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in found:
        cells = (
            words(f"scheme_{row.scheme}"),
            _chip(row.apart, words("apart", rows=row.rows, outputs=row.outputs)),
            _chip(row.same, row.changed),
            _chip(row.lengths, words("leaving", share=row.unseen) if row.defined else words("not_defined")),
            _chip(row.ordered, row.permuted),
            _chip(row.falling, row.decay),
        )
        lines.append("| " + " | ".join(cells) + " |")
    st.markdown("\n".join(lines))
    prose.show(
        PAGE, "demands_read", asked=claims.ASKED, trained=view.TRAINED, tested=claims.TESTED, heads=found[0].heads,
    )  # fmt: skip
    names = tuple(words(f"scheme_{row.scheme}") for row in found)
    return (
        figure(
            "changes", survival.changes, {"shifted": view.shifted(tuple((row.scheme, row.change) for row in found))},
            title=words("picture_changes", by=max(claims.SHIFTS)), description=words("alt_changes"), schemes=SCHEMES,
            scheme_names=names, change_title=words("change"), none_word=words("no_change"), height=260,
        ),
    )  # fmt: skip


def _chip(met: str, said: str) -> str:
    return f":{BADGE[met]}-badge[{words(f'met_{met}')}] {said}"


DRAW = {
    "map": projected,
    "families": families,
    "noise": noise,
    "terms": terms,
    "schemes": scheme,
    "demands": demands,
}
