"""A chat as Agent Zero would have written it, built step by step."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta

Json = dict[str, object]

LOG_LIMIT = 15_000


class Chat:
    """One chat as it grows: every step goes to the log a person sees and to the history the model sees."""

    def __init__(
        self, chat_id: str, name: str | None, start: datetime, profiles: tuple[str, ...] = ("agent0",)
    ) -> None:
        self.id = chat_id
        self.name = name
        self.now = start
        self.start = start
        self.profiles = profiles
        self.log: list[Json] = []
        self.topics: list[list[list[Json]]] = [[] for _ in profiles]
        self.counters = [0] * len(profiles)
        self.data: Json = {}
        self.output_data: Json = {}
        self.files: dict[str, bytes] = {}
        self.progress = "Waiting for input"
        self.streaming_agent = 0
        self._number = 0

    def new_id(self) -> str:
        self._number += 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"chat-archive-sample/{self.id}/{self._number}"))

    def wait(self, seconds: float) -> Chat:
        self.now += timedelta(seconds=seconds)
        return self

    def item(
        self,
        kind: str,
        heading: str,
        content: str,
        kvps: Json | None = None,
        *,
        agent: int = 0,
        item_id: str | None = None,
    ) -> None:
        if len(content) > LOG_LIMIT:
            content = _hidden(content)
        self.log.append(
            {
                "no": len(self.log),
                "id": item_id,
                "type": kind,
                "heading": heading,
                "content": content,
                "kvps": kvps if kvps is not None else {},
                "timestamp": self.now.timestamp(),
                "agentno": agent,
            }
        )

    def remember(self, agent: int, ai: bool, content: object, message_id: str) -> None:
        self.counters[agent] += 1
        self.topics[agent][-1].append(
            {
                "_cls": "Message",
                "id": message_id,
                "ai": ai,
                "content": content,
                "metadata": {},
                "sequence": self.counters[agent],
                "summary": "",
                "tokens": max(1, len(json.dumps(content, ensure_ascii=False)) // 4),
            }
        )

    def user(self, text: str, attachments: tuple[str, ...] = ()) -> Chat:
        message_id = self.new_id()
        kvps: Json = {"attachments": list(attachments)} if attachments else {}
        self.item("user", "", text, kvps, agent=self.streaming_agent, item_id=message_id)
        self.topics[0].append([])
        content: Json = {"user_message": text}
        if attachments:
            content["attachments"] = [f"/a0/usr/uploads/{name}" for name in attachments]
        self.remember(0, False, content, message_id)
        return self

    def think(self, agent: int, headline: str, thoughts: list[str], tool: str, args: Json) -> Chat:
        message_id = self.new_id()
        said: Json = {"thoughts": thoughts, "headline": headline, "tool_name": tool, "tool_args": args}
        text = json.dumps(said, ensure_ascii=False)
        self.item("agent", f"A{agent}: {headline}", text, said, agent=agent, item_id=message_id)
        self.remember(agent, True, text, message_id)
        return self

    def result(self, agent: int, kind: str, heading: str, *, tool: str, args: Json, text: str) -> Chat:
        message_id = self.new_id()
        content: Json = {"tool_name": tool, "tool_result": text}
        if len(text) >= 500:
            name = f"messages/{1 + sum(key.startswith('messages/') for key in self.files)}.txt"
            self.files[name] = text.encode()
            content["file"] = f"/a0/usr/chats/{self.id}/{name}"
        kvps = {**args, "_tool_name": tool}
        self.item(kind, heading, text, kvps, agent=agent, item_id=message_id)
        self.remember(agent, False, content, message_id)
        return self

    def ran(self, agent: int, session: int, runtime: str, code: str, output: str) -> Chat:
        last = output.rstrip().rsplit("\n", 1)[-1][:70]
        prompt = "bash>" if runtime == "terminal" else "python>"
        return self.result(
            agent,
            "code_exe",
            f"icon://terminal [{session}] {last} icon://done_all",
            tool="code_execution_tool",
            args={"runtime": runtime, "session": session, "reset": False, "code": code},
            text=f"{prompt} {code}\n{output}",
        )

    def ask(self, agent: int, profile: str, message: str) -> Chat:
        """The agent hands a task to the next one of the chain, whose history begins with it."""
        self.item(
            "subagent",
            f"icon://communication A{agent}: Calling Subordinate Agent",
            "",
            {"profile": profile, "message": message, "reset": "true", "_tool_name": "call_subordinate"},
            agent=agent,
        )
        self.topics[agent + 1].append([])
        self.remember(agent + 1, False, {"user_message": message}, self.new_id())
        return self

    def report(self, agent: int, text: str) -> Chat:
        """A subordinate answers; its superior gets the text as the result of its call."""
        self.answer(text, agent=agent)
        content: Json = {"tool_name": "call_subordinate", "tool_result": text}
        self.remember(agent - 1, False, content, self.new_id())
        return self

    def answer(self, text: str, *, agent: int = 0) -> Chat:
        message_id = self.new_id()
        said = {
            "thoughts": ["I have what I need."],
            "headline": "Responding",
            "tool_name": "response",
            "tool_args": {"text": text},
        }
        raw = json.dumps(said, ensure_ascii=False)
        self.item("agent", f"A{agent}: Responding", raw, said, agent=agent, item_id=message_id)
        self.wait(1.5)
        self.item(
            "response", f"icon://chat A{agent}: Responding", text, {"finished": True}, agent=agent, item_id=message_id
        )
        self.remember(agent, True, raw, message_id)
        return self

    def warn(self, agent: int, text: str) -> Chat:
        message_id = self.new_id()
        self.item("warning", f"A{agent}: Message misformat", text, None, agent=agent, item_id=message_id)
        self.remember(agent, False, {"system_warning": text}, message_id)
        return self

    def _history(self, agent: int) -> str:
        topics = [{"_cls": "Topic", "summary": "", "messages": messages} for messages in self.topics[agent]]
        current = topics.pop() if topics else {"_cls": "Topic", "summary": "", "messages": []}
        return json_text(
            {"_cls": "History", "counter": self.counters[agent], "bulks": [], "topics": topics, "current": current}
        )

    def text(self) -> str:
        agents = [
            {
                "number": number,
                "agent_profile": profile,
                "data": {"iteration_no": 1 + self.counters[number] // 2},
                "history": self._history(number),
            }
            for number, profile in enumerate(self.profiles)
        ]
        return json_text(
            {
                "id": self.id,
                "name": self.name,
                "created_at": self.start.isoformat(),
                "type": "user",
                "last_message": (self.start + timedelta(microseconds=412)).isoformat(),
                "agents": agents,
                "streaming_agent": self.streaming_agent,
                "agent_profile": self.profiles[0],
                "log": {
                    "guid": self.new_id(),
                    "logs": self.log,
                    "progress": self.progress,
                    "progress_no": len(self.log) if self.progress == "Waiting for input" else len(self.log) - 1,
                },
                "data": self.data,
                "output_data": self.output_data,
            }
        )

    def project(self, name: str, title: str, color: str) -> Chat:
        self.data["project"] = name
        self.output_data["project"] = {"name": name, "title": title, "color": color}
        return self


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _hidden(text: str) -> str:
    """Cut as Agent Zero cuts a log item: the head, how much is hidden, the longer tail; 15,000 characters in all."""
    hidden = len(text) - LOG_LIMIT
    for _ in range(3):  # the number's own digits are part of the length
        marker = f"\n\n<< {hidden} Characters hidden >>\n\n"
        hidden = len(text) - LOG_LIMIT + len(marker)
    kept = LOG_LIMIT - len(marker)
    head = int(kept * 0.3)
    return text[:head] + marker + text[len(text) - (kept - head) :]
