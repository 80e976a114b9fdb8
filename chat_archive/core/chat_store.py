"""The contexts of one root in memory, and Agent Zero's own operations on them (format 5.1 to 5.9).

`persist_chat` is the documented face of this; a program with two roots has two stores.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files, scan
from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder, OperationResult, Severity
from chat_archive.core.errors import ArchiveError, BadIdError, NotFoundError, StorageError, UnreadableError
from chat_archive.core.formats import read_context
from chat_archive.core.layout import CHAT_FILE_NAME, chat_folder, check_component, messages_folder
from chat_archive.core.model.agent import Agent
from chat_archive.core.model.context import AgentContext, AgentContextType
from chat_archive.core.model.raw import PartError
from chat_archive.core.model.registry import Registry
from chat_archive.core.model.serialise import Serialised, strict_text, to_text
from chat_archive.core.operations import convert, erase
from chat_archive.core.operations.chat_ids import is_taken, with_id
from chat_archive.core.operations.import_reading import documents
from chat_archive.core.progress import NullProgress
from chat_archive.core.state_snapshot import StateSnapshot, take

SAVED_KEY = "_persist_chat_saved"

_SURROGATES = re.compile("[\ud800-\udfff]")
_log = logging.getLogger(__name__)
_QUIET = NullProgress()


@dataclass(frozen=True, slots=True)
class LoadProblem:
    """Something that could not be loaded, or not as it was. `place`: its name in the root, or `text 3` of a list."""

    place: str
    text: str


class SaveFailuresError(ArchiveError):
    """Some chats could not be saved; the others were. `failures` has the id and the error of each."""

    def __init__(self, failures: Iterable[tuple[str, Exception]]) -> None:
        self.failures = tuple(failures)
        count = len(self.failures)
        listed = "; ".join(f"{chat_id}: {error}" for chat_id, error in self.failures)
        super().__init__(f"{count} {'chat' if count == 1 else 'chats'} could not be saved. {listed}")


class ChatStore:
    """Open contexts over an `Archive`. Changes run one at a time under the workspace's lock."""

    def __init__(self, archive: Archive, registry: Registry | None = None) -> None:
        self.archive = archive
        self.registry = Registry() if registry is None else registry
        self.problems: list[LoadProblem] = []

    @property
    def root(self) -> Path:
        return self.archive.root

    def folder_path(self, ctxid: str) -> str:
        """Absolute path of the chat's folder, there or not. Raises `BadIdError` (D-07 to D-09)."""
        return str(chat_folder(self.root, self._folder_of(ctxid)))

    def messages_path(self, ctxid: str) -> str:
        """Absolute path of the chat's `messages` folder, there or not. Raises `BadIdError`."""
        return str(messages_folder(self.root, self._folder_of(ctxid)))

    def _folder_of(self, ctxid: str) -> str:
        """The folder of an open context, else the id itself: a copied folder may carry another's id (D-12)."""
        check_component(ctxid)
        context = self.registry.get(ctxid)
        return check_component(context.folder) if context is not None else ctxid

    # saving

    def save(self, context: AgentContext) -> Serialised | None:
        """Write one context to its folder, all or nothing, and mark it saved; None for BACKGROUND, which is never
        written. Raises `BadIdError`, `StorageError`, `ReadOnlyError`, `BusyError`; the old file then stands."""
        if context.type == AgentContextType.BACKGROUND:  # plugins set plain text, too
            return None
        folder = check_component(context.folder or context.id)
        made = to_text(context, zone=self.archive.zone)
        with self.archive.workspace.change_lock:
            self._keep_original(context, folder)
            files.save_beside(self.archive.workspace, folder, made.text.encode("utf-8"))
        mark_saved(context)
        return made

    def _keep_original(self, context: AgentContext, folder: str) -> None:
        """A file of which not all could be read is set aside before its first save, so nothing is lost (D-26)."""
        if context.known is None or not _has_damaged_parts(context):
            return
        workspace = self.archive.workspace
        try:
            data, found = files.read_once(self.root, folder, CHAT_FILE_NAME)
        except (NotFoundError, UnreadableError):
            return
        workspace.need_private()
        files.make_folder(workspace.recovered_folder)
        target = workspace.recovered_folder / f"{folder[:100]}-{found.mtime_ns}.json"
        if not target.exists():
            files.write_new(target, data)

    def save_all(self) -> None:
        """Save every context but BACKGROUND ones. Goes on after a failure; raises `SaveFailuresError` at the end."""
        failures: list[tuple[str, Exception]] = []
        for context in self.registry:
            try:
                self.save(context)
            except Exception as error:  # one chat must never stop the others (D-15, D-88)
                failures.append((context.id, error))
        if failures:
            raise SaveFailuresError(failures)

    # loading

    def load_all(self, *, replace: bool = False) -> list[str]:
        """Convert flat files, then load every folder with a chat.json; the ids of what is open then, newest first.

        A file that cannot be loaded is logged and told in `problems`, and never stops the others. A context that is
        live is kept and not replaced, unless `replace` (D-18). Raises only for the root itself.
        """
        self.problems = []
        self._convert()
        ids: list[str] = []
        for entry in scan.entries(self.root):
            try:
                ids.append(self._load(entry.folder, replace))
            except ArchiveError as error:
                self._tell(entry.folder, str(error))
        return ids

    def _convert(self) -> None:
        try:
            result = convert.convert(self.archive.workspace, _QUIET)
        except ArchiveError as error:
            self._tell("flat files", f"They could not be moved into folders. {error}")
            return
        for item in result.failed:
            self._tell(item.item, item.text)

    def _load(self, folder: Folder, replace: bool) -> str:
        live = next((c for c in self.registry if c.folder == folder), None)
        if live is not None and not replace:
            return live.id
        context = scan.load(self.root, folder, zone=self.archive.zone)
        if live is not None:
            self.registry.remove(live.id)
        if context.id != context.folder and not self._may_have(context):
            # the other chat of that id keeps it; this one goes by its folder's name (D-12, D-13)
            context.id = context.folder
            self._tell(folder, "Another chat has the id in this file; it was opened under its folder's name.", False)
        self.registry.add(context, replace=replace)
        mark_saved(context)
        return context.id

    def _may_have(self, context: AgentContext) -> bool:
        try:
            check_component(context.id)
        except BadIdError:
            return False
        return context.id not in self.registry and not is_taken(self.root, context.id)

    def _tell(self, place: str, text: str, fault: bool = True) -> None:
        self.problems.append(LoadProblem(place, text))
        if fault:
            _log.warning("could not be loaded: %s", place)

    def load_texts(self, jsons: Iterable[object]) -> list[str]:
        """Chats from JSON texts, each one chat or an array: every one gets a new id and is saved before its id is
        returned (D-59, D-61). A text that fails is told in `problems` and leaves the others alone (D-60)."""
        self.problems = []
        texts = [jsons] if isinstance(jsons, str | bytes) else list(jsons)
        ids: list[str] = []
        for number, text in enumerate(texts, 1):
            place = f"text {number}"
            if not isinstance(text, str):
                self._tell(place, f"{place} is no text.")
                continue
            for document in documents(Path(place), _encoded(text)):
                where = place if document.index is None else f"{place}, entry {document.index + 1}"
                try:
                    if document.refused:
                        raise UnreadableError(document.refused, kind="not a chat")
                    ids.append(self._take_in(document.data, where))
                except ArchiveError as error:
                    self._tell(where, str(error))
        return ids

    def _take_in(self, data: bytes, where: str) -> str:
        with self.archive.workspace.change_lock:
            chat_id = self.new_id()
            try:
                made = strict_text(with_id(data, chat_id), chat_id, zone=self.archive.zone)
            except PartError as error:
                raise UnreadableError(f"It cannot be read: {error.what}.", kind="damaged") from error
            written = made.text.encode("utf-8")
            context = read_context(written, folder=chat_id, zone=self.archive.zone)
            if context.type is AgentContextType.BACKGROUND:
                raise UnreadableError("A background chat is never written, so it was not taken in.", kind="background")
            files.save_beside(self.archive.workspace, chat_id, written)
            self.registry.add(context)
        mark_saved(context)
        self.problems += [LoadProblem(where, remark) for remark in made.remarks]
        return chat_id

    def new_id(self) -> str:
        """A free id of 8 letters and digits, in memory and on disk."""
        return self.registry.new_id(lambda chat_id: is_taken(self.root, chat_id))

    # the rest

    def export_text(self, context: AgentContext | str) -> str:
        """The text a save would write, also for BACKGROUND. An id may be given; an unknown one is an error (D-66)."""
        if isinstance(context, str):
            check_component(context)
            open_one = self.registry.get(context)
            if open_one is None:
                open_one = scan.load(self.root, scan.find(self.root, context), zone=self.archive.zone)
            context = open_one
        return to_text(context, zone=self.archive.zone).text

    def remove(self, ctxid: str) -> OperationResult:
        """Erase a chat: response ids durably into the queue, folder gone and that verified; a missing chat is no
        error. Raises `BadIdError`, `StorageError`, `ReadOnlyError`, `BusyError`."""
        folder = Folder(self._folder_of(ctxid))
        result = erase.erase(self.archive.workspace, folder)
        for item in result.failed:
            raise StorageError(item.text, path=item.path or self.root / folder)
        self.registry.remove(ctxid)
        return result

    def remove_messages(self, ctxid: str) -> OperationResult:
        """Move only `messages/`, as a whole, to the trash; a chat without one is no error."""
        folder = Folder(self._folder_of(ctxid))
        if not messages_folder(self.root, folder).is_dir():
            return OperationResult("remove_messages", ())
        result = self.archive.remove_message_files([folder])
        for item in result.failed:
            raise StorageError(item.text, path=item.path or self.root / folder)
        return result

    def saved_ids(self) -> set[str]:
        """Names of the folders that hold a chat.json, dot folders too (D-16), whatever signs the path has (D-17)."""
        return {
            str(entry.folder) for entry in scan.entries(self.root) if not entry.flat and entry.fingerprint is not None
        }

    def snapshot(self) -> StateSnapshot:
        """What a front end lists. Contexts whose file is gone are dropped first, fresh unsaved ones stay (5.5)."""
        saved = self.saved_ids()
        for context in self.registry:
            gone = is_marked(context) and context.folder not in saved
            if gone and context.type != AgentContextType.BACKGROUND and not self.registry.is_running(context.id):
                self.registry.remove(context.id)
        return take(self.registry, self.root)

    def autosave(self, source: AgentContext | Agent) -> Serialised | None:
        """Save after a step of the message loop; BACKGROUND is skipped."""
        return self.save(source.context if isinstance(source, Agent) else source)


def _encoded(text: str) -> bytes:
    """The text as UTF-8. Half of a character, which UTF-8 does not have, becomes the escape that stands for it in
    JSON, so that it is replaced and counted once (D-53)."""
    return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8")


def _has_damaged_parts(context: AgentContext) -> bool:
    """Whether something in the file could not be read as it is, down to single items and messages."""
    found = [context.all_problems(), *(item.problems for item in context.log.items)]
    for agent in context.agents:
        found += [message.problems for message in agent.history.messages()]
    return any(problem.severity is not Severity.REMARK for problems in found for problem in problems)


def mark_saved(context: AgentContext) -> None:
    """Set the private marker; only after a save or load that worked."""
    context.set_data(SAVED_KEY, True)


def is_marked(context: AgentContext) -> bool:
    """Whether the context was saved or loaded; a marker planted in a file does not count (D-49)."""
    return context.get_data(SAVED_KEY) is True


__all__ = ["ChatStore", "LoadProblem", "SaveFailuresError", "is_marked", "mark_saved"]
