"""One window a root: the first listens under a name made of the folder's device and inode, the second asks it to show.

The sockets lie in a folder of the person's own (0700), and only the same user may connect.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from pathlib import Path

import platformdirs
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from chat_archive.core import files
from chat_archive.core.errors import ArchiveError
from chat_archive.core.settings import APPLICATION
from chat_archive.ui.roots import RootIdentity

_WAIT_MS = 500
_SHOW = b"show\n"
_ANSWER = b"shown\n"
_LONGEST_NAME = 100  # of a socket's path, some systems allow little more


def socket_name(root: Path) -> str:
    """Where the window that has `root` open listens. Raises OSError when there is no such folder."""
    identity = RootIdentity.of(root)
    short = hashlib.sha256(f"{identity.device}:{identity.inode}".encode()).hexdigest()[:24]
    if os.name == "nt":
        return f"{APPLICATION}-{short}"
    with warnings.catch_warnings():  # without XDG_RUNTIME_DIR there is a place too, no need to tell the person
        warnings.simplefilter("ignore")
        name = str(platformdirs.user_runtime_path(APPLICATION, appauthor=False) / short)
    if len(name.encode()) > _LONGEST_NAME or not os.access(Path(name).parent.parent, os.W_OK):
        name = str(platformdirs.user_cache_path(APPLICATION, appauthor=False) / short)
    return name


def show_other(root: Path) -> bool:
    """Ask the window that has `root` open to come forward. False when there is none."""
    try:
        name = socket_name(root)
    except OSError:
        return False
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(_SHOW)
    socket.flush()
    answered = socket.waitForReadyRead(_WAIT_MS) and bytes(socket.readAll().data()).startswith(_ANSWER)
    socket.abort()
    return answered


class InstanceServer(QObject):
    """Listens for other starts of the program on the same roots."""

    show_requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._servers: dict[str, QLocalServer] = {}
        self._callers: list[QLocalSocket] = []

    def serve(self, root: Path) -> bool:
        """Listen for `root`. False when that is impossible; the archive's own lock still holds then."""
        try:
            name = socket_name(root)
            if os.name != "nt":
                files.make_folders(Path(name).parent)
        except (OSError, ArchiveError):
            return False
        if name in self._servers:
            return True
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        if not server.listen(name):
            # left by a crash: nobody answers there, or `show_other` had found a window
            QLocalServer.removeServer(name)
            if not server.listen(name):
                server.deleteLater()
                return False
        server.newConnection.connect(lambda: self._greet(server))
        self._servers[name] = server
        return True

    def stop(self, root: Path | None = None) -> None:
        """Listen no more for `root`, or for any."""
        if root is None:
            names = list(self._servers)
        else:
            try:
                names = [socket_name(root)]
            except OSError:
                names = []
        for name in names:
            server = self._servers.pop(name, None)
            if server is not None:
                # closed, and deleted with this object: a deletion of its own that is still to come when this
                # object goes ends the program with a bus error (PySide6 6.11.3)
                server.close()

    def _greet(self, server: QLocalServer) -> None:
        while (socket := server.nextPendingConnection()) is not None:
            # ours and no longer the server's: a server that is taken down would delete it in the middle of a signal
            socket.setParent(self)
            socket.readyRead.connect(self._on_ready)
            socket.disconnected.connect(self._on_gone)
            self._callers.append(socket)
            if socket.bytesAvailable():
                self._answer(socket)

    def _on_ready(self) -> None:
        for socket in tuple(self._callers):
            if socket.bytesAvailable():
                self._answer(socket)

    def _on_gone(self) -> None:
        for socket in tuple(self._callers):
            if socket.state() is QLocalSocket.LocalSocketState.UnconnectedState:
                self._callers.remove(socket)
                socket.deleteLater()

    def _answer(self, socket: QLocalSocket) -> None:
        if bytes(socket.readAll().data())[: len(_SHOW)] == _SHOW:
            socket.write(_ANSWER)
            socket.flush()
            self.show_requested.emit()
