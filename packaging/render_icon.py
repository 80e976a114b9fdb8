"""Draw the app icon as PNG, for places that cannot show SVG. Run after changing resources/app/chat-archive.svg."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "app"
SIZE = 256


def main() -> int:
    application = QGuiApplication(sys.argv)
    image = QImage(SIZE, SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(FOLDER / "chat-archive.svg")).render(painter)
    painter.end()
    target = FOLDER / "chat-archive-256.png"
    if not image.save(str(target)):
        print(f"{target} could not be written.", file=sys.stderr)
        return 1
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
