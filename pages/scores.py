"""What else can measure a match: scores, what makes weights of them, and what weights explain."""

from functools import partial

from pages.ui import anatomy, export, scores_lab
from pages.ui.scores_more import LOOKS
from pages.ui.scores_settings import PAGE, settings
from pages.views import scores_claims as claims
from pages.views import scores_sums as sums

anatomy.opening(PAGE)
params, picture = settings()
with picture:
    pictures = LOOKS[params.look](params)
pictures += scores_lab.show()
anatomy.notes_say(anatomy.stated(PAGE, claims.rows()))
anatomy.code(partial(sums.listing, params))
export.take_along(*pictures)
anatomy.ending(PAGE)
