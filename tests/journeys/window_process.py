"""The window in a process of its own on a real X server; every question is answered with yes.

`python window_process.py ROOT X Y`: prints `ready` once the chats are listed, then one line per import.
"""

from __future__ import annotations

import sys
from pathlib import Path

from chat_archive.core.settings import Settings
from chat_archive.ui import application
from chat_archive.ui.choices import Choices
from tests.fakes import FakePrompts


def main() -> int:
    app = application.make_application()
    window = application.build_window(choices=Choices(Settings(), save=lambda _s: None), prompts=FakePrompts())
    window.resize(900, 600)
    window.move(int(sys.argv[2]), int(sys.argv[3]))
    window.commands.open_root(Path(sys.argv[1]))
    window.show()
    application.WhenLoaded(window, lambda: print("ready", flush=True))
    window.changes.imported.connect(lambda what: print("imported", *sorted(what[1]), flush=True))
    window.closed.connect(app.quit)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
