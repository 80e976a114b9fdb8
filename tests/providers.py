"""Model providers on this computer for tests: a tiny one with scripted answers, and the handed one."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.operations import erase
from chat_archive.core.provider.keys import MemoryKeys
from chat_archive.core.provider.setup import ProviderSetup, prepare
from chat_archive.core.settings import Settings
from tests.builders import chat, put

KEY = "sk-test-not-a-real-key-0000"
Answer = tuple[int, dict[str, str], bytes]


@dataclass
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    at: float


@dataclass
class TinyProvider:
    """Answers by script: a list for each id, used up one by one, then "deleted". An answer may be a status, bytes of
    a body for 200, a whole (status, headers, body), or "reset", "hang", "half"."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    script: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    hang: threading.Event = field(default_factory=threading.Event)
    keys: Callable[[dict[str, str]], bool] = lambda headers: headers.get("authorization") == f"Bearer {KEY}"

    @property
    def ids(self) -> list[str]:
        return [one.path.partition("?")[0].rpartition("/")[2] for one in self.asked]

    def answer(self, headers: dict[str, str], path: str) -> Any:
        name = path.partition("?")[0].rpartition("/")[2]
        if not self.keys(headers):
            return 401
        return self.script[name].pop(0) if self.script[name] else "deleted"


def error_body(message: str, code: str | None = None) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": code}}).encode()


def deleted_body(name: str) -> bytes:
    return json.dumps({"id": name, "object": "response.deleted", "deleted": True}).encode()


@contextlib.contextmanager
def tiny_provider() -> Iterator[TinyProvider]:
    """A real server on loopback for as long as the block lasts."""
    provider = TinyProvider()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args: object) -> None:
            return

        def do_DELETE(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            provider.asked.append(Asked(self.command, self.path, headers, time.time()))
            self.play(provider.answer(headers, self.path))

        do_GET = do_POST = do_DELETE

        def play(self, step: Any) -> None:
            name = self.path.partition("?")[0].rpartition("/")[2]
            if step == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            if step == "hang":
                provider.hang.wait(20)
                self.close_connection = True
                return
            body = deleted_body(name)
            status, more = 200, {}
            if step == "half":
                self.close_connection = True
                more, body = {"Content-Length": str(len(body))}, body[: len(body) // 2]
            elif isinstance(step, bytes):
                body = step
            elif isinstance(step, int):
                status, body = step, b"" if step == 204 else error_body(f"Response with id '{name}' not found.")
            elif isinstance(step, tuple):
                status, more, body = step
            self.send_response(status)
            for key, value in ({} if status == 204 else {"Content-Length": str(len(body))} | more).items():
                self.send_header(key, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_args: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield provider
    finally:
        provider.hang.set()
        server.shutdown()
        thread.join()
        server.server_close()


class FakeProvider:
    """The handed server as a process of its own."""

    def __init__(self, tool: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(tool), *arguments], stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self._process.stdout is not None
        self.host = self._process.stdout.readline().split()[1]
        self.url = self.host + "/v1"

    def control(self, what: str, body: str | None = None) -> Any:
        request = urllib.request.Request(f"{self.host}/__ctl/{what}", data=body.encode() if body is not None else None)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def stats(self) -> Any:
        return self.control("stats")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def wrapped(original: str, provider: str = "openai") -> str:
    """The id as LiteLLM stores it."""
    text = f"litellm:custom_llm_provider:{provider};model_id:None;response_id:{original}"
    return "resp_" + base64.b64encode(text.encode()).decode()


def agent(ids: Sequence[str], model_key: str = "openai/gpt-5", *, base: str | None = None, **state: object) -> Any:
    """An agent that received these responses; with `base` its messages say where they went."""
    data = {"responses_state": {"response_ids": list(ids), "provider_model_key": model_key} | state}
    provider = model_key.partition("/")[0]
    messages = [
        {
            "_cls": "Message",
            "ai": True,
            "content": "x",
            "metadata": {
                "responses": {
                    "response_id": one,
                    "provider_model_key": model_key,
                    "capability": {"cache_key": f"{model_key}|{provider}|{base}"},
                }
            },
        }
        for one in (ids if base is not None else [])
    ]
    return {"number": 0, "data": data, "history": json.dumps({"current": {"messages": messages}})}


def let_go(archive: Archive, folder: str, ids: Sequence[str], **more: Any) -> None:
    """A chat with these responses that was erased: its ids are in the queue."""
    put(archive.root, folder, chat(folder, agents=[agent(ids, **more)]))
    erase.erase(archive.workspace, Folder(folder))


def setup_for(archive: Archive, *bases: str, environ: dict[str, str] | None = None, **more: Any) -> ProviderSetup:
    """What sending needs, with nothing of the tester's own environment or keyring."""
    return prepare(
        archive.root,
        more.pop("settings", Settings()),
        own=bases,
        stored=more.pop("stored", MemoryKeys()),
        environ={"API_KEY_OPENAI": KEY} if environ is None else environ,
        **more,
    )
