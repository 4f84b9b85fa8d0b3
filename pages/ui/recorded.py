"""Times recorded elsewhere beside a page's own: the choice, what is said of a file, the names of both in a picture."""

import streamlit as st

from core.complexity.recorded import Record, Setting
from pages.ui import controls
from pages.ui.language import harmless, sentence, t
from pages.views import recorded as view

NONE = "none"


def choose(key: str, page: str) -> Record | None:
    """Offer a page's records, and name each file that cannot be read; the link holds the file's name under ``key``."""
    found, refused = view.records(page)
    said = [t("recorded.on", machine=record.device_label, day=record.day) for record in found]
    # Of two options that read alike the first would be taken.
    names = [
        f"{name} · {record.name}" if said.count(name) > 1 else name for name, record in zip(said, found, strict=True)
    ]
    chosen = controls.choice(
        key, t("recorded.label"), (NONE, *(record.name for record in found)), (t("recorded.none"), *names), NONE,
        kind="select", help=t("recorded.help"),
    )  # fmt: skip
    for error in refused:
        st.warning(f"{sentence(error)} {t('recorded.left_out')}", icon=":material/unknown_document:")
    return next((record for record in found if record.name == chosen), None)


def labels(here: Setting | None, record: Record | None) -> dict[str, str]:
    """Return the values of the parameters that name both in a picture; empty for what is not in it."""
    return {
        "here_name": "" if here is None else t("recorded.here", **_short(here)),
        "recorded_name": (
            "" if record is None else t("recorded.there", day=record.day, **_short(record.runs[0].setting))
        ),
    }


def _short(setting: Setting) -> dict[str, str]:
    return {
        "label": setting.device_label.replace("|", "/"),  # a bar parts the lines
        "device": setting.device.upper(),
        "dtype": setting.dtype,
        "threads": str(setting.threads),
    }


def heading(record: Record | None) -> str:
    """Return what stands above the numbers of a run: this machine, or the one of a record."""
    if record is None:
        return f"**{t('recorded.this')}**"
    return f"**{t('recorded.heading', machine=harmless(record.device_label), day=record.day)}**"


def provenance(record: Record) -> None:
    """Say where a record comes from."""
    values = view.machine_values(record)
    limits = {"note": 1000, "system": 200, "processor": 200}
    said = {name: harmless(value, limits.get(name, 100)) for name, value in values.items()}
    said["file"] = values["file"]  # it stands in a code span, and the reader takes only names of plain letters
    st.caption(t("recorded.told", **said))
