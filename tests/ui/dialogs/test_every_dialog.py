"""What must hold for each dialog and page, whatever it is for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from chat_archive.ui.plain_text import ElidedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.translation import PseudoLanguage
from tests.ui.dialogs.samples import DIALOGS, HOSTILE

NAMES = sorted(DIALOGS)
_INPUTS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractScrollArea)


def _open(name: str, theme: Theme, qtbot: QtBot) -> QWidget:
    widget = DIALOGS[name](theme)
    qtbot.addWidget(widget)
    widget.show()
    QApplication.processEvents()
    QApplication.processEvents()
    return widget


def _visible(widget: QWidget, kind: type[QWidget]) -> list[QWidget]:
    return [child for child in widget.findChildren(kind) if child.isVisibleTo(widget)]


def _inner(child: QWidget) -> bool:
    """Parts that Qt makes inside a control of ours: they are named by it. What lies on a scrolled page is ours."""
    parent = child.parentWidget()
    while parent is not None:
        if isinstance(parent, QComboBox | QAbstractSpinBox | QLineEdit):
            return True
        if isinstance(parent, QAbstractScrollArea) and not isinstance(parent, QScrollArea):
            return True
        if isinstance(parent, QScrollArea) and child in (parent.verticalScrollBar(), parent.horizontalScrollBar()):
            return True
        parent = parent.parentWidget()
    return False


def _clipped(widget: QWidget) -> list[str]:
    """Labels and controls whose words do not fit into their place."""
    wrong = []
    for child in _visible(widget, QWidget):
        if isinstance(child, ElidedLabel) or _inner(child):
            continue
        if isinstance(child, QLabel) and child.text():
            if child.wordWrap():
                fits = child.heightForWidth(child.width()) <= child.height() + 1
            else:
                hint = child.sizeHint()
                fits = hint.width() <= child.width() + 1 and hint.height() <= child.height() + 1
        elif isinstance(child, QPushButton | QComboBox | QAbstractButton) and not isinstance(child, QToolButton):
            fits = child.sizeHint().width() <= child.width() + 1
        else:
            continue
        if not fits:
            text = child.currentText() if isinstance(child, QComboBox) else child.text()  # type: ignore[attr-defined]
            wrong.append(f"{type(child).__name__} {text!r}: {child.size()} for {child.sizeHint()}")
    return wrong


@pytest.fixture
def pseudo(qapp: QApplication) -> Iterator[None]:
    language = PseudoLanguage(qapp)
    qapp.installTranslator(language)
    yield
    qapp.removeTranslator(language)


@pytest.mark.parametrize("name", NAMES)
def test_stretched_words_are_not_clipped(name: str, theme: Theme, qtbot: QtBot, pseudo: None) -> None:
    widget = _open(name, theme, qtbot)
    assert _clipped(widget) == []


@pytest.mark.parametrize("name", NAMES)
def test_large_text_is_not_clipped(name: str, theme: Theme, qtbot: QtBot) -> None:
    theme.set_text_scale(1.5)
    widget = _open(name, theme, qtbot)
    if not isinstance(widget, QDialog):
        widget.resize(1400, 700)
        QApplication.processEvents()
    assert _clipped(widget) == []


@pytest.mark.parametrize("name", NAMES)
def test_text_that_grows_while_it_is_open_is_not_clipped(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    if not isinstance(widget, QDialog):
        widget.resize(1400, 700)
    theme.set_text_scale(1.5)
    qtbot.waitUntil(lambda: _clipped(widget) == [], timeout=2000)


@pytest.mark.parametrize("name", NAMES)
def test_every_word_goes_through_translation(name: str, theme: Theme, qtbot: QtBot, pseudo: None) -> None:
    """A button or check box without the brackets of the pseudo-language was never handed to a translator."""
    widget = _open(name, theme, qtbot)
    bare = [
        button.text()
        for button in _visible(widget, QAbstractButton)
        if isinstance(button, QAbstractButton) and button.text() and not _inner(button) and "[" not in button.text()
    ]
    assert bare == []
    if isinstance(widget, QDialog):
        assert "[" in widget.windowTitle()


@pytest.mark.parametrize("name", NAMES)
def test_no_count_is_shown_with_a_bracketed_plural(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    for child in widget.findChildren(QWidget):
        for getter in ("text", "windowTitle", "toolTip", "accessibleName", "placeholderText"):
            found = getattr(child, getter, "")
            text = found() if callable(found) else found
            if isinstance(text, str):
                assert "(s)" not in text
                assert "%n" not in text and "%Ln" not in text


@pytest.mark.parametrize("name", NAMES)
def test_v2_labels_take_nothing_for_markup(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    for label in widget.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText or _inner(label), label.text()
    for child in widget.findChildren(QWidget):
        assert "<b>" not in child.toolTip() and "<img" not in child.toolTip()


@pytest.mark.parametrize("name", NAMES)
def test_v2_control_and_bidi_characters_are_marks(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    for child in [*widget.findChildren(QLabel), *widget.findChildren(QAbstractButton)]:
        assert "\u202e" not in child.text() and "\x07" not in child.text()
        assert HOSTILE not in child.text()


@pytest.mark.parametrize("name", NAMES)
def test_every_control_has_a_name(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    nameless = [
        type(child).__name__
        for child in widget.findChildren(QWidget)
        if isinstance(child, _INPUTS)
        and child.isVisibleTo(widget)
        and not _inner(child)
        and not (child.accessibleName() or (isinstance(child, QAbstractButton) and child.text()))
    ]
    assert nameless == []


@pytest.mark.parametrize("name", NAMES)
def test_every_control_is_reached_by_tab(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    reached: set[QWidget] = set()
    current: QWidget | None = widget
    for _step in range(500):
        current = current.nextInFocusChain() if current is not None else None
        if current is None or current is widget:
            break
        if current.focusPolicy() & Qt.FocusPolicy.TabFocus:
            reached.add(current)
    wanted = {
        child
        for child in widget.findChildren(QWidget)
        if isinstance(child, QPushButton | QLineEdit | QComboBox | QAbstractSpinBox)
        and child.isVisibleTo(widget)
        and not _inner(child)
    }
    assert wanted <= reached


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("first run", "trash view", "notices")])
def test_escape_closes_and_accepts_nothing(name: str, theme: Theme, qtbot: QtBot) -> None:
    dialog = _open(name, theme, qtbot)
    assert isinstance(dialog, QDialog)
    accepted: list[int] = []
    dialog.accepted.connect(lambda: accepted.append(1))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert not accepted


@pytest.mark.parametrize("name", NAMES)
def test_changing_the_scheme_while_open_changes_the_colours(name: str, theme: Theme, qtbot: QtBot) -> None:
    widget = _open(name, theme, qtbot)
    before = widget.grab().toImage().pixelColor(2, 2)
    theme.set_scheme("dark")
    QApplication.processEvents()
    after = widget.grab().toImage().pixelColor(2, 2)
    assert after.lightness() < before.lightness()
