"""Two cases in the laboratory of the heads page: a picture with words, and a fold in space."""

import streamlit as st

from core.attention import patches
from core.charts import heads_cases as charts
from core.charts.map_row import sizes
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.heads_words import checked, words
from pages.views import heads_lab_cases as view
from pages.views import heads_lab_claims as claims


def image() -> list[Figure]:
    """Let words look at patches, patches at words, or all at what stands before it in one stream."""
    row = st.columns([3, 2], vertical_alignment="bottom")
    with row[0]:
        names = [words(f"way_{way}") for way in patches.WAYS]
        way = controls.choice("hl_asks", words("asks"), patches.WAYS, names, "words")
    with row[1]:
        sharpness = controls.whole("hl_sharp", words("sharp"), 0, view.SHARPEST, 6, help=words("sharp_help"))
    found = view.looks(way, sharpness)
    made = figure(
        "hl_image", charts.seen_by_words, {**view.picture(), **found.data},
        title=words(f"picture_way_{way}", **found.values), description=words("alt_image"),
        values=sizes(
            patches.WORDS, [words(f"word_{word}") for word in patches.WORDS], found.bound, len(patches.WORDS)
        ),
        kinds=patches.KINDS, kind_names=tuple(words(f"kind_{kind}") for kind in patches.KINDS),
        picture=words("picture_patches"), row_title=words("patch_row"), column_title=words("patch_column"),
        scale="weight", value_title=words("weight"),
    )  # fmt: skip
    st.markdown(words(f"about_{way}"))
    checked(claims.image())
    return [made]


def protein() -> list[Figure]:
    """Turn and shift a fold: the weights stay; pull one residue, and they do not."""
    row = st.columns(5, vertical_alignment="bottom")
    with row[0]:
        turn = controls.whole("hl_turn", words("turn"), 0, 360, 60, 15)
    with row[1]:
        shift = controls.whole("hl_shift", words("shift"), -view.FARTHEST_SHIFT, view.FARTHEST_SHIFT, 3)
    with row[2]:
        pull = controls.whole("hl_pull", words("pull"), 0, view.FARTHEST_PULL, 2, help=words("pull_help"))
    with row[3]:
        residue = controls.whole("hl_residue", words("residue"), 1, view.STRAND, 3)
    with row[4]:
        gamma = controls.real("hl_gamma", words("gamma"), 0.0, view.LARGEST_GAMMA, 0.3, 0.1, help=words("gamma_help"))
    fold = view.Fold(turn, shift, pull, residue, gamma)
    chain, maps = view.folded(fold)
    values = {**maps.values, "residue": residue, "partner": fold.partner, "pull": pull}
    made = figure(
        "hl_protein", charts.folded, {**chain, **maps.data},
        title=words("picture_protein" if pull else "picture_protein_still", **values), description=words("alt_protein"),
        values=sizes(view.FOLDED, [words(f"folded_{name}") for name in view.FOLDED], 1.0, len(view.FOLDED)),
        x_title=words("across"), y_title=words("up"), number_title=words("number"), weight_title=words("weight"),
        scale="weight", row_title=words("query_row"), column_title=words("key_column"),
    )  # fmt: skip
    prose.formula(view.SCORE)
    st.markdown(words("about_protein", least=view.APART, **values))
    checked(claims.protein())
    return [made]
