"""Pictures and data to take along; PNG is in each picture's own menu."""

from functools import partial

import streamlit as st

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
    """Offer each figure's SVG and each of its data sets as CSV, made when asked for."""
    with st.expander(t("frame.take_along"), icon=":material/download:"):
        st.caption(t("frame.take_along_help"))
        for figure in figures:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(figure.title)
                st.download_button(
                    "SVG",
                    partial(svg, figure),
                    f"{figure.name}.svg",
                    "image/svg+xml",
                    key=f"svg_{figure.name}",
                    on_click="ignore",
                )
                for name, data in figure.data.items():
                    st.download_button(
                        f"CSV · {name}",
                        partial(csv, data),
                        f"{figure.name}_{name}.csv",
                        "text/csv",
                        key=f"csv_{figure.name}_{name}",
                        on_click="ignore",
                    )
