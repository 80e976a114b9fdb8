"""Make the sample archive below resources/sample: invented chats in the format Agent Zero writes.

The same bytes come out every time; a test runs this and compares. Usage: make_sample.py [FOLDER]
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sample import stories
from sample.pictures import plum_picture

SAMPLE = Path(__file__).resolve().parent.parent / "resources" / "sample"


def make(target: Path) -> None:
    """Write the whole sample below `target`, which must not exist."""
    usr = target / "usr"
    chats = usr / "chats"
    for story in stories.STORIES:
        chat = story()
        _write(chats / chat.id / "chat.json", chat.text().encode())
        for name, data in chat.files.items():
            _write(chats / chat.id / name, data)
    _write(chats / "Cut0ffXy" / "chat.json", stories.cut_chat())
    _write(chats / stories.OLD_ID / "chat.json", stories.of_2025_format().encode())
    _write(usr / "scheduler" / "tasks.json", stories.tasks())
    _write(usr / "uploads" / "plum.png", plum_picture())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    if target == SAMPLE and target.exists():
        shutil.rmtree(target)
    elif target.exists() and any(target.iterdir()):
        print(f"{target} is not empty.", file=sys.stderr)
        return 1
    make(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
