"""Documents of single messages: Markdown without HTML, plain text, tables of values. They load nothing, ever (V3).

A document is made for one width and one theme and is thrown away when either changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QByteArray, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableFormat,
)

from chat_archive.core.model.titles import cut
from chat_archive.core.transcript_text import (
    BREAK,
    honoured_breaks,
    printed,
    readable,
    too_rich,
    without_pictures,
    wrappable,
)
from chat_archive.ui.theme import Theme
from chat_archive.ui.words import characters_more, translate

LINE_HEIGHT = 1.45
CODE_LINE_HEIGHT = 1.4
CODE_PADDING = 12
VALUE_LIMIT = 4_000
"""Characters of one value in a step's table; the Log tab shows all of it."""
_VALUES = 60
_HEADINGS = {1: 1.3, 2: 1.18, 3: 1.08}
_SEPARATORS = str.maketrans(
    {"\u2029": "\n", "\u2028": "\n", BREAK: None, "\ufdd0": "\n", "\ufdd1": "\n", "\ufffc": None}
)


class MessageDocument(QTextDocument):
    """A document that answers every wish for a resource itself: a 1x1 picture for pictures, nothing for all else.

    Returning nothing for a picture would make Qt open the file or address itself.
    """

    def __init__(self, theme: Theme, role: str = "text") -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setDefaultFont(theme.font(role))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        if kind == int(QTextDocument.ResourceType.ImageResource.value):
            empty = QImage(1, 1, QImage.Format.Format_ARGB32)
            empty.fill(Qt.GlobalColor.transparent)
            return empty
        return QByteArray()


def source_of(selected: str) -> str:
    """What goes to the clipboard for text taken from a document: our break marks gone, line ends as they were."""
    return selected.translate(_SEPARATORS)


def plain_document(theme: Theme, text: str, *, code: bool = False, color: str = "text") -> MessageDocument:
    """Plain text, wrapped anywhere where a run is too long."""
    document = MessageDocument(theme, "mono" if code else "text")
    document.setPlainText(wrappable(readable(text, terminal=code)))
    _set_lines(document, CODE_LINE_HEIGHT if code else LINE_HEIGHT)
    if color != "text":
        _tint(document, theme, color)
    return document


def markdown_document(theme: Theme, text: str) -> MessageDocument:
    """An answer as a page. Markdown that would take seconds to lay out is shown as the plain text it is."""
    text = readable(text)
    if too_rich(text):
        return plain_document(theme, text)
    document = MessageDocument(theme)
    features = QTextDocument.MarkdownFeature
    # read as `features` because the flags' `|` differs between the bindings' versions
    flags = features.MarkdownDialectGitHub | features.MarkdownNoHTML
    document.setMarkdown(wrappable(honoured_breaks(without_pictures(text))), flags)
    _dress(document, theme)
    return document


def values_document(theme: Theme, values: Sequence[tuple[str, str]], text: str, *, code: bool) -> MessageDocument:
    """The inside of a step: a table of keys and values, then the text. All plain, all selectable."""
    document = MessageDocument(theme, "mono" if code else "text")
    cursor = QTextCursor(document)
    if values:
        _insert_table(cursor, theme, values[:_VALUES])
        cursor.movePosition(QTextCursor.MoveOperation.End)
    if len(values) > _VALUES:
        cursor.insertText(values_more(len(values) - _VALUES) + "\n")
    if text:
        form = QTextBlockFormat()
        _set_height(form, document.defaultFont(), CODE_LINE_HEIGHT if code else LINE_HEIGHT)
        cursor.setBlockFormat(form)
        cursor.insertText(wrappable(readable(text, terminal=code)))
    elif values:
        # Qt keeps an empty paragraph after a table; it must not look like one
        tail = QTextBlockFormat()
        tail.setLineHeight(1, int(QTextBlockFormat.LineHeightTypes.FixedHeight.value))
        cursor.mergeBlockFormat(tail)
    return document


def title_case(key: str) -> str:
    """A key as section 4.7 shows it: blanks for underscores, first letters large."""
    words = readable(key.replace("_", " ")).replace("\n", " ").strip()
    return cut(" ".join(word[:1].upper() + word[1:] for word in words.split(" ")), 60) or "\u2014"


def values_more(count: int) -> str:
    return translate("transcript", "and %Ln more value(s), all in the Log tab", "", count)


def value_text(value: object) -> str:
    """A value of `kvps`: a list has one entry a line, an object is JSON; long ones are cut with their rest counted."""
    if isinstance(value, list) and value and all(isinstance(part, str | int | float | bool) for part in value):
        text = "\n".join(printed(part) for part in value[:200])
    else:
        text = printed(value) if value is not None else "null"
    if len(text) <= VALUE_LIMIT:
        return text
    return cut(text, VALUE_LIMIT) + "  " + characters_more(len(text) - VALUE_LIMIT)


def code_rects(document: QTextDocument) -> list[tuple[QRectF, int, int]]:
    """Rectangles of the code blocks, in document coordinates, with their first and last block number."""
    layout = document.documentLayout()
    found: list[tuple[QRectF, int, int]] = []
    block = document.begin()
    while block.isValid():
        if not is_code(block):
            block = block.next()
            continue
        first = block
        rect = QRectF(layout.blockBoundingRect(block))
        while block.next().isValid() and is_code(block.next()) and not _starts_code(block.next()):
            block = block.next()
            rect = rect.united(layout.blockBoundingRect(block))
        # the rectangle of a block leaves out its margins, which are our padding here
        found.append((rect.adjusted(0, -CODE_PADDING, 0, CODE_PADDING), first.blockNumber(), block.blockNumber()))
        block = block.next()
    return found


def is_code(block: QTextBlock) -> bool:
    return bool(block.blockFormat().property(_CODE_MARK))


