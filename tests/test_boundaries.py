"""The borders between the parts of the house: who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = sys.stdlib_module_names
PAGE_NAMES = {file.stem for file in (ROOT / "pages").glob("*.py") if file.stem != "__init__"}


def imported(source: str) -> set[str]:
    """Return every module that a source text imports, by its full name."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def allowed(path: str) -> tuple[str, ...]:
    """Return which packages beyond the standard library a file may import."""
    if path == "core/frames.py":
        return ("torch", "pandas", "pyarrow", "core")
    if path.startswith("core/charts/"):
        return ("altair", "pandas", "core.charts")
    if path.startswith("core/"):
        return ("torch", "core")
    if path.startswith("pages/views/"):
        return (
            "torch",
            "pandas",
            "core",
            "pages.views",
            "pages.ui.cache",
            "pages.ui.draw",
            "pages.ui.formulas",
            "pages.ui.numbers",
        )
    if path.startswith("pages/ui/"):
        return ("streamlit", "altair", "pandas", "pyarrow", "torch", "vl_convert", "core", "pages.ui", "pages.views")
    return ("streamlit", "core", "pages.ui", "pages.views")


def trespasses(path: str, source: str) -> list[str]:
    """Return the imports of a file that its place in the house does not allow."""
    found = []
    for name in sorted(imported(source)):
        parts = name.split(".")
        inside = any(name == package or name.startswith(f"{package}.") for package in allowed(path))
        is_page = parts[0] == "pages" and len(parts) > 1 and parts[1] in PAGE_NAMES
        maths = path.startswith("core/") and path != "core/frames.py" and not path.startswith("core/charts/")
        bridge = maths and name.startswith(("core.frames", "core.charts"))
        if (parts[0] not in STANDARD and not inside) or is_page or bridge:
            found.append(name)
    return found


FILES = sorted(str(file.relative_to(ROOT)) for top in ("core", "pages") for file in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("path", FILES)
def test_a_file_imports_only_what_its_place_allows(path: str) -> None:
    assert trespasses(path, (ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/attention/masks.py", "import streamlit"),
        ("core/attention/masks.py", "from pandas import DataFrame"),
        ("core/attention/masks.py", "from core.charts import theme"),
        ("core/attention/masks.py", "def f():\n    import streamlit as st"),
        ("core/charts/lines.py", "from core.attention import masks"),
        ("core/frames.py", "import streamlit"),
        ("pages/views/home.py", "import streamlit"),
        ("pages/ui/frame.py", "from pages import home"),
        ("pages/home.py", "import pages.sqrt_dk"),
    ],
)
def test_the_border_test_can_fail(path: str, source: str) -> None:
    assert trespasses(path, source)


def loaded_after(statement: str) -> set[str]:
    """Return the top-level modules that a fresh Python has loaded after ``statement``."""
    code = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


IMPORT_ALL = """
import importlib, pkgutil, core
for module in pkgutil.walk_packages(core.__path__, "core."):
    importlib.import_module(module.name)
"""


def test_importing_all_of_core_loads_no_streamlit() -> None:
    loaded = loaded_after(IMPORT_ALL)
    assert "core" in loaded
    assert "streamlit" not in loaded


def test_the_loading_test_can_fail() -> None:
    assert "streamlit" in loaded_after(f"import streamlit\n{IMPORT_ALL}")
