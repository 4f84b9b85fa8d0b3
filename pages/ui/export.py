"""Pictures and data to take along."""

from collections.abc import Callable
from functools import lru_cache, partial

import streamlit as st

from pages.ui.anatomy import fold
from pages.ui.draw import Figure, read
from pages.ui.language import t


def svg(figure: Figure) -> bytes:
    """Return a figure as an SVG file, on white."""
    import vl_convert

    return vl_convert.vegalite_to_svg(vl_spec=figure.with_values(), allowed_base_urls=[]).encode()


def png(figure: Figure) -> bytes:
    """Return a figure as a PNG file, on white, at twice its size; letters come from the fonts of this machine."""
    import vl_convert

    return vl_convert.vegalite_to_png(vl_spec=figure.with_values(), scale=2, allowed_base_urls=[])


@lru_cache(maxsize=8)
def tells_apart(one: str, other: str) -> bool:
    """Say whether this machine draws two characters differently; without a font for them both are the same box."""
    import vl_convert

    text = '<text y="30" font-size="30" font-family="sans-serif">{}</text>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{text}</svg>'
    return vl_convert.svg_to_png(drawing.format(one)) != vl_convert.svg_to_png(drawing.format(other))


def csv(data: bytes) -> bytes:
    """Return packed data as a CSV file that spreadsheets open with its characters whole."""
    return read(data).to_csv(index=False).encode("utf-8-sig")


def take_along(*figures: Figure, more: Callable[[], None] | None = None) -> None:
    """Offer each figure's SVG and PNG and its first data set as CSV, made when asked for, and ``more`` below."""
    box = fold("take_along", t("frame.take_along"), ":material/download:")
    if box is None:
        return
    with box:
        st.caption(t("frame.take_along_help"))
        if not tells_apart("猫", "狗"):
            st.caption(t("frame.take_along_no_font"))
        for figure in figures:
            _offer(figure)
        if more is not None:
            more()


def _offer(figure: Figure) -> None:
    # The first data set is what the picture shows; further ones are its marks and labels.
    data = next(iter(figure.data.values()))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(figure.title)
        for kind, mime, made in (
            ("SVG", "image/svg+xml", partial(svg, figure)),
            ("PNG", "image/png", partial(png, figure)),
            ("CSV", "text/csv", partial(csv, data)),
        ):
            name = f"{figure.name}.{kind.lower()}"
            st.download_button(kind, made, name, mime, key=f"{kind}_{figure.name}", on_click="ignore")
