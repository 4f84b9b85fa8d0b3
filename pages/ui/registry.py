"""The page list: adding a page is one line here, one script and two prose files."""

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

PAGES_DIR = Path(__file__).resolve().parent.parent
ICON = Path(__file__).resolve().parent / "icon.svg"
ICON_ADDRESS = "data:image/svg+xml;base64," + b64encode(ICON.read_bytes()).decode()


@dataclass(frozen=True)
class Entry:
    """One page: the script's name (also its address and its label), its section, its icon, whether it has pictures."""

    name: str
    section: str
    icon: str
    pictured: bool = True

    @property
    def script(self) -> Path:
        """Where the page's script lies."""
        return PAGES_DIR / f"{self.name}.py"


PAGES = (
    Entry("home", "start", ":material/home:"),
    Entry("worked_example", "mechanism", ":material/grid_on:"),
    Entry("sqrt_dk", "mechanism", ":material/show_chart:"),
    Entry("heads", "mechanism", ":material/account_tree:"),
    Entry("scores", "mechanism", ":material/join_inner:"),
    Entry("positions", "order", ":material/straighten:"),
    Entry("relative_positions", "order", ":material/filter_alt:"),
    Entry("rnn_vs_attention", "cost", ":material/speed:"),
    Entry("cheaper_attention", "cost", ":material/savings:"),
    Entry("claims", "reference", ":material/fact_check:"),
    Entry("conventions", "reference", ":material/rule:"),
    Entry("mistakes", "reference", ":material/bug_report:"),
    Entry("glossary", "reference", ":material/menu_book:", pictured=False),
    Entry("summary", "reference", ":material/print:", pictured=False),
)
HOME = PAGES[0]


def script(name: str) -> Path:
    """Return where the script of the page of that name lies; no such page raises ``KeyError``."""
    return {entry.name: entry.script for entry in PAGES}[name]


def following(name: str) -> Entry:
    """Return the page after ``name`` in teaching order; the last page leads back to the first."""
    names = [entry.name for entry in PAGES]
    return PAGES[(names.index(name) + 1) % len(PAGES)]
