"""Things whose fields are decoded when the first of them is used."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from chat_archive.core.model import raw
from chat_archive.core.model.raw import PartError


class Lazy:
    """Fields in `_fields` that are not set yet are made by `_decode` when the first of them is read."""

    _fields: ClassVar[frozenset[str]] = frozenset()
    _part: object

    def __getattr__(self, name: str) -> Any:
        if name in type(self)._fields and "_part" in self.__dict__:
            part = self.__dict__.pop("_part")
            self._decode(part)
            return self.__dict__[name]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in type(self)._fields and "_part" in self.__dict__:
            self._decode(self.__dict__.pop("_part"))
        object.__setattr__(self, name, value)

    def _decode(self, part: object) -> None:
        raise AttributeError("_decode")

    @property
    def undecoded(self) -> object:
        """The part as in the file while nothing of it was used, else None."""
        return self.__dict__.get("_part")


def value_of(part: object) -> Any:
    """The value of a small part, or a placeholder text where it cannot be decoded."""
    try:
        return raw.decode(part)
    except PartError as error:
        return f"({error.what})"


def take_text(fields: dict[str, object], key: str) -> str:
    """Remove `key` and give its text: "" for null and missing, JSON for what is no text."""
    value = value_of(fields.pop(key, None))
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def take_integer(value: object) -> int | None:
    """An integer, also where the file has it as text or as a whole float, else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, str) and len(value) <= 20:
        try:
            return int(value)
        except ValueError:
            return None
    return None