def _starts_code(block: QTextBlock) -> bool:
    return bool(block.blockFormat().property(_CODE_MARK) == 2)


_CODE_MARK = int(QTextFormat.Property.UserProperty.value) + 1


def _set_height(form: QTextBlockFormat, font: QFont, times: float) -> None:
    """Lines of `times` the size of the font. At least: CJK faces and emoji are taller than others, and not clipped."""
    pixels = QFontInfo(font).pixelSize() * times
    form.setLineHeight(pixels, int(QTextBlockFormat.LineHeightTypes.MinimumHeight.value))


def _set_lines(document: QTextDocument, height: float) -> None:
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    line = QTextBlockFormat()
    _set_height(line, document.defaultFont(), height)
    cursor.mergeBlockFormat(line)


def _tint(document: QTextDocument, theme: Theme, color: str) -> None:
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    tint = QTextCharFormat()
    tint.setForeground(theme.color(color))
    cursor.mergeCharFormat(tint)


def _dress(document: QTextDocument, theme: Theme) -> None:
    """Line heights, code blocks, headings, links and tables of a freshly set Markdown document."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    base = theme.font("text")
    mono = theme.font("mono")
    block = document.begin()
    before_code = False
    fence_before: object = None
    while block.isValid():
        kept = QTextBlockFormat()
        fence = _fence_of(block)
        cursor.setPosition(block.position())
        if fence:
            starts = not before_code or (fence != fence_before and block.previous().isValid())
            following = block.next()
            ends = not following.isValid() or not _fence_of(following)
            kept.setProperty(_CODE_MARK, 2 if starts else 1)
            kept.setLeftMargin(CODE_PADDING)
            kept.setRightMargin(CODE_PADDING)
            kept.setTopMargin(CODE_PADDING + 4 if starts else 0)
            kept.setBottomMargin(CODE_PADDING + 4 if ends else 0)
            _set_height(kept, mono, CODE_LINE_HEIGHT)
            kept.setNonBreakableLines(False)
            before_code, fence_before = True, fence
            _set_chars(cursor, block, mono)
            cursor.setPosition(block.position())
        else:
            before_code = False
            level = block.blockFormat().headingLevel()
            font = QFont(base)
            if level:
                font.setPointSizeF(base.pointSizeF() * _HEADINGS.get(level, 1.0))
                font.setWeight(QFont.Weight.DemiBold)
                _set_chars(cursor, block, font)
                kept.setTopMargin(10 if block.blockNumber() else 0)
                kept.setBottomMargin(4)
            _set_height(kept, font, 1.3 if level else LINE_HEIGHT)
            _set_inline(cursor, block, theme, mono)
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(kept)
        block = block.next()
    _dress_tables(document, theme)
    cursor.endEditBlock()


def _fence_of(block: QTextBlock) -> object:
    """The fence or indented-code mark of a block as Qt's Markdown reader leaves it, None for prose."""
    form = block.blockFormat()
    if form.hasProperty(int(QTextFormat.Property.BlockCodeFence.value)):
        return form.property(int(QTextFormat.Property.BlockCodeFence.value)) or "`"
    if form.hasProperty(int(QTextFormat.Property.BlockCodeLanguage.value)):
        return "`"
    return "indent" if form.nonBreakableLines() else None


def _set_chars(cursor: QTextCursor, block: QTextBlock, font: QFont) -> None:
    cursor.setPosition(block.position())
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    form = QTextCharFormat()
    form.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
    cursor.mergeCharFormat(form)
    cursor.setBlockCharFormat(form)


def _set_inline(cursor: QTextCursor, block: QTextBlock, theme: Theme, mono: QFont) -> None:
    """Inline code in a fixed pitch on the code ground, links in the accent colour."""
    spans: list[tuple[int, int, bool]] = []
    part = block.begin()
    while not part.atEnd():
        fragment = part.fragment()
        form = fragment.charFormat()
        if form.isAnchor() or form.fontFixedPitch():
            spans.append((fragment.position(), fragment.length(), form.isAnchor()))
        part += 1
    for start, length, link in spans:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        if link:
            form.setForeground(theme.color("accent"))
            form.setFontUnderline(True)
        else:
            form.setFontFamilies(mono.families() or [mono.family()])
            form.setFontPointSize(mono.pointSizeF())
            form.setBackground(theme.color("code"))
        cursor.mergeCharFormat(form)


def _dress_tables(document: QTextDocument, theme: Theme) -> None:
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            form = frame.format()
            form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            form.setBorderBrush(theme.color("line"))
            form.setBorder(1)
            form.setBorderCollapse(True)
            form.setCellPadding(5)
            form.setCellSpacing(0)
            form.setTopMargin(6)
            form.setBottomMargin(6)
            frame.setFormat(form)


def _insert_table(cursor: QTextCursor, theme: Theme, values: Sequence[tuple[str, str]]) -> None:
    form = QTextTableFormat()
    form.setBorder(0)
    form.setCellPadding(3)
    form.setCellSpacing(0)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    form.setColumnWidthConstraints(
        [QTextLength(QTextLength.Type.PercentageLength, 24), QTextLength(QTextLength.Type.PercentageLength, 76)]
    )
    form.setBottomMargin(6)
    table = cursor.insertTable(len(values), 2, form)
    key_form = QTextCharFormat()
    key_form.setFont(theme.font("small"))
    key_form.setForeground(theme.color("muted"))
    value_form = QTextCharFormat()
    value_form.setFont(theme.font("mono"))
    for row, (key, value) in enumerate(values):
        table.cellAt(row, 0).firstCursorPosition().insertText(title_case(key), key_form)
        table.cellAt(row, 1).firstCursorPosition().insertText(wrappable(readable(value)), value_form)
