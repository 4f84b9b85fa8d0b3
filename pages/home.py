"""Attention in one minute, and the way through the pages."""

import streamlit as st

from core.charts.bars import lookup_bars
from core.claims import printed
from pages.ui import anatomy, controls, export, prose
from pages.ui.anatomy import Checked
from pages.ui.draw import figure
from pages.ui.language import t
from pages.ui.numbers import fixed, shortest
from pages.ui.registry import PAGES
from pages.views import home as view

PAGE = "home"
NAMES = tuple(t(f"{PAGE}.key_{number}") for number in range(1, len(printed.LIBRARY_KEYS) + 1))

anatomy.opening(PAGE)
similarities = []
for number, (column, name) in enumerate(zip(st.columns(len(NAMES)), NAMES, strict=True), start=1):
    with column:
        label = t(f"{PAGE}.similarity_to", key=name)
        default = printed.LIBRARY_SIMILARITIES[number - 1]
        similarities.append(controls.real(f"s{number}", label, 0, 5, default, view.STEP))

found = view.compute(tuple(similarities))
weights = ", ".join(fixed(a, 3) for a in found.weights)
pictures = []
for place, (field, top) in zip(
    st.columns(2), (("weight", 1.0), ("similarity", 1.0 if max(similarities) <= 1 else 5.0)), strict=True
):
    with place:
        pictures.append(
            figure(
                field, lookup_bars, {"keys": found.bars}, title=t(f"{PAGE}.picture_{field}"),
                description=t(f"{PAGE}.alt_{field}", weights=weights), field=field, names=NAMES,
                key_title=t(f"{PAGE}.key"), title_of_axis=t(f"{PAGE}.{field}"), top=top, height=190,
            )
        )  # fmt: skip
prose.formula(" + ".join(f"{fixed(a, 3)}\\cdot v_{{{i}}}" for i, a in enumerate(found.weights, start=1)) + " = o")
prose.show(PAGE, "minute", total=shortest(round(sum(found.weights), 9)))

anatomy.notes_say(
    [
        Checked(
            t(f"{PAGE}.claim_{name}", scores=", ".join(shortest(score) for score in row.scores)),
            ", ".join(row.said),
            ", ".join(fixed(a, 3) for a in row.right),
            row.verdict,
        )
        for name, row in view.notes().items()
    ]
)
prose.show(
    PAGE,
    "impossible",
    more=shortest(printed.LIBRARY_SIMILARITIES[2]),
    less=shortest(printed.LIBRARY_SIMILARITIES[0]),
    weight_more=printed.LIBRARY_WEIGHTS[2],
    weight_less=printed.LIBRARY_WEIGHTS[0],
)
prose.show(PAGE, "no_temperature", **view.no_temperature())
export.take_along(*pictures)
st.success(prose.section(PAGE, "takeaway"), icon=":material/lightbulb:")

st.subheader(t(f"{PAGE}.way"), anchor=False)
for entry in PAGES[1:]:
    label = f"**{t(f'{entry.name}.question')}** · {t(f'{PAGE}.about_{entry.name}')}"
    st.page_link(entry.script, label=label, icon=entry.icon)
