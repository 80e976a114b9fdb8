"""Scheme, colours, fonts and icons: one table of named colours in light and dark, nothing coloured outside it.

`Theme` is handed to every widget that paints. It emits `changed` after scheme or text size changed; who caches
pixmaps or colours drops them then.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QLocale, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory

from chat_archive.ui.resources import resource
from chat_archive.ui.style import style_sheet

LIGHT = {
    "window": "#f4f5f7",
    "base": "#ffffff",
    "raised": "#fbfbfc",
    "line": "#dfe2e7",
    "text": "#1c2430",
    "muted": "#566170",
    "accent": "#2458b8",
    "accent_soft": "#e3ecfb",
    "warning": "#7d5400",
    "warning_soft": "#fdf3d7",
    "danger": "#ad2e25",
    "danger_soft": "#fbe6e4",
    "ok": "#1a6641",
    "user": "#eef3fd",
    "code": "#f3f4f6",
    "sel": "#dfe9fb",
    "match": "#ffd24d",
    "match_soft": "#fde58f",
}

DARK = {
    "window": "#1b1e24",
    "base": "#22262d",
    "raised": "#272c34",
    "line": "#363c46",
    "text": "#e6e9ee",
    "muted": "#adb6c3",
    "accent": "#94baff",
    "accent_soft": "#2a3a57",
    "warning": "#e8bb4e",
    "warning_soft": "#3a3220",
    "danger": "#ff9d94",
    "danger_soft": "#43282a",
    "ok": "#74cfa2",
    "user": "#283246",
    "code": "#1a1d22",
    "sel": "#2b3c58",
    "match": "#775910",
    "match_soft": "#5a4716",
}

AGENTS_LIGHT = ("#2458b8", "#7840bf", "#0b6a62", "#8a4a00", "#a3215f", "#3f6300", "#00607f", "#7c3f2d")
AGENTS_DARK = ("#94baff", "#cdabff", "#6cd6c9", "#f2b880", "#ffa3c8", "#aed581", "#7fd3f2", "#e8b4a2")

SCALES = {"small": 0.85, "text": 1.0, "title": 1.25, "page": 1.6, "mono": 0.95}
_ICON_PIXELS = (16, 20, 24, 32, 40, 48)
_SMALLEST_POINTS = 10.0  # bare X11 and offscreen have no desktop font and offer 9 points


class Theme(QObject):
    """Colours by name, fonts by role, icons by name, for the scheme in force."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scheme = "system"
        self._scale = 1.0
        self._app: QApplication | None = None
        self._base_font: QFont | None = None
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._sources: dict[str, bytes] = {}
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_scheme)
        self._dark = self._wanted_dark()

    # what is in force

    @property
    def dark(self) -> bool:
        return self._dark

    @property
    def scheme(self) -> str:
        """ "system", "light" or "dark", as set."""
        return self._scheme

    @property
    def text_scale(self) -> float:
        return self._scale

    def set_scheme(self, scheme: str) -> None:
        """Take "light", "dark", or follow the desktop with "system"; any other value counts as "system"."""
        self._scheme = scheme if scheme in ("light", "dark") else "system"
        self._update(self._wanted_dark(), self._scale)

    def set_text_scale(self, scale: float) -> None:
        """Make all text `scale` times the system's size; kept within 0.7 and 3."""
        self._update(self._dark, min(3.0, max(0.7, float(scale))))

    def apply(self, app: QApplication) -> None:
        """Give `app` the Fusion style, our palette, fonts with fallbacks, and the style sheet; keeps it up to date."""
        self._app = app
        if self._base_font is None:
            self._base_font = QFont(app.font())
        style = QStyleFactory.create("Fusion")
        if style is not None:
            app.setStyle(style)
        self._restyle()

    # what widgets ask for

    def color(self, name: str) -> QColor:
        """A colour of the table by name, with '_' or '-'. Raises KeyError for a name that is not in it."""
        key = name.replace("-", "_")
        if len(key) == 2 and key[0] == "a" and key[1].isdigit():
            return self.agent_color(int(key[1]))
        return QColor((DARK if self._dark else LIGHT)[key])

    def agent_color(self, number: int) -> QColor:
        """The colour of agent `number`; they repeat after eight, since the name always stands beside it."""
        agents = AGENTS_DARK if self._dark else AGENTS_LIGHT
        return QColor(agents[max(0, number) % len(agents)])

    def font(self, role: str = "text", bold: bool = False) -> QFont:
        """A font of the type scale: "small", "text", "title", "page" or "mono"."""
        if role == "mono":
            font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            # "monospace" is only an alias: in a list with fallbacks a fallback would win over it
            font.setFamilies([QFontInfo(font).family(), *_fallbacks()])
        else:
            font = QFont(self._text_font())
        font.setPointSizeF(self._points() * SCALES[role])
        if bold or role in ("title", "page"):
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def icon(self, name: str, color: str = "text") -> QIcon:
        """The icon `name` of resources/icons in a colour of the table; empty when there is no such file."""
        key = (name, color)
        if key not in self._icons:
            self._icons[key] = self._make_icon(name, color)
        return self._icons[key]

    # inside

    def _wanted_dark(self) -> bool:
        if self._scheme == "system":
            return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._scheme == "dark"

    def _on_system_scheme(self, _scheme: Qt.ColorScheme) -> None:
        self._update(self._wanted_dark(), self._scale)

    def _update(self, dark: bool, scale: float) -> None:
        if (dark, scale) == (self._dark, self._scale):
            return
        self._dark, self._scale = dark, scale
        self._icons.clear()
        if self._app is not None:
            self._restyle()
        self.changed.emit()

    def _restyle(self) -> None:
        app = self._app
        if app is None:
            return
        app.setFont(self.font("text"))
        app.setPalette(self._palette())
        app.setStyleSheet(style_sheet(DARK if self._dark else LIGHT, self._points()))

    def _points(self) -> float:
        base = self._base_font or QApplication.font()
        size = base.pointSizeF()
        return max(size if size > 0 else _SMALLEST_POINTS, _SMALLEST_POINTS) * self._scale

    def _text_font(self) -> QFont:
        font = QFont(self._base_font or QApplication.font())
        own = [name for name in font.families() if name]
        installed = set(QFontDatabase.families())
        if not own or own[0] not in installed or own[0].casefold() in ("sans serif", "sans", "sans-serif"):
            # no desktop told us a font: take a good one, and never a bare alias, which loses against the fallbacks
            good: tuple[str, ...] = ("Inter", "Noto Sans", "DejaVu Sans")
            own = [*[name for name in good if name in installed][:1], QFontInfo(font).family()]
        font.setFamilies([*own, *_fallbacks()])
        return font

    def _palette(self) -> QPalette:
        role = QPalette.ColorRole
        palette = QPalette()
        table = {
            role.Window: "window",
            role.WindowText: "text",
            role.Base: "base",
            role.AlternateBase: "raised",
            role.Text: "text",
            role.Button: "raised",
            role.ButtonText: "text",
            role.BrightText: "danger",
            role.ToolTipBase: "raised",
            role.ToolTipText: "text",
            role.PlaceholderText: "muted",
            role.Highlight: "sel",
            role.HighlightedText: "text",
            role.Link: "accent",
            role.LinkVisited: "accent",
            role.Mid: "line",
            role.Midlight: "line",
            role.Dark: "line",
            role.Light: "raised",
            role.Accent: "accent",
        }
        for key, name in table.items():
            palette.setColor(key, self.color(name))
        palette.setColor(role.Shadow, self.color("line"))
        faint = self.faint()
        for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
            palette.setColor(QPalette.ColorGroup.Disabled, key, faint)
        return palette

    def faint(self) -> QColor:
        """The colour of what cannot be used now: between muted text and the ground."""
        muted, ground = self.color("muted"), self.color("window")
        return QColor(
            (muted.red() * 55 + ground.red() * 45) // 100,
            (muted.green() * 55 + ground.green() * 45) // 100,
            (muted.blue() * 55 + ground.blue() * 45) // 100,
        )

    def _make_icon(self, name: str, color: str) -> QIcon:
        if name not in self._sources:
            try:
                self._sources[name] = resource("icons", f"{name}.svg").read_bytes()
            except OSError:
                self._sources[name] = b""
        source = self._sources[name]
        icon = QIcon()
        if not source:
            return icon
        for mode, tint in ((QIcon.Mode.Normal, self.color(color)), (QIcon.Mode.Disabled, self.faint())):
            renderer = QSvgRenderer(QByteArray(source.replace(b"currentColor", tint.name().encode())))
            for pixels in _ICON_PIXELS:
                pixmap = QPixmap(pixels, pixels)
                pixmap.fill(Qt.GlobalColor.transparent)
                painter = QPainter(pixmap)
                renderer.render(painter, QRectF(0, 0, pixels, pixels))
                painter.end()
                icon.addPixmap(pixmap, mode)
        return icon


def _fallbacks() -> list[str]:
    """Families for scripts the main font lacks: CJK in the order the person's language asks for, then emoji."""
    language = QLocale.system().name()
    order = ["SC", "TC", "JP", "KR"]
    first = {"zh_TW": "TC", "zh_HK": "TC", "ja": "JP", "ko": "KR"}
    for prefix, region in first.items():
        if language.startswith(prefix):
            order.remove(region)
            order.insert(0, region)
    return [f"Noto Sans CJK {order[0]}", "Noto Color Emoji"]
