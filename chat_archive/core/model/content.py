"""The content of a history message as plain text for people (format 3.2)."""

from __future__ import annotations

import json

from chat_archive.core.model.raw import clean_text

_TEXT_KEYS = (
    "user_message",
    "user_intervention",
    "tool_result",
    "system_warning",
    "messages_summary",
    "text",
    "content",
)
_MAX_PARTS = 10_000


def plain_text(content: object) -> str:
    """Texts of the parts in order, each on its own lines; what has no text is shown as JSON."""
    if isinstance(content, str):
        return clean_text(content)
    if isinstance(content, dict):
        return _object_text(content)
    if isinstance(content, list):
        return "\n".join(text for part in content[:_MAX_PARTS] if (text := plain_text(part)))
    return "" if content is None else _json(content)


def _object_text(content: dict[str, object]) -> str:
    if "raw_content" in content:
        preview = content.get("preview")
        texts = _part_texts(content["raw_content"])
        return "\n".join(texts) or (clean_text(preview) if isinstance(preview, str) else "(picture)")
    if content.get("type") == "image_url" or "image_url" in content:
        return "(picture)"
    texts = [_as_text(content[key]) for key in _TEXT_KEYS if content.get(key) not in (None, "")]
    system = content.get("system_message")
    if system:
        texts.extend(_as_text(item) for item in (system if isinstance(system, list) else [system]))
    return "\n".join(texts) if texts else _json(content)


def _part_texts(parts: object) -> list[str]:
    if isinstance(parts, str):
        return [clean_text(parts)]
    if not isinstance(parts, list):
        return []
    found = []
    for part in parts[:_MAX_PARTS]:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            found.append(clean_text(part["text"]))
        elif isinstance(part, str):
            found.append(clean_text(part))
    return found


def _as_text(value: object) -> str:
    return clean_text(value) if isinstance(value, str) else plain_text(value)


def _json(value: object) -> str:
    return clean_text(json.dumps(value, ensure_ascii=False))


def parts_of(content: object) -> list[dict[str, object]]:
    """The objects a content is made of: itself, or those of a list of parts."""
    if isinstance(content, dict):
        return [content]
    if isinstance(content, list):
        return [part for part in content[:_MAX_PARTS] if isinstance(part, dict)]
    return []
