"""Paints one row of the transcript: blocks, step lines, pages of text, pictures. Knows no mouse and no keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from chat_archive.core.model.titles import one_line
from chat_archive.core.transcript import Kind, Notice, Transcript
from chat_archive.ui.models.transcript_model import Part, Row
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_document import code_rects
from chat_archive.ui.views.transcript_layout import (
    BODY_PADDING,
    INDENT,
    PADDING,
    TEXT_INSET,
    TranscriptLayout,
)
from chat_archive.ui.views.transcript_pictures import PictureStore, picture_name
from chat_archive.ui.views.transcript_words import (
    ICONS,
    alone_heading,
    clock_text,
    header_name,
    header_note,
    line_spans,
    more_text,
    pill_text,
    translate,
)
from chat_archive.ui.words import duration_text

_RADIUS = 7.0


@dataclass(slots=True)
class Painted:
    """What a row is painted with besides its own content."""

    selected: tuple[int, int] | None = None
    hits: Sequence[tuple[int, int]] = ()
    current_hit: int = -1
    line_hit: bool = False
    hovered: bool = False
    focused: bool = False
    first_of_block: bool = True
    last_of_block: bool = True
    copies: list[tuple[QRectF, int, int]] = field(default_factory=list)  # filled: where "Copy" of code stands


class TranscriptPainter:
    """Colours and fonts of one theme; rows come in page coordinates already moved to the painter's origin."""

    def __init__(self, theme: Theme, layout: TranscriptLayout, pictures: PictureStore) -> None:
        self._theme = theme
        self._layout = layout
        self._pictures = pictures
        self.transcript = Transcript([], {}, 0)
        self.zone: tzinfo | None = None
        self.restyle()

    def restyle(self) -> None:
        """Take fonts of the theme anew."""
        theme = self._theme
        self._text = theme.font("text")
        self._bold = theme.font("text", bold=True)
        self._small = theme.font("small")
        self._small_bold = theme.font("small", bold=True)
        self._mono = theme.font("mono")

    def paint(self, painter: QPainter, row: Row, span: tuple[float, float], with_: Painted, clip: QRectF) -> None:
        """Paint `row` whose content, without the gap above, has this (top, height); x = 0 is the column's left edge."""
        top, height = span
        if row.part is Part.LINE:
            self._line(painter, row, top, height, with_)
        elif row.part is Part.PICTURE:
            self._picture(painter, row, top, height, with_)
        elif row.part is Part.MORE:
            self._more(painter, row, top, height, with_)
        else:
            self._block(painter, row, top, height, with_)
            self._words(painter, row, top, with_, clip)
        if with_.focused:
            self._focus(painter, row, top, height)

    # blocks of text

    def _block(self, painter: QPainter, row: Row, top: float, height: float, with_: Painted) -> None:
        layout, entry = self._layout, row.entry
        if row.part is Part.BODY:
            self._edge(painter, row, top, height)
            left = layout.text_left(row)
            rect = QRectF(left, top, layout.column - left, height)
            self._fill(painter, rect, self._theme.color("code"), with_, line=True)
            return
        if layout.tinted(row):
            ground = {Kind.USER: "user", Kind.NOTICE: "warning_soft"}.get(entry.kind, "raised")
            if entry.kind is Kind.ALONE:
                ground = {"error": "danger_soft", "warning": "warning_soft", "rate_limit": "warning_soft"}.get(
                    entry.type, "raised"
                )
            rect = QRectF(0, top, layout.column, height)
            self._fill(painter, rect, self._theme.color(ground), with_, line=ground == "raised")
        if row.part is Part.NOTICE:
            icon = self._theme.icon("info", "warning")
            icon.paint(painter, QRectF(PADDING - 2, top + 9, 18, layout.metrics.text_line).toRect())
        elif row.page == 0:
            self._header(painter, row, top + (8 if layout.tinted(row) else 0))

    def _header(self, painter: QPainter, row: Row, top: float) -> None:
        layout, entry, theme = self._layout, row.entry, self._theme
        left = float(PADDING if layout.tinted(row) else 0)
        height = layout.metrics.header
        name = header_name(entry, self.transcript)
        if entry.kind is Kind.ANSWER:
            color = theme.agent_color(self.transcript.speaker(entry.agent).depth)
        elif entry.kind is Kind.ALONE:
            color = theme.color({"error": "danger", "warning": "warning"}.get(entry.type, "text"))
            icon = ICONS.get(entry.line.action, "note")
            ground = {"error": "danger", "warning": "warning"}.get(entry.type, "muted")
            theme.icon(icon, ground).paint(painter, QRectF(left, top + height / 2 - 8, 16, 16).toRect())
            left += 22
        else:
            color = theme.color("muted")
        left = self._put(painter, name, self._small_bold, color, (left, top, height))
        clock = clock_text(entry.time, self.zone)
        note = header_note(entry, self.transcript)
        for text in (clock, note):
            if text:
                left = self._put(painter, text, self._small, theme.color("muted"), (left + 8, top, height))
        heading = alone_heading(entry) if entry.kind is Kind.ALONE else ""
        if heading:
            room = layout.column - 2 * PADDING
            shown = QFontMetricsF(self._bold).elidedText(heading, Qt.TextElideMode.ElideRight, room)
            line = layout.metrics.text_line
            self._put(painter, shown, self._bold, theme.color("text"), (PADDING, top + height, line))

    def _words(self, painter: QPainter, row: Row, top: float, with_: Painted, clip: QRectF) -> None:
        layout = self._layout
        document = layout.document(row)
        left = layout.text_left(row) + (BODY_PADDING if row.part is Part.BODY else 0)
        y = top + layout.text_top(row)
        painter.save()
        painter.translate(left, y)
        inner = clip.translated(-left, -y)
        if row.entry.kind is Kind.ANSWER and row.part is Part.TEXT:
            self._code_grounds(painter, document, with_, QPointF(left, y))
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = context.palette
        palette.setColor(QPalette.ColorRole.Text, self._theme.color("text"))
        palette.setColor(QPalette.ColorRole.Link, self._theme.color("accent"))
        context.palette = palette
        context.clip = inner
        context.selections = self._selections(document, with_)
        document.documentLayout().draw(painter, context)
        painter.restore()

    def _selections(self, document: QTextDocument, with_: Painted) -> list[QAbstractTextDocumentLayout.Selection]:
        found = []
        spans = [(span, "match" if at == with_.current_hit else "match_soft") for at, span in enumerate(with_.hits)]
        if with_.selected is not None:
            spans.append((with_.selected, "selection"))
        end = document.characterCount() - 1
        for (start, stop), color in spans:
            selection = QAbstractTextDocumentLayout.Selection()
            cursor = QTextCursor(document)
            cursor.setPosition(min(start, end))
            cursor.setPosition(min(stop, end), QTextCursor.MoveMode.KeepAnchor)
            form = QTextCharFormat()
            if color == "selection":
                form.setBackground(self._theme.color("accent"))
                form.setForeground(self._theme.color("base"))
            else:
                form.setBackground(self._theme.color(color))
                form.setForeground(self._theme.color("text"))
            selection.cursor = cursor
            selection.format = form
            found.append(selection)
        return found

    def _code_grounds(self, painter: QPainter, document: QTextDocument, with_: Painted, at: QPointF) -> None:
        theme = self._theme
        painter.setFont(self._small)
        metrics = QFontMetricsF(self._small)
        label = translate("transcript", "Copy")
        for rect, first, last in code_rects(document):
            block = QRectF(0, rect.top() + 2, document.textWidth(), rect.height() - 4)
            painter.setPen(QPen(theme.color("line"), 1))
            painter.setBrush(theme.color("code"))
            painter.drawRoundedRect(block.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
            width = metrics.horizontalAdvance(label)
            place = QRectF(block.right() - width - 16, block.top() + 3, width + 12, metrics.height() + 6)
            painter.setPen(theme.color("muted"))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, label)
            with_.copies.append((place.translated(at), first, last))

    # lines of steps

    def _line(self, painter: QPainter, row: Row, top: float, height: float, with_: Painted) -> None:
        layout, entry, theme = self._layout, row.entry, self._theme
        self._edge(painter, row, top, height)
        left = float(entry.depth * INDENT)
        if with_.hovered:
            ground = QRectF(left + 6, top + 1, layout.column - left - 6, height - 2)
            self._round(painter, ground, theme.color("user"))
        tint = {"warning": "warning", "error": "danger"}.get(entry.type, "muted")
        name = (
            "info" if entry.notice is not None else "list" if entry.kind is Kind.SUMMARY else ICONS[entry.line.action]
        )
        if row.expanded:
            name = "chevron-down"
        theme.icon(name, tint).paint(painter, QRectF(left + 12, top + height / 2 - 8, 16, 16).toRect())
        right = layout.column - 10
        if entry.duration is not None:
            text = duration_text(entry.duration)
            width = QFontMetricsF(self._small).horizontalAdvance(text)
            self._put(painter, text, self._small, theme.color("muted"), (right - width, top, height))
            right -= width
        right -= 16
        pill = pill_text(entry)
        pill_width = QFontMetricsF(self._small).horizontalAdvance(pill) + 16 if pill else 0.0
        right -= pill_width + 10 if pill else 0
        end = self._spans(painter, row, QRectF(left + TEXT_INSET, top, right - left - TEXT_INSET, height), with_)
        if pill:
            self._pill(painter, pill, QRectF(end + 10, top, pill_width, height), entry.recovered is not None)

    def _spans(self, painter: QPainter, row: Row, room: QRectF, with_: Painted) -> float:
        left, right, top, height = room.left(), room.right(), room.top(), room.height()
        theme = self._theme
        if with_.line_hit:
            hit = QRectF(left - 4, top + 3, right - left + 4, height - 6)
            self._round(painter, hit, theme.color("match_soft"))
        for span in line_spans(row.entry):
            font = {"verb": self._bold, "code": self._mono}.get(span.style, self._text)
            color = theme.color("text" if span.style in ("verb", "code") else "muted")
            free = right - left
            if free < 24:
                break
            metrics = QFontMetricsF(font)
            text = metrics.elidedText(span.text, Qt.TextElideMode.ElideRight, free - (8 if span.style == "code" else 0))
            if span.style == "code":
                width = metrics.horizontalAdvance(text) + 8
                ground = QRectF(left, top + height / 2 - metrics.height() / 2 - 1, width, metrics.height() + 2)
                self._round(painter, ground, theme.color("code"), 3)
                self._put(painter, text, font, color, (left + 4, top, height))
                left += width + 7
            else:
                left = self._put(painter, text, font, color, (left, top, height)) + 6
        return left - 6

    def _pill(self, painter: QPainter, text: str, room: QRectF, good: bool) -> None:
        left, top, width, height = room.left(), room.top(), room.width(), room.height()
        color = self._theme.color("ok" if good else "muted")
        tall = QFontMetricsF(self._small).height() + 3
        rect = QRectF(left, top + (height - tall) / 2, width, tall)
        painter.setPen(QPen(color, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), tall / 2, tall / 2)
        self._put(painter, text, self._small, color, (left + 8, top, height))

    def _edge(self, painter: QPainter, row: Row, top: float, height: float) -> None:
        entry = row.entry
        if entry.kind is Kind.NOTICE or entry.notice is Notice.NOT_UNDERSTOOD:
            color = self._theme.color("warning")
        else:
            color = self._theme.agent_color(self.transcript.speaker(entry.agent).depth)
        painter.fillRect(QRectF(entry.depth * INDENT, top, 2, height), color)

    # pictures and the rest

    def _picture(self, painter: QPainter, row: Row, top: float, height: float, with_: Painted) -> None:
        layout, theme = self._layout, self._theme
        left = layout.text_left(row)
        if layout.in_step(row):
            self._edge(painter, row, top - 8, height + 8)
        elif layout.tinted(row):
            self._fill(painter, QRectF(0, top, layout.column, height), theme.color("user"), with_)
        room = QRectF(left, top + 4, layout.text_width(row), height - 8)
        image = self._pictures.image(row.picture) if row.expanded else None
        if image is not None:
            size = image.deviceIndependentSize()
            scale = layout.picture_scale(row, size)
            target = QRectF(room.left(), room.top(), size.width() * scale, size.height() * scale)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(target, image)
            return
        self._file_line(painter, row, room)

    def _file_line(self, painter: QPainter, row: Row, room: QRectF) -> None:
        theme, metrics = self._theme, self._layout.metrics
        name = one_line(picture_name(row.picture), 120)
        if not row.expanded:
            texts = self._absent(row.picture, name)
        elif self._pictures.failed(row.picture):
            texts = translate("transcript", "{name}: this picture cannot be shown").format(
                name=name or translate("transcript", "embedded picture")
            )
        else:
            texts = translate("transcript", "Reading {name}").format(name=name) if name else ""
        line = min(room.height(), metrics.step)
        theme.icon("file" if row.picture.startswith("attachment:") else "image", "muted").paint(
            painter, QRectF(room.left(), room.top() + line / 2 - 8, 16, 16).toRect()
        )
        shown = QFontMetricsF(self._small).elidedText(texts, Qt.TextElideMode.ElideMiddle, room.width() - 24)
        self._put(painter, shown, self._small, theme.color("muted"), (room.left() + 24, room.top(), line))

    def _absent(self, address: str, name: str) -> str:
        if address.startswith("attachment:"):
            return translate("transcript", "{name} (attached, kept outside the chat)").format(name=name)
        if address.startswith(("http:", "https:")):
            return translate("transcript", "{name} (a picture on the network, not fetched)").format(name=name)
        return translate("transcript", "{name} (picture missing)").format(name=name)

    def _more(self, painter: QPainter, row: Row, top: float, height: float, with_: Painted) -> None:
        layout = self._layout
        if layout.in_step(row):
            self._edge(painter, row, top, height)
        elif layout.tinted(row):
            self._fill(painter, QRectF(0, top, layout.column, height), self._theme.color("user"), with_)
        font = QFont(self._small)
        font.setUnderline(with_.hovered)
        left = layout.text_left(row) + (BODY_PADDING if layout.in_step(row) else 0)
        self._put(painter, more_text(row.chars), font, self._theme.color("accent"), (left, top, height))

    def _focus(self, painter: QPainter, row: Row, top: float, height: float) -> None:
        left = float(row.entry.depth * INDENT) if self._layout.in_step(row) else -6.0
        rect = QRectF(left, top, self._layout.column - left + 6, height)
        painter.setPen(QPen(self._theme.color("accent"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    # small things

    def _put(self, painter: QPainter, text: str, font: QFont, color: QColor, at: tuple[float, float, float]) -> float:
        """Draw one line at (left, top), centred in a height; returns where it ends."""
        left, top, height = at
        width = QFontMetricsF(font).horizontalAdvance(text)
        painter.setFont(font)
        painter.setPen(color)
        place = QRectF(left, top, width + 4, height)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
        painter.drawText(place, flags | int(Qt.TextFlag.TextSingleLine), text)
        return left + width

    def _round(self, painter: QPainter, rect: QRectF, color: QColor, radius: float = 4.0) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(rect, radius, radius)

    def _fill(self, painter: QPainter, rect: QRectF, color: QColor, with_: Painted, *, line: bool = False) -> None:
        """A block that goes on over several rows is round only where it begins and ends."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        tall = rect.adjusted(
            0, 0 if with_.first_of_block else -2 * _RADIUS, 0, 0 if with_.last_of_block else 2 * _RADIUS
        )
        path.addRoundedRect(tall.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.save()
        painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        painter.fillPath(path, color)
        if line:
            painter.setPen(QPen(self._theme.color("line"), 1))
            painter.drawPath(path)
        painter.restore()
