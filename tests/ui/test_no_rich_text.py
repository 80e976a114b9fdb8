"""V2 as a lint: text from outside has no way into a widget that reads it as markup."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

UI = Path(__file__).resolve().parents[2] / "chat_archive" / "ui"
FILES = sorted(UI.rglob("*.py"))
NAMES = [str(path.relative_to(UI)) for path in FILES]

_FORBIDDEN = {"QErrorMessage", "QWhatsThis", "QSplashScreen", "QWizard", "QWizardPage"}
_GUESSING = {"QLabel", "QMessageBox", "setInformativeText"}  # take text for markup unless told otherwise
_MARKUP_CALLS = {"setHtml", "insertHtml", "setMarkdown", "setWhatsThis"}
_STATIC_BOXES = {"information", "question", "warning", "critical", "about", "aboutQt"}
_TRUSTED_CALLS = {"tr", "translate", "tool_tip"}


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Classes count as one place: a label made in one method may be told in another."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node


def _sets_plain_text(node: ast.AST) -> bool:
    return any(
        isinstance(call, ast.Call) and _called(call) == "setTextFormat" and "PlainText" in ast.dump(call)
        for call in ast.walk(node)
    )


def _picture_holders(tree: ast.AST) -> set[int]:
    """Lines with a `QLabel()` that is given no text, now or later: it holds an icon."""
    texts = {
        ast.unparse(call.func.value)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "setText"
    }
    return {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and _called(node.value) == "QLabel"
        and not node.value.args
        and not {ast.unparse(target) for target in node.targets} & texts
    }


def problems(source: str, *, name: str = "") -> list[str]:
    """What breaks the rule in the text of the file `name`."""
    tree = ast.parse(source)
    own_labels = name == "plain_text.py"  # makes the plain label itself
    markdown = name == "text_document.py"  # the browser class of V3, with HTML switched off
    holders = _picture_holders(tree)
    found: list[str] = []
    plain_spans = [(node.lineno, node.end_lineno or node.lineno) for node in _functions(tree) if _sets_plain_text(node)]
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in _FORBIDDEN:
                found.append(f"{line}: {name}")
        if isinstance(node, ast.ImportFrom):
            found += [f"{line}: {alias.name}" for alias in node.names if alias.name in _FORBIDDEN]
        if isinstance(node, ast.Attribute) and node.attr in ("RichText", "AutoText", "MarkdownText"):
            found.append(f"{line}: {node.attr}")
        if isinstance(node, ast.ClassDef) and not own_labels:
            bases = {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}
            if bases & _GUESSING and not _sets_plain_text(node):
                found.append(f"{line}: class {node.name} is a label that guesses")
        if isinstance(node, ast.Call):
            name = _called(node)
            if name == "QLabel" and line in holders:
                continue
            if name in _GUESSING and not any(start <= line <= end for start, end in plain_spans):
                found.append(f"{line}: {name}() without setTextFormat(PlainText)")
            if name in _MARKUP_CALLS and not (markdown and name == "setMarkdown" and "NoHTML" in source):
                found.append(f"{line}: {name}()")
            if name in _STATIC_BOXES and "QMessageBox" in ast.dump(node.func):
                found.append(f"{line}: QMessageBox.{name}() guesses its format")
    return found


def _trusted(node: ast.expr, trusted_names: set[str]) -> bool:
    """Whether a tool tip is ours from start to end, or escaped."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.IfExp):
        return _trusted(node.body, trusted_names) and _trusted(node.orelse, trusted_names)
    if isinstance(node, ast.BoolOp):
        return all(_trusted(part, trusted_names) for part in node.values)
    if isinstance(node, ast.JoinedStr):
        values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        return all(_trusted(value, trusted_names) for value in values)
    if isinstance(node, ast.Name):
        return node.id in trusted_names
    if isinstance(node, ast.Attribute):
        return node.attr in ("tip",)  # of a declared shortcut or action
    if isinstance(node, ast.Call):
        name = _called(node)
        if name in _TRUSTED_CALLS:
            return True
        if name == "format" and isinstance(node.func, ast.Attribute):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            return _trusted(node.func.value, trusted_names) and all(_trusted(v, trusted_names) for v in values)
        return name in ("toString", "number_text", "size_text", "size_exact", "exact_time", "strip", "keys_text")
    return False


def _own_parameters(tree: ast.AST, scope: ast.FunctionDef) -> set[str]:
    """Parameters of a private function to which the file itself never gives anything but words of ours."""
    if not scope.name.startswith("_") or scope.name.startswith("__"):
        return set()
    names = [argument.arg for argument in scope.args.args if argument.arg not in ("self", "cls")]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) == scope.name]
    own = set()
    for place, name in enumerate(names):
        given = [call.args[place] for call in calls if len(call.args) > place]
        if given and len(given) == len(calls) and all(_trusted(value, set()) for value in given):
            own.add(name)
    return own


def tool_tip_problems(source: str) -> list[str]:
    """Tool tips that may hold text from outside and are not escaped."""
    tree = ast.parse(source)
    found: list[str] = []
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef):
            continue
        names = _own_parameters(tree, scope)
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and _trusted(node.value, names):
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple) and isinstance(node.iter, ast.Tuple):
                names |= {part.id for part in node.target.elts if isinstance(part, ast.Name)}
        for node in ast.walk(scope):
            if (
                isinstance(node, ast.Call)
                and _called(node) == "setToolTip"
                and node.args
                and not _trusted(node.args[-1], names)
            ):
                found.append(f"{node.lineno}: setToolTip({ast.unparse(node.args[-1])})")
    return sorted(set(found))


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_v2_nothing_guesses_whether_text_is_markup(path: Path) -> None:
    assert problems(path.read_text(encoding="utf-8"), name=path.name) == []


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_v2_tool_tips_are_ours_or_escaped(path: Path) -> None:
    assert tool_tip_problems(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "QLabel(title)",
        "label = QLabel()\nlabel.setText(title)",
        "def f():\n    box = QMessageBox(self)\n    box.setText(title)",
        "class L(QLabel):\n    pass",
        "QMessageBox.warning(self, 'a', title)",
        "from PySide6.QtWidgets import QErrorMessage",
        "view.setHtml(text)",
        "label.setTextFormat(Qt.TextFormat.RichText)",
        "QWhatsThis.showText(place, text)",
    ],
)
def test_the_lint_finds_each_way_to_slip(source: str) -> None:
    assert problems(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(label):\n    label.setToolTip(row.title)",
        "def f(label):\n    label.setToolTip(f'{row.title} is here')",
        "def _f(self, name):\n    b.setToolTip(name)\ndef g(self):\n    self._f(row.title)",
        "def f(label):\n    text = row.title\n    label.setToolTip(text)",
        "def f(self, label):\n    label.setToolTip(self.tr('From {x}').format(x=row.title))",
    ],
)
def test_the_lint_finds_raw_tool_tips(source: str) -> None:
    assert tool_tip_problems(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(label):\n    label.setToolTip(tool_tip(row.title))",
        "def f(self, label):\n    label.setToolTip(self.tr('Close'))",
        "def _f(self, name):\n    b.setToolTip(name)\ndef g(self):\n    self._f(self.tr('Close'))",
        "def f(self, label):\n    tip = self.tr('Close')\n    label.setToolTip(tip if tip else '')",
    ],
)
def test_the_lint_lets_good_tool_tips_pass(source: str) -> None:
    assert tool_tip_problems(source) == []
