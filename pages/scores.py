"""What else can measure a match: scores, what makes weights of them, and what weights explain."""

from functools import partial

from pages.ui import anatomy, export, scores_lab
from pages.ui.anatomy import Checked
from pages.ui.scores_more import LOOKS
from pages.ui.scores_settings import PAGE, settings, word
from pages.views import scores_claims as claims
from pages.views import scores_sums as sums

anatomy.opening(PAGE)
params, picture = settings()
with picture:
    pictures = LOOKS[params.look](params)
pictures += scores_lab.show()
anatomy.notes_say(
    [
        Checked(
            word(f"claim_{row.id}", **row.values), word(f"said_{row.id}", **row.values),
            word(f"computed_{row.id}", **row.values), row.verdict,
            word(f"because_{row.id}", **row.values) if row.verdict in ("only_if", "imprecise", "open") else "",
        )
        for row in claims.rows()
    ]
)  # fmt: skip
anatomy.code(partial(sums.listing, params))
export.take_along(*pictures)
anatomy.ending(PAGE)
