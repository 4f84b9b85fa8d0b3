"""Experiment: the exact law of q·k, and how much heavier its tails are than a normal law's."""

from dataclasses import fields

from core.charts import tails
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.views import lab_law as view
from pages.views.sqrt_dk import Params

PAGE = "sqrt_dk"
HEIGHT = 260


def show(params: Params) -> list[Figure]:
    """Show the density beside a normal law's."""
    words = tails.Words(**{field.name: t(f"{PAGE}.lab_law_{field.name}_word") for field in fields(tails.Words)})
    data = {"curve": view.density_curve(params.d_k), "drawn": view.density_drawn(params)}
    title, alt = t(f"{PAGE}.lab_law_density_title"), t(f"{PAGE}.lab_law_density_alt", d_k=params.d_k)
    return [figure("lab_density", tails.density, data, title=title, description=alt, height=HEIGHT, words=words)]
