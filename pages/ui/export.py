"""Pictures and data to take along; PNG is in each picture's own menu."""

from functools import partial

import streamlit as st

from pages.ui.anatomy import fold
from pages.ui.draw import Figure, read
from pages.ui.language import t


def svg(figure: Figure) -> bytes:
    """Return a figure as an SVG file, on white."""
    import vl_convert

    return vl_convert.vegalite_to_svg(vl_spec=figure.with_values(), allowed_base_urls=[]).encode()


def csv(data: bytes) -> bytes:
    """Return packed data as a CSV file that spreadsheets open with its characters whole."""
    return read(data).to_csv(index=False).encode("utf-8-sig")


def take_along(*figures: Figure) -> None:
    """Offer each figure's SVG and its first data set as CSV, made when asked for."""
    box = fold("take_along", t("frame.take_along"), ":material/download:")
    if box is None:
        return
    with box:
        st.caption(t("frame.take_along_help"))
        for figure in figures:
            _offer(figure)


def _offer(figure: Figure) -> None:
    # The first data set is what the picture shows; further ones are its marks and labels.
    data = next(iter(figure.data.values()))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(figure.title)
        for kind, mime, made in (
            ("SVG", "image/svg+xml", partial(svg, figure)),
            ("CSV", "text/csv", partial(csv, data)),
        ):
            name = f"{figure.name}.{kind.lower()}"
            st.download_button(kind, made, name, mime, key=f"{kind}_{figure.name}", on_click="ignore")
