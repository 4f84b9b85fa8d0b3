"""Both languages are complete and equal, and no number in the prose is typed."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import TypeVar

import pytest

from core.errors import SENTENCES
from pages.ui.language import labels
from pages.ui.prose import split
from pages.ui.registry import PAGES

ROOT = Path(__file__).resolve().parent.parent
TEXT = ROOT / "pages" / "text"
NAMES = [entry.name for entry in PAGES]
HAN = re.compile(r"[\u4e00-\u9fff]")
PLACEHOLDER = re.compile(r"@\{(\w+)\}")
FORMULA = re.compile(r"\$[^$]+\$")
CODE = re.compile(r"`[^`]+`")
LINK = re.compile(r"\]\(([^)]+)\)")
# Tokens and quotations of the notes may stand in Chinese on the English page.
QUOTED = re.compile(r"[（(“][^（()）“”]*[\u4e00-\u9fff][^（()）“”]*[)）”]|猫")
# A number that stands in a formula, in code or in a placeholder is not a typed result; neither is a year of a source.
RESULT = re.compile(r"\d+[.,]\d|\d{3,}|\d\s*%")
YEAR = re.compile(r"\b(19|20)\d\d\b")
STATEMENT = "claim.say_"
ENGLISH_SENTENCE = re.compile(r"[A-Za-z]+(?:[ ,]+[a-z]+){4,}")


def prose(page: str, language: str) -> dict[str, str]:
    return split((TEXT / f"{page}.{language}.md").read_text(encoding="utf-8"))


def bare(text: str) -> str:
    """Return text without formulas, code, links and placeholders."""
    for pattern in (FORMULA, CODE, LINK, PLACEHOLDER):
        text = pattern.sub(" ", text)
    return text


def test_every_page_file_is_listed_and_every_listed_page_exists() -> None:
    scripts = {file.stem for file in (ROOT / "pages").glob("*.py")} - {"__init__"}
    assert scripts == set(NAMES)
    assert {file.name for file in TEXT.glob("*.md")} == {f"{name}.{lang}.md" for name in NAMES for lang in ("en", "zh")}


@pytest.mark.parametrize("page", NAMES)
def test_both_languages_have_the_same_sections_in_the_same_order(page: str) -> None:
    assert list(prose(page, "en")) == list(prose(page, "zh"))


@pytest.mark.parametrize("page", NAMES)
@pytest.mark.parametrize(
    "pattern", [PLACEHOLDER, FORMULA, CODE, LINK], ids=["placeholders", "formulas", "code", "links"]
)
def test_both_languages_hold_the_same(page: str, pattern: re.Pattern[str]) -> None:
    english, chinese = prose(page, "en"), prose(page, "zh")
    for name, text in english.items():
        assert Counter(pattern.findall(text)) == Counter(pattern.findall(chinese[name])), name


@pytest.mark.parametrize("page", NAMES)
def test_no_result_is_typed_into_prose(page: str) -> None:
    for language in ("en", "zh"):
        for name, text in prose(page, language).items():
            assert not RESULT.search(YEAR.sub(" ", bare(text))), (language, name)


def test_the_typed_result_test_can_fail() -> None:
    assert RESULT.search(bare("The weight is 0.5065 here."))
    assert RESULT.search(bare("about 97 % of rows"))
    assert not RESULT.search(bare("The weight is @{weight}, by $x^{0.5}$."))


@pytest.mark.parametrize("page", NAMES)
def test_each_page_is_in_its_own_language(page: str) -> None:
    for name, text in prose(page, "en").items():
        assert not HAN.search(QUOTED.sub("", bare(text))), name
    for name, text in prose(page, "zh").items():
        assert HAN.search(bare(text)), name
        assert not ENGLISH_SENTENCE.search(bare(text)), name


def test_every_label_has_both_languages_with_the_same_placeholders() -> None:
    for key, words in labels().items():
        assert set(words) == {"en", "zh"}, key
        assert all(words.values()), key
        assert set(PLACEHOLDER.findall(words["en"])) == set(PLACEHOLDER.findall(words["zh"])), key
        assert Counter(FORMULA.findall(words["en"])) == Counter(FORMULA.findall(words["zh"])), key
        assert not HAN.search(QUOTED.sub("", bare(words["en"]))), key
        assert not ENGLISH_SENTENCE.search(bare(words["zh"])), key


def test_no_result_is_typed_into_a_label() -> None:
    for key, words in labels().items():
        for text in words.values():
            assert key.startswith(STATEMENT) or not RESULT.search(YEAR.sub(" ", bare(text))), key


def test_a_statement_of_the_notes_needs_nothing_computed() -> None:
    """What the notes say may hold the numbers that they print; it stands in a table before anything is checked."""
    for key, words in labels().items():
        if key.startswith(STATEMENT):
            assert not any(PLACEHOLDER.search(text) for text in words.values()), f"{key}: no placeholder may stand here"


def test_every_refusal_has_a_sentence_with_the_same_values() -> None:
    spoken = {key.removeprefix("error.") for key in labels() if key.startswith("error.")}
    assert spoken == set(SENTENCES)
    for code, sentence in SENTENCES.items():
        wanted = set(re.findall(r"\{(\w+)", sentence))
        assert set(PLACEHOLDER.findall(labels()[f"error.{code}"]["en"])) == wanted, code


def asked_labels() -> set[str]:
    """Return every label key that the code asks for; a part known only at run time becomes ``*``."""
    trees = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): ast.parse(file.read_text(encoding="utf-8"))
        for file in [ROOT / "streamlit_app.py", *(ROOT / "pages").rglob("*.py")]
    }
    stated = {module: _constants(tree) for module, tree in trees.items()}
    constants = {module: _imported(tree, stated) | stated[module] for module, tree in trees.items()}
    own = {module: _tables(tree, constants[module]) for module, tree in trees.items()}
    asked = set()
    for module, tree in trees.items():
        if module == "pages.ui.language":  # where the asking itself is written
            continue
        bound = own[module] | _imported(tree, own)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "t":
                asked |= _patterns(node.args[0], constants[module])
            elif isinstance(node, ast.Call) and (found := _bound(node.func, bound)) and node.args:
                asked |= {f"{found[0]}.{each}{found[1]}" for each in _patterns(node.args[0], constants[module])}
        asked |= _handed_on(tree, bound)
    return asked


def _strings() -> set[str]:
    """Return every string of the code."""
    files = [file for folder in ("core", "pages") for file in (ROOT / folder).rglob("*.py")]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _constants(tree: ast.Module) -> dict[str, object]:
    return {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }


T = TypeVar("T")
Tables = dict[str, tuple[str, str]]


def _tables(tree: ast.Module, constants: dict[str, object]) -> Tables:
    """Return which names stand for a table of labels, and what its keys end in beyond what is asked for."""
    found: Tables = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, node.value
        if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "Labels":
            table = value.args[0]
            found[name] = (str(constants[table.id]) if isinstance(table, ast.Name) else _pattern(table, constants), "")
        elif isinstance(value, ast.Attribute) and (made := _bound(value, found)):
            found[name] = made
    return found


def _imported(tree: ast.Module, own: dict[str, dict[str, T]]) -> dict[str, T]:
    """Return what a module takes from others of what is known of each."""
    return {
        alias.asname or alias.name: own[str(node.module)][alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in own.get(str(node.module), {})
    }


def _bound(node: ast.expr, bound: Tables) -> tuple[str, str] | None:
    if isinstance(node, ast.Name):
        return bound.get(node.id)
    if isinstance(node, ast.Attribute) and node.attr == "each" and isinstance(node.value, ast.Name):
        return (bound[node.value.id][0], "_*") if node.value.id in bound else None
    return None


def _handed_on(tree: ast.Module, bound: Tables) -> set[str]:
    """Tables that are handed to another function, which may ask for anything in them."""
    arguments = (
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]
    )
    return {
        f"{bound[argument.id][0]}.*"
        for argument in arguments
        if isinstance(argument, ast.Name) and argument.id in bound
    }


def _patterns(node: ast.expr, constants: dict[str, object]) -> set[str]:
    if isinstance(node, ast.IfExp):
        return _patterns(node.body, constants) | _patterns(node.orelse, constants)
    return {_pattern(node, constants)}


def _pattern(node: ast.expr, constants: dict[str, object]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_pattern(part, constants) for part in node.values)
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name):
        return str(constants.get(node.value.id, "*"))
    return "*"


def test_every_label_is_used_and_every_used_label_exists() -> None:
    asked = asked_labels()
    patterns = [re.compile(re.escape(key).replace(r"\*", ".+") + "$") for key in asked]
    # Where a whole name is known only at run time, it stands somewhere as a string, or what follows its first word.
    clear = [pattern for key, pattern in zip(asked, patterns, strict=True) if not key.endswith((".*", ".*_*"))]
    unused = [key.split(".", 1)[1] for key in labels() if not any(pattern.match(key) for pattern in clear)]
    strings = _strings()
    assert [name for name in unused if strings.isdisjoint((name, name.partition("_")[2]))] == []
    for pattern in patterns:
        assert any(pattern.match(key) for key in labels()), pattern.pattern


def _visible_literals(source: str) -> list[str]:
    """Return string literals that a Streamlit call would show, in a page script."""
    found = []
    for node in ast.walk(ast.parse(source)):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if is_call and isinstance(node.func.value, ast.Name) and node.func.value.id == "st":
            shown = [
                *node.args,
                *(word.value for word in node.keywords if word.arg in ("label", "help", "title", "body")),
            ]
            found += [
                part.value
                for argument in shown
                for part in ast.walk(argument)
                if isinstance(part, ast.Constant)
                and isinstance(part.value, str)
                and re.search(r"[A-Za-z\u4e00-\u9fff]{3}", part.value)
                and not _inside_lookup(argument, part)
                and node.func.attr not in ("latex", "columns", "container")
            ]
    return found


def _inside_lookup(argument: ast.expr, part: ast.AST) -> bool:
    return any(
        isinstance(call, ast.Call) and any(part is inner for inner in ast.walk(call)) for call in ast.walk(argument)
    )


@pytest.mark.parametrize("page", NAMES)
def test_no_visible_string_is_typed_into_a_page_script(page: str) -> None:
    assert _visible_literals((ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8")) == []


def test_the_literal_test_can_fail() -> None:
    assert _visible_literals('st.markdown("Hello there")') == ["Hello there"]
    assert _visible_literals('st.button(label="你好吗")') == ["你好吗"]
    assert _visible_literals('st.markdown(t("home.question"))') == []


def test_label_files_are_valid_toml() -> None:
    for file in TEXT.glob("*labels.toml"):
        assert tomllib.loads(file.read_text(encoding="utf-8")), file.name
