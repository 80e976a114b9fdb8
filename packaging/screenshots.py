"""Take the pictures of the README: the real window, off screen, on the sample archive.

    python packaging/screenshots.py [FOLDER] [NAME...]

Without names all of them are taken. FOLDER is resources/pictures by default.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
WAIT_MS = 20_000

sys.path.insert(0, str(REPOSITORY))


@dataclass(frozen=True)
class Picture:
    """One picture: the chat that is selected ("" for none), the number of the tab, and how it looks."""

    chat: str = ""
    tab: int = 1
    scheme: str = "light"
    width: int = 1360
    height: int = 860
    scale: float = 1.0
    sample: bool = True


# the README shows the first two; the others are for looking at every part of the window
PICTURES = {
    "main-light": Picture("Tide4Gau"),
    "main-dark": Picture("Tide4Gau", scheme="dark"),
}
MORE = {
    "agents": Picture("Tide4Gau", 2),
    "log": Picture("Tide4Gau", 3),
    "history": Picture("Tide4Gau", 4),
    "files": Picture("PlumPic3", 5),
    "raw": Picture("Tide4Gau", 6),
    "chinese": Picture("YanChao8"),
    "pictures": Picture("PlumPic3"),
    "damaged": Picture("Cut0ffXy"),
    "damaged-dark": Picture("Cut0ffXy", scheme="dark"),
    "nothing-selected": Picture(),
    "first-run": Picture(sample=False),
    "large-text": Picture("Tide4Gau", scale=1.5),
    "narrow": Picture("Tide4Gau", width=820, height=700),
}


def main() -> int:
    words = sys.argv[1:]
    target = Path(words[0]) if words else REPOSITORY / "resources" / "pictures"
    wanted = {**PICTURES, **MORE}
    names = words[1:] or (list(PICTURES) if not words else list(wanted))
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        _use_home(Path(home))
        for name in names:
            _take(wanted[name], target / f"{name}.png", Path(home))
    return 0


def _use_home(home: Path) -> None:
    """A person with nothing set, so that the pictures are the same for everybody."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["TZ"] = "Europe/Berlin"
    time.tzset()
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
        folder = home / name.lower()
        folder.mkdir(mode=0o700)
        os.environ[name] = str(folder)


def _take(picture: Picture, file: Path, home: Path) -> None:
    from chat_archive.core.entities import Folder
    from chat_archive.core.sample import sample_root
    from chat_archive.core.settings import Settings
    from chat_archive.ui.application import build_window, make_application
    from chat_archive.ui.choices import Choices
    from chat_archive.ui.models.chat_order import ChatKey

    app = make_application()
    window = build_window(choices=Choices(Settings(theme=picture.scheme, text_scale=picture.scale)))
    window.resize(picture.width, picture.height)
    if picture.sample:
        root = sample_root(REPOSITORY / "resources" / "sample", home / "agent-zero")
        window.commands.open_root(root)
    else:
        window.commands.show_first_run("")
    window.show()
    _settle(app, window)
    if picture.chat:
        key = ChatKey(root, Folder(picture.chat))
        window.pane.list.select([key], key)
        _settle(app, window)
        window.commands.show_tab(picture.tab - 1)
        _settle(app, window)
    if not window.grab().save(str(file)):
        raise SystemExit(f"{file} could not be written.")
    window.close()
    _settle(app, window)


def _settle(app: object, window: object) -> None:
    """Let the window finish what it does: until nothing ran for a while."""
    from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from chat_archive.ui.main_window import MainWindow

    assert isinstance(app, QApplication)
    assert isinstance(window, MainWindow)
    end = QDeadlineTimer(WAIT_MS)
    quiet = 0
    while quiet < 3:
        loop = QEventLoop()
        QTimer.singleShot(120, loop, loop.quit)
        loop.exec()
        quiet = 0 if window.runner.busy or window.unsettled else quiet + 1
        if end.hasExpired():
            raise SystemExit("The window did not come to rest.")


if __name__ == "__main__":
    sys.exit(main())
