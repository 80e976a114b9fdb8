"""A window of another program with one item that drags a file. For the test of a real drag between processes.

`python drag_source.py FILE X Y`: shows at X, Y and prints the middle of the item on the screen.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class Source(QLabel):
    def __init__(self, path: str) -> None:
        super().__init__("drag me")
        self._path = path
        self._pressed = QPoint()
        self.setWindowFlag(Qt.WindowType.X11BypassWindowManagerHint)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.resize(160, 80)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if (event.position().toPoint() - self._pressed).manhattanLength() < QApplication.startDragDistance():
            return
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(self._path)])
        drag = QDrag(self)
        drag.setMimeData(mime)
        result = drag.exec(Qt.DropAction.CopyAction)
        print("dropped" if result == Qt.DropAction.CopyAction else "not taken", flush=True)


def main() -> int:
    app = QApplication(sys.argv[:1])
    source = Source(sys.argv[1])
    source.move(int(sys.argv[2]), int(sys.argv[3]))
    source.show()

    def tell() -> None:
        middle = source.mapToGlobal(source.rect().center())
        print(f"ready {middle.x()} {middle.y()}", flush=True)

    QTimer.singleShot(200, tell)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
