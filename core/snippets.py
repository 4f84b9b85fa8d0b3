"""Short Python files that are read and run on the page: each in a namespace of its own, its print kept as text.

The files are part of the project and trusted; nothing that a visitor typed is ever run. What such a file must not do:
leave torch's global generator elsewhere, change a setting of the whole process, which other visitors share, or import
what takes long (``torch.onnx``, ``torch.nn.attention``, meta tensors and dispatch modes load sympy: a second).
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ALONE = threading.Lock()
SNIPPETS = Path(__file__).resolve().parent.parent / "snippets"


@dataclass(frozen=True)
class Ran:
    """What a snippet left behind: ``printed`` text, ``values`` by name, and its ``error`` as Python's last line."""

    printed: str
    values: Mapping[str, Any]
    error: str

    def holds(self, condition: str) -> bool:
        """Say whether a Python condition on the values holds; ``error`` may stand in it.

        A name that the snippet never came to makes no condition true.
        """
        try:
            return bool(eval(condition, {**self.values, "error": self.error}))
        except NameError:
            return False


def source(folder: str, name: str) -> str:
    """Return the text of ``snippets/<folder>/<name>.py``."""
    return (SNIPPETS / folder / f"{name}.py").read_text(encoding="utf-8")


def run(text: str) -> Ran:
    """Run a snippet and keep what it prints; an exception is a result like any other.

    One at a time: a snippet may put torch's global generator aside (``fork_rng``) and back.
    """
    with _ALONE:
        return _run(text)


def _run(text: str) -> Ran:
    lines: list[str] = []

    def keep(*shown: object, sep: str = " ", end: str = "\n") -> None:
        lines.append(sep.join(map(str, shown)) + end)

    values: dict[str, Any] = {"__name__": "snippet", "print": keep}
    error = ""
    try:
        exec(compile(text, "<snippet>", "exec"), values)
    except Exception as raised:  # noqa: BLE001  # whatever a broken snippet raises is what is shown
        error = f"{type(raised).__name__}: {str(raised).splitlines()[0] if str(raised) else ''}"
    shown = {name: value for name, value in values.items() if name not in ("__builtins__", "__name__", "print")}
    return Ran("".join(lines), shown, error)
