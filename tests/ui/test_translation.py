"""Every word on the screen can be translated, in whole sentences, with real plurals."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QApplication

from chat_archive.ui import translation
from chat_archive.ui.translation import PseudoLanguage, english, pseudo

UI = Path(__file__).resolve().parents[2] / "chat_archive" / "ui"
FILES = sorted(UI.rglob("*.py"))
NAMES = [str(path.relative_to(UI)) for path in FILES]

_SETTERS = {
    "setText",
    "setWindowTitle",
    "setToolTip",
    "setStatusTip",
    "setPlaceholderText",
    "setAccessibleName",
    "setAccessibleDescription",
    "setTitle",
    "setLabelText",
    "setSpecialValueText",
    "setSuffix",
    "setPrefix",
    "addMenu",
    "addAction",
    "addTab",
    "setTabText",
    "showMessage",
}
_MAKERS = {
    "QAction",
    "QCheckBox",
    "QGroupBox",
    "QLabel",
    "QMenu",
    "QPushButton",
    "QRadioButton",
    "QToolButton",
    "PlainLabel",
    "ThemedLabel",
    "ElidedLabel",
    "Chip",
    "sheet_button",
}
_PLURAL = re.compile(r"%L?n|\(\w*(s|es)\)|\([^()|]*\|[^()|]*\)")
_WORD = re.compile(r"[A-Za-z]{2,}")


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _source_text(node: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """The text and the count of a `tr` or `translate` call."""
    name = _called(node)
    place = {"tr": 0, "translate": 1}.get(name)
    if place is None or len(node.args) <= place:
        return None, None
    count = node.args[place + 2] if len(node.args) > place + 2 else None
    for keyword in node.keywords:
        if keyword.arg == "n":
            count = keyword.value
    return node.args[place], count


def _is_translation_call(node: ast.Call) -> bool:
    """`str.translate(table)` has one argument and is none."""
    return _called(node) == "tr" or (_called(node) == "translate" and len(node.args) >= 2)


def sentence_problems(source: str) -> list[str]:
    """Texts handed to a translator that it cannot find or inflect."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not _is_translation_call(node):
            continue
        text, count = _source_text(node)
        if text is None:
            continue
        where = f"{node.lineno}: {ast.unparse(text)}"
        if isinstance(text, ast.JoinedStr | ast.BinOp):
            found.append(f"{where}: built at run time, so no translation is found")
        elif isinstance(text, ast.Call):
            found.append(f"{where}: format after translating, not before")
        elif isinstance(text, ast.Constant) and isinstance(text.value, str):
            plural = _PLURAL.search(text.value)
            if plural and count is None:
                found.append(f"{where}: a plural without its count")
            if count is not None and not plural:
                found.append(f"{where}: a count without a plural")
            if re.search(r"\{\}|\{\d+\}", text.value):
                found.append(f"{where}: placeholders need names, their order differs between languages")
    return found


def _literal_words(node: ast.expr) -> str:
    """The words written in a literal or between the holes of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return " ".join(part.value for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.BinOp):
        return _literal_words(node.left) + " " + _literal_words(node.right)
    if isinstance(node, ast.IfExp):
        return _literal_words(node.body) + " " + _literal_words(node.orelse)
    return ""


def _texts(node: ast.Call) -> list[ast.expr]:
    """The arguments that are words: colours, looks and roles have names, too, but nobody reads them."""
    name = _called(node)
    if name in ("Chip", "sheet_button", "ThemedLabel", "ElidedLabel"):
        after_theme = bool(node.args) and "theme" in ast.unparse(node.args[0])
        return node.args[1:2] if after_theme else node.args[:1]
    return node.args


def bare_words(source: str) -> list[str]:
    """Words for the screen that never pass a translator."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or _called(node) not in _SETTERS | _MAKERS:
            continue
        for argument in _texts(node):
            words = _literal_words(argument)
            if _WORD.search(words):
                found.append(f"{node.lineno}: {_called(node)}({ast.unparse(argument)})")
    return found


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_sentences_are_whole_and_can_be_inflected(path: Path) -> None:
    assert sentence_problems(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_no_word_goes_past_the_translator(path: Path) -> None:
    assert bare_words(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'self.tr(f"{count} chats")',
        'self.tr("Moved " + name)',
        'self.tr("Moved {x}".format(x=name))',
        'self.tr("%n chats")',
        'self.tr("chat(s) moved")',
        'self.tr("moved", "", 3)',
        'translate("words", "{} of {}")',
    ],
)
def test_the_lint_finds_sentences_no_translator_can_do(source: str) -> None:
    assert sentence_problems(source)


@pytest.mark.parametrize(
    "source",
    [
        'label.setText("Hello")',
        'label.setText(f"{count} chats")',
        'QAction("&Open", self)',
        'ThemedLabel(theme, "Found here")',
        'label.setText("Hello" if x else "")',
    ],
)
def test_the_lint_finds_bare_words(source: str) -> None:
    assert bare_words(source)


def test_the_lint_lets_good_texts_pass() -> None:
    good = 'self.tr("%Ln chat(s)", "", n)\nlabel.setText(self.tr("Hello"))\nlabel.setText("")\nx.translate(table)'
    assert sentence_problems(good) == [] and bare_words(good) == []


@pytest.mark.parametrize(
    ("source", "one", "many"),
    [
        ("%n chat(s)", "%n chat", "%n chats"),
        ("%n branch(es)", "%n branch", "%n branches"),
        ("%n chat(s) (was|were) moved", "%n chat was moved", "%n chats were moved"),
        ("(It stays|They stay)", "It stays", "They stay"),
        ("Set (a) of %n", "Set (a) of %n", "Set (a) of %n"),
    ],
)
def test_english_plurals(source: str, one: str, many: str) -> None:
    assert english(source, 1) == one
    assert english(source, 0) == many
    assert english(source, 2) == many


def test_plurals_work_without_a_compiled_file(qapp: QApplication) -> None:
    translation.install(qapp)
    assert QCoreApplication.translate("x", "%n chat(s)", "", 1) == "1 chat"
    assert QObject().tr("%Ln chat(s)", "", 1234) == "1,234 chats"
    assert QCoreApplication.translate("x", "No count (s)") == "No count (s)"


def test_installing_twice_does_nothing(qapp: QApplication, tmp_path: Path) -> None:
    first = translation.install(qapp)
    assert translation.install(qapp, tmp_path) == first


def test_the_pseudo_language_stretches_and_keeps_what_must_stay(qapp: QApplication) -> None:
    text = pseudo("&Move {title} to %1, %Ln chats\nnow")
    assert len(text) >= len("&Move {title} to %1, %Ln chats\nnow") * 1.4
    for kept in ("&M", "{title}", "%1", "%Ln", "\n"):
        assert kept in text
    language = PseudoLanguage()
    assert language.translate("words", "d MMM yyyy") == "d MMM yyyy"
    assert language.translate("QGuiApplication", "QT_LAYOUT_DIRECTION") == "QT_LAYOUT_DIRECTION"
    assert language.translate("words", "%n chat(s)", "", 1).startswith("[%n çhàt")
