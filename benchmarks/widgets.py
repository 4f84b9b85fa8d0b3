"""The controls of a page as its messages describe them: what they can be set to, and how a browser says so."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa
from streamlit.proto.Dataframe_pb2 import Dataframe
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

Value = float | bool | str | None
MOST_VALUES: Final = 2001
_EDITED_VALUES: Final = 60


@dataclass(frozen=True)
class Widget:
    """One control: its values in order (none for a button), the one it has, and where it stands."""

    id: str
    kind: str
    label: str
    values: tuple[Value, ...]
    value: Value
    default: Value = None
    disabled: bool = False
    link_key: str = ""
    fragment_id: str = ""
    in_sidebar: bool = False

    @property
    def name(self) -> str:
        """The key that the page gave it, or its label."""
        key = self.id.split("-", 2)[-1]
        return self.label if key in {"", "None"} else key

    @property
    def is_button(self) -> bool:
        """Whether it is pressed, not set."""
        return self.kind == "button"

    @property
    def is_number(self) -> bool:
        """Whether its values are in a link as they stand."""
        return self.kind in {"slider", "select_slider", "toggle"} and bool(self.link_key)

    def at(self, value: Value) -> "Widget":
        """Return the control set to ``value``."""
        return replace(self, value=value)

    def in_link(self) -> str:
        """Return the value as Streamlit's own binding writes it into a link."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        if isinstance(self.value, float):
            return repr(self.value).removesuffix(".0")
        return str(self.value)


def write_state(widget: Widget, state: WidgetState) -> None:
    """Write a control's value as the browser sends it."""
    state.id = widget.id
    value = widget.value
    if widget.kind == "toggle":
        state.bool_value = bool(value)
    elif widget.kind == "slider":
        state.double_array_value.data.append(float(value or 0))
    elif widget.kind in {"select_slider", "group"}:
        state.string_array_value.data.extend([] if value is None else [str(value)])
    elif value is not None:
        state.string_value = str(value)


def read_widget(kind: str, element: Any, before: Widget | None) -> Widget | None:
    """Return the control in an element message, or None where it is none that can be moved.

    ``before`` is the control as it was; it keeps its value unless the server sets one.
    """
    reader = _READERS.get(kind)
    if reader is None or not element.id:
        return None
    widget: Widget | None = reader(element)
    if widget is None or widget.is_button:
        return widget
    if before is not None and not getattr(element, "set_value", False):
        kept = not widget.values or widget.kind == "editor" or before.value in widget.values
        return widget.at(before.value) if kept else widget
    return widget


def _slider(element: Slider) -> Widget | None:
    if element.type == Slider.SELECT_SLIDER:
        options = tuple(element.options)
        default: Value = options[int(element.default[0])] if element.default else options[0]
        set_to: Value = element.raw_value[0] if element.set_value and element.raw_value else default
        return _made("select_slider", element, options, set_to, default)
    if len(element.default) != 1:
        return None
    step = element.step or 1.0
    count = round((element.max - element.min) / step) + 1
    stride = -(-count // MOST_VALUES)
    values = tuple(round(element.min + step * i, 10) for i in range(0, count, stride))
    start = element.value[0] if element.set_value and element.value else element.default[0]
    return _made("slider", element, values, float(start), float(element.default[0]))


def _toggle(element: Any) -> Widget:
    value = element.value if element.set_value else element.default
    return _made("toggle", element, (False, True), bool(value), bool(element.default))


def _group(element: Any) -> Widget | None:
    if element.click_mode != element.SINGLE_SELECT:
        return None
    options = tuple(option.content for option in element.options)
    default = options[element.default[0]] if element.default else None
    value = element.raw_values[0] if element.set_value and element.raw_values else default
    return _made("group", element, options, value, default)


def _select(element: Any) -> Widget:
    options = tuple(element.options)
    default = options[element.default] if element.HasField("default") and options else None
    value = element.raw_value if element.set_value and element.HasField("raw_value") else default
    return _made("select", element, options, value, default)


def _button(element: Any) -> Widget | None:
    return None if element.is_form_submitter else _made("button", element, (), None, None)


def _editor(element: Dataframe) -> Widget | None:
    """An editable table: its values are edits of the first cell of its first column, which holds numbers, or texts."""
    if element.editing_mode == Dataframe.READ_ONLY:
        return None
    schema = pa.ipc.open_stream(element.arrow_data.data).schema
    column = next((field for field in schema if not field.name.startswith("__index")), None)
    if column is None:
        return None
    numbers = [number / 4 for number in range(1, _EDITED_VALUES + 1)]
    cells = numbers if pa.types.is_floating(column.type) else [str(number) for number in numbers]
    unchanged: dict[str, Any] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    edits = tuple(json.dumps({**unchanged, "edited_rows": {"0": {column.name: cell}}}) for cell in cells)
    nothing = json.dumps(unchanged)
    return _made("editor", element, edits, nothing, nothing)


def _made(kind: str, element: Any, values: tuple[Value, ...], value: Value, default: Value) -> Widget:
    return Widget(
        id=element.id,
        kind=kind,
        label=getattr(element, "label", ""),
        values=values,
        value=value,
        default=default,
        disabled=element.disabled,
        link_key=getattr(element, "query_param_key", ""),
    )


_READERS: Final[dict[str, Callable[[Any], Widget | None]]] = {
    "slider": _slider,
    "checkbox": _toggle,
    "button_group": _group,
    "selectbox": _select,
    "radio": _select,
    "button": _button,
    "dataframe": _editor,
}
