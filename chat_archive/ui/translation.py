"""Languages of the window: English plurals without a compiled file, real translations when there are any.

Source texts are English sentences with `%n` (or `%Ln`, with the locale's separators) for counts and their plural
written as "chat(s)" or "(was|were)". A translation file brings its own plural forms; English gets them from
`EnglishPlurals`, so that "1 chat(s)" is never on a screen.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator

_CHOICE = re.compile(r"\(([^()|]*)\|([^()|]*)\)")
_ENDING = re.compile(r"(?<=\w)\((s|es)\)")
_KEPT = re.compile(r"(%L?n|%\d+|\{[^{}]*\}|&(?=\w)|\n)")
_PATTERN = re.compile(r"[dMyHhms ,.:/-]+")  # how a date is written
_WIDER = str.maketrans("aeiouyAEIOUYcnsz", "àéîöûÿÀÉÎÖÛÝçñšž")


def english(source: str, count: int) -> str:
    """The English form of a source text for a count: "%n chat(s) (was|were)" -> "%n chats were"."""
    one = count == 1
    text = _CHOICE.sub(lambda found: found[1] if one else found[2], source)
    return _ENDING.sub("" if one else r"\1", text)


def pseudo(text: str) -> str:
    """A text half as long again, in brackets, with accents; placeholders and the shortcut mark are kept."""
    parts = [part if _KEPT.fullmatch(part) else part.translate(_WIDER) for part in _KEPT.split(text)]
    stretched = "".join(parts)
    more = max(2, len(text) // 2)
    filler = (" òñé ţŵö ţĥŕéé" * (more // 13 + 1))[:more].rstrip()
    return f"[{stretched}{filler}]"


class EnglishPlurals(QTranslator):
    """Asked last: gives every text back, with the plural chosen where a count was given."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, source: str, note: str | None = None, count: int = -1) -> str:
        return source if count < 0 else english(source, count)


class PseudoLanguage(EnglishPlurals):
    """Stretches every text of this program. For tests: what is cut or not translated is seen at once."""

    def translate(self, context: str, source: str, note: str | None = None, count: int = -1) -> str:
        text = super().translate(context, source, note, count)
        # Qt asks for the layout's direction and key names through the same door
        if not source or context.startswith("Q") or _PATTERN.fullmatch(source):
            return text
        return pseudo(text)


def words_locale() -> QLocale:
    """The locale of the words on the screen, for names of months: English until a translation is installed."""
    return QLocale(QLocale.Language.English)


def install(app: QCoreApplication, folder: Path | None = None) -> list[QTranslator]:
    """Install the plurals, then Qt's own and this program's translation for the system's language, if there are any.

    `folder` holds `chat-archive_<language>.qm`. Calling twice does nothing. Returns what is installed.
    """
    already = app.property("_chat_archive_translators")
    if isinstance(already, list):
        return already
    if QLocale().language() == QLocale.Language.C:
        # the C locale writes 1234567 without separators and has no words of its own
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    installed: list[QTranslator] = [EnglishPlurals(_owner(app))]
    locale = QLocale()
    if folder is not None and folder.is_dir():
        ours = QTranslator(_owner(app))
        if ours.load(locale, "chat-archive", "_", str(folder)):
            qt = QTranslator(_owner(app))
            if qt.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
                installed.append(qt)
            installed.append(ours)
    for translator in installed:
        app.installTranslator(translator)
    app.setProperty("_chat_archive_translators", installed)
    return installed


def _owner(app: QCoreApplication) -> QObject:
    return app
