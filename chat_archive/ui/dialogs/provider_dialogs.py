"""Questions about responses at a provider: giving some up, reading the installation's keys, a key, base URLs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from chat_archive.core.provider.bases import BadBaseError, Base, parse_option
from chat_archive.core.provider.keys import Secret
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import Facts, Sheet, named
from chat_archive.ui.models.receipts_model import ReceiptLine
from chat_archive.ui.plain_text import ThemedLabel, breakable, shown
from chat_archive.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """A key that was typed in for one base URL; with `keep` it goes into the system's keyring."""

    base_url: str
    secret: Secret
    keep: bool


class ForgetQuestion(Sheet):
    """Before responses are given up. Enter never does it."""

    def __init__(self, theme: Theme, lines: Sequence[ReceiptLine], parent: QWidget | None = None) -> None:
        count = len(lines)
        super().__init__(theme, "", "", parent, width=560)
        self.heading.setText(self.tr("Give up %Ln response(s)?", "", count))
        self.setWindowTitle(self.tr("Give up %Ln response(s)", "", count))
        self.lead.setText(
            self.tr("(It|They) may stay stored at the provider, and nobody tries to delete (it|them) again.", "", count)
        )
        self.lead.show()
        facts = Facts(theme)
        facts.add(self.tr("Responses"), words.title_list([line.receipt.original for line in lines]), names=True)
        facts.add(self.tr("Getting it back"), self.tr("The receipt stays, so the id can be looked up here later."))
        self.body.addWidget(facts)
        cancel = self.add_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.forget_button = self.add_button(self.tr("Give up %Ln response(s)", "", count), "danger")
        self.forget_button.clicked.connect(self.accept)
        self.set_default(cancel)


class SharedQuestion(Sheet):
    """Before responses go that another chat still uses. Enter never does it."""

    def __init__(self, theme: Theme, lines: Sequence[ReceiptLine], parent: QWidget | None = None) -> None:
        count = len(lines)
        super().__init__(theme, "", "", parent, width=560)
        self.heading.setText(self.tr("Delete %Ln response(s) that other chats use?", "", count))
        self.setWindowTitle(self.tr("Delete %Ln shared response(s)", "", count))
        self.lead.setText(self.tr("Agent Zero may not be able to continue those chats where they stopped."))
        self.lead.show()
        facts = Facts(theme)
        facts.add(self.tr("Used by"), words.title_list([line.receipt.reason for line in lines]), names=True)
        facts.add(self.tr("Getting it back"), self.tr("Not possible. What the chats hold here stays as it is."))
        self.body.addWidget(facts)
        cancel = self.add_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.delete_button = self.add_button(self.tr("Delete %Ln response(s) all the same", "", count), "danger")
        self.delete_button.clicked.connect(self.accept)
        self.set_default(cancel)


class EnvQuestion(Sheet):
    """Whether the keys of an installation may be used; asked once for each root. `allowed` is the answer."""

    def __init__(self, theme: Theme, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("Use the keys of this installation?"), "", parent, width=560)
        self.allowed = False
        self.lead.setText(
            self.tr("To delete responses at the provider, a key is needed. The Agent Zero installation keeps its own.")
        )
        self.lead.show()
        facts = Facts(theme)
        facts.add(self.tr("File"), breakable(str(path)))
        facts.add(
            self.tr("If you agree"),
            self.tr("The file is read each time something is deleted. No key is copied, shown or written anywhere."),
        )
        facts.add(self.tr("Asked again"), self.tr("Not for this folder; the settings file remembers the answer."))
        self.body.addWidget(facts)
        no = self.add_button(self.tr("Do not use them"))
        no.clicked.connect(self.accept)
        yes = self.add_button(self.tr("Use the keys"), "primary")
        yes.clicked.connect(self._on_yes)
        self.set_default(no)

    def _on_yes(self) -> None:
        self.allowed = True
        self.accept()


class KeyDialog(Sheet):
    """A key for one of the base URLs that responses wait for."""

    def __init__(
        self, theme: Theme, bases: Sequence[tuple[Base, bool]], keyring: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, self.tr("Key for a provider"), "", parent, width=560)
        self.lead.setText(self.tr("The key is sent to this base URL only, and kept until the program is closed."))
        self.lead.show()
        self._bases = list(bases)
        self._box = QComboBox()
        for base, has_key in bases:
            text = self.tr("{name} at {url}").format(name=shown(base.name), url=shown(base.url))
            if has_key:
                text = self.tr("{base} (has a key)").format(base=text)
            self._box.addItem(text)
        first = next((number for number, (_, has_key) in enumerate(bases) if not has_key), 0)
        self._box.setCurrentIndex(first)
        self._field = QLineEdit()
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.textChanged.connect(self._on_changed)
        self._keep = QCheckBox(self.tr("Keep it in the &system's keyring"))
        self._keep.setEnabled(keyring)
        for label, control in ((self.tr("&Provider:"), self._box), (self.tr("&Key:"), self._field)):
            self.body.addWidget(named(ThemedLabel(theme, label), control))
            self.body.addWidget(control)
        self.body.addWidget(self._keep)
        if not keyring:
            text = self.tr("This system has no keyring that keeps keys.")
            self.body.addWidget(ThemedLabel(theme, text, role="small", color="muted", wrap=True))
        self.add_button(self.tr("Cancel")).clicked.connect(self.reject)
        self.use_button = self.add_button(self.tr("Use this key"), "primary")
        self.use_button.clicked.connect(self.accept)
        self.set_default(self.use_button)
        self._field.setFocus()
        self._on_changed()

    @property
    def choice(self) -> KeyChoice | None:
        text = self._field.text().strip()
        if not text or not self._bases:
            return None
        base, _ = self._bases[self._box.currentIndex()]
        return KeyChoice(base.url, Secret(text), self._keep.isChecked())

    def _on_changed(self) -> None:
        self.use_button.setEnabled(bool(self._field.text().strip()) and bool(self._bases))


class BasesDialog(Sheet):
    """The person's own base URLs, one a line. `lines` is what was typed, without empty lines."""

    def __init__(self, theme: Theme, lines: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("Base URLs"), "", parent, width=560)
        self.lead.setText(
            self.tr(
                "A response is only ever sent to a configured base URL. Beside the usual ones and those of the "
                "installation's own files, these count. One a line, for example openai=https://example.org/v1."
            )
        )
        self.lead.show()
        self._field = QPlainTextEdit("\n".join(lines))
        self._field.setTabChangesFocus(True)
        self._field.setProperty("look", "field")
        self._field.textChanged.connect(self._on_changed)
        self.body.addWidget(named(ThemedLabel(theme, self.tr("&Base URLs:")), self._field))
        self.body.addWidget(self._field)
        self._fault = ThemedLabel(theme, "", color="danger", wrap=True)
        self.body.addWidget(self._fault)
        self.add_button(self.tr("Cancel")).clicked.connect(self.reject)
        self.use_button = self.add_button(self.tr("Use these"), "primary")
        self.use_button.clicked.connect(self.accept)
        self.set_default(self.use_button)
        self._on_changed()

    @property
    def lines(self) -> list[str]:
        return [line.strip() for line in self._field.toPlainText().splitlines() if line.strip()]

    def _on_changed(self) -> None:
        fault = ""
        for line in self.lines:
            try:
                parse_option(line)
            except BadBaseError as error:
                fault = error.what
                break
        self._fault.setText(fault)
        self.use_button.setEnabled(not fault)
