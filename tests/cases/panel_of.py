"""The input of a handed case, shown in the detail area. Looking changes nothing, so it is opened where it lies."""

from __future__ import annotations

from chat_archive.core.transcript import Entry
from chat_archive.ui.views.detail_panel import DetailPanel
from chat_archive.ui.views.transcript_words import line_text, notice_text
from tests.ui.conftest import _nothing_left_running, inline_runner, theme  # noqa: F401 - fixtures
from tests.ui.pages.conftest import english, panel, show  # noqa: F401 - fixtures


def entries_of(shown: DetailPanel) -> list[Entry]:
    """The entries of the transcript on the screen, in order."""
    return list(dict.fromkeys(row.entry for row in shown.transcript.model.rows))


def notices_of(shown: DetailPanel) -> list[str]:
    """What our own notices in the transcript say."""
    return [notice_text(entry) for entry in entries_of(shown) if entry.notice is not None]


def texts_of(shown: DetailPanel) -> list[str]:
    """The words of all entries that are no notices: lines of steps, texts of the rest."""
    return [line_text(entry) if entry.foldable else entry.text for entry in entries_of(shown) if entry.notice is None]
