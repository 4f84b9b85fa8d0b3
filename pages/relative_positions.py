"""What survives in attention of a position code's properties, and what every scheme of relative positions keeps."""

from functools import partial

import streamlit as st

from pages.ui import anatomy, export, prose, relative_training
from pages.ui.anatomy import Checked
from pages.ui.relative_pictures import DRAW, PAGE, words
from pages.ui.relative_settings import settings
from pages.views import relative_positions_claims as claims
from pages.views import relative_positions_sums as sums

anatomy.opening(PAGE)
params, picture = settings()
with picture:
    figures = DRAW[params.look](params)
prose.show(PAGE, f"about_{params.look}", **claims.about(params.look, params))

usual = claims.usual(params.omega)
anatomy.notes_say(
    [
        Checked(
            words(f"claim_{found.name}"),
            words(f"said_{found.name}"),
            words(f"found_{found.name}", **found.values),
            found.verdict,
            words(f"condition_{found.name}") if found.verdict == "only_if" else "",
        )
        for found in claims.statements(usual)
    ]
)
st.caption(words("usual", n=usual.n, d=usual.d, rank=usual.rank))
here = words(f"positions_{claims.decides(params.n, params.d)}", n=params.n, d=params.d)
prose.show(PAGE, "condition", d=params.d, share=claims.chance(params.d), here=here)
trained = relative_training.show()
anatomy.code(partial(sums.listing, params))
export.take_along(*figures, *trained)
anatomy.ending(PAGE, **claims.take_away(usual))
