"""The documented face of the persistence core: Agent Zero's names with the right results instead of its defects."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core import files, persist_chat
from chat_archive.core.archive import Archive
from chat_archive.core.chat_store import ChatStore, SaveFailuresError
from chat_archive.core.errors import BadIdError, ConflictError, NotFoundError, ReadOnlyError, StorageError
from chat_archive.core.layout import PRIVATE_FOLDER
from chat_archive.core.model.context import AgentConfig, AgentContext, AgentContextType
from tests.builders import age, chat, history, item, make_root, message, put, snapshot, text_of, without

EIGHT = re.compile(r"[A-Za-z0-9]{8}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path)


@pytest.fixture
def store(root: Path) -> Iterator[ChatStore]:
    with Archive.open(root) as archive:
        yield ChatStore(archive)


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    persist_chat.use(None)
    yield
    persist_chat.use(None)


def chat_file(root: Path, folder: str) -> dict[str, Any]:
    found = json.loads((root / folder / "chat.json").read_bytes())
    assert isinstance(found, dict)
    return found


def names(root: Path) -> set[str]:
    return set(os.listdir(root)) - {PRIVATE_FOLDER}


# the face


def test_the_public_names_are_exactly_the_documented_ones() -> None:
    assert set(persist_chat.__all__) == {
        *("CHATS_FOLDER", "LOG_SIZE", "CHAT_FILE_NAME", "SAVED_CHAT_CONTEXT_DATA_KEY"),
        *("get_chat_folder_path", "get_chat_msg_files_folder", "save_tmp_chat", "save_tmp_chats", "load_tmp_chats"),
        *(
            "load_json_chats",
            "export_json_chat",
            "remove_chat",
            "remove_msg_files",
            "mark_chat_saved",
            "saved_chat_ids",
        ),
        *("use", "message_loop_end", "state_snapshot", "load_problems"),
    }
    assert all(hasattr(persist_chat, name) for name in persist_chat.__all__)
    assert (persist_chat.CHATS_FOLDER, persist_chat.LOG_SIZE) == ("usr/chats", 1000)
    assert (persist_chat.CHAT_FILE_NAME, persist_chat.SAVED_CHAT_CONTEXT_DATA_KEY) == (
        "chat.json",
        "_persist_chat_saved",
    )


def test_the_functions_work_on_the_root_that_was_chosen(root: Path) -> None:
    persist_chat.use(root)
    assert persist_chat.get_chat_folder_path("Chat0001") == str(root / "Chat0001")
    assert persist_chat.get_chat_msg_files_folder("x y") == str(root / "x y" / "messages")
    assert persist_chat.saved_chat_ids() == {"Chat0000", "Chat0001", "Chat0002"}
    assert sorted(persist_chat.load_tmp_chats()) == ["Chat0000", "Chat0001", "Chat0002"]
    assert len(persist_chat.state_snapshot().contexts) == 3
    context = AgentContext(name="New")
    persist_chat.message_loop_end(context)
    assert chat_file(root, context.id)["name"] == "New"
    assert json.loads(persist_chat.export_json_chat(context))["name"] == "New"
    persist_chat.remove_chat(context.id)
    assert not (root / context.id).exists()


def test_the_folder_above_usr_chats_and_the_environment_name_a_root(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    persist_chat.use(tmp_path)
    assert persist_chat.get_chat_folder_path("a") == str(root / "a")
    persist_chat.use(None)
    monkeypatch.setenv("CHAT_ARCHIVE_ROOT", str(root))
    assert persist_chat.get_chat_folder_path("a") == str(root / "a")
    assert len(persist_chat.load_tmp_chats()) == 3
    assert len(persist_chat.state_snapshot().contexts) == 3


def test_an_opened_archive_is_used_when_nothing_was_chosen(root: Path) -> None:
    with Archive.open(root) as archive:
        assert persist_chat.get_chat_folder_path("a") == str(archive.root / "a")


def test_two_roots_can_be_open_at_once(tmp_path: Path) -> None:
    first, second = make_root(tmp_path / "one", 1), make_root(tmp_path / "two", 2)
    with Archive.open(first) as one, Archive.open(second) as two:
        stores = ChatStore(one), ChatStore(two)
        assert [len(store.load_all()) for store in stores] == [1, 2]
        context = AgentContext(name="only in one")
        stores[0].save(context)
        assert context.id in names(first) and context.id not in names(second)


def test_without_any_root_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat_archive.core.archive._latest", None)
    with pytest.raises(NotFoundError, match="CHAT_ARCHIVE_ROOT"):
        persist_chat.saved_chat_ids()


# saving


def test_a_save_writes_one_line_with_mode_0600_and_sets_the_marker(store: ChatStore, root: Path) -> None:
    context = AgentContext(AgentConfig("agent0"), name="Grün")
    store.save(context)
    path = root / context.id / "chat.json"
    data = path.read_bytes()
    assert data == store.export_text(context).encode()
    assert "Grün".encode() in data and b"\n" not in data and b"_persist" not in data
    assert path.stat().st_mode & 0o777 == 0o600
    assert context.get_data(persist_chat.SAVED_CHAT_CONTEXT_DATA_KEY) is True
    assert os.listdir(root / context.id) == ["chat.json"]


def test_d50_background_is_never_written(store: ChatStore, root: Path) -> None:
    context = AgentContext(type=AgentContextType.BACKGROUND)
    store.registry.add(context)
    assert store.save(context) is None
    assert store.autosave(context) is None
    store.save_all()
    assert context.id not in names(root)
    assert context.get_data(persist_chat.SAVED_CHAT_CONTEXT_DATA_KEY) is None
    assert json.loads(store.export_text(context))["type"] == "background"


def test_a_failed_replace_leaves_the_old_text_and_no_temporary_file(
    store: ChatStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = AgentContext(name="first")
    store.save(context)
    before = (root / context.id / "chat.json").read_bytes()
    context.name = "second"

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(StorageError):
        store.save(context)
    monkeypatch.undo()
    assert (root / context.id / "chat.json").read_bytes() == before
    assert os.listdir(root / context.id) == ["chat.json"]


def test_a_fresh_context_that_could_not_be_saved_is_not_marked(
    store: ChatStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = AgentContext()
    monkeypatch.setattr(files, "save_beside", lambda *_args: (_ for _ in ()).throw(StorageError("full")))
    with pytest.raises(StorageError):
        store.save(context)
    assert context.get_data(persist_chat.SAVED_CHAT_CONTEXT_DATA_KEY) is None


def test_saving_all_goes_on_after_a_failure_and_reports_all(store: ChatStore, root: Path) -> None:
    bad = [AgentContext(id="..", folder=".."), AgentContext(id="a/b", folder="a/b")]
    good = AgentContext(name="good")
    for context in (bad[0], good, bad[1]):
        store.registry.add(context)
    with pytest.raises(SaveFailuresError) as caught:
        store.save_all()
    assert [chat_id for chat_id, _ in caught.value.failures] == ["..", "a/b"]
    assert ".." in str(caught.value)
    assert chat_file(root, good.id)["name"] == "good"


def test_d26_a_damaged_part_is_set_aside_before_the_first_save(store: ChatStore, root: Path) -> None:
    made = chat("Hurt0001", logs=[None, item(1, "user")])
    put(root, "Hurt0001", made)
    before = (root / "Hurt0001/chat.json").read_bytes()
    store.load_all()
    context = store.registry.get("Hurt0001")
    assert context is not None
    for _ in range(2):
        store.save(context)
    kept = list((root / PRIVATE_FOLDER / "recovered").iterdir())
    assert before in [path.read_bytes() for path in kept]


def test_the_autosave_hook_takes_an_agent_too(store: ChatStore, root: Path) -> None:
    context = AgentContext(name="x")
    assert context.agent0 is not None
    store.autosave(context.agent0)
    assert context.id in names(root)


def test_a_read_only_root_refuses_to_save(root: Path) -> None:
    with Archive.open(root, write=False) as archive, pytest.raises(ReadOnlyError):
        ChatStore(archive).save(AgentContext())


# loading


def test_loading_returns_the_ids_and_marks_what_it_loaded(store: ChatStore) -> None:
    ids = store.load_all()
    assert ids == ["Chat0002", "Chat0001", "Chat0000"]
    context = store.registry.get("Chat0001")
    assert context is not None
    assert context.name == "Chat number 1"
    assert context.get_data(persist_chat.SAVED_CHAT_CONTEXT_DATA_KEY) is True


def test_d47_a_bad_file_is_told_and_stops_no_other(
    store: ChatStore, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(root, "Bad", b'{"id": "Bad", "log":')
    put(root, "Nothing", b"")
    before = snapshot(root)
    assert sorted(store.load_all()) == ["Chat0000", "Chat0001", "Chat0002"]
    assert {problem.place for problem in store.problems} == {"Bad", "Nothing"}
    assert "ends too early" in next(p.text for p in store.problems if p.place == "Bad")
    assert len(caplog.records) == 2
    caplog.clear()
    assert snapshot(root) == before


def test_d01_flat_files_are_converted_before_loading(store: ChatStore, root: Path) -> None:
    put(root, "jason.json", chat("jason", "Flat"), flat=True)
    assert "jason" in store.load_all()
    assert chat_file(root, "jason")["name"] == "Flat"
    assert not (root / "jason.json").exists()


def test_d12_a_copied_folder_is_opened_beside_the_real_chat(store: ChatStore, root: Path) -> None:
    put(root, "Chat0001_backup", chat("Chat0001", "the copy"))
    ids = store.load_all()
    assert sorted(ids) == ["Chat0000", "Chat0001", "Chat0001_backup", "Chat0002"]
    real, copy = store.registry.get("Chat0001"), store.registry.get("Chat0001_backup")
    assert real is not None and copy is not None
    assert (real.name, copy.name) == ("Chat number 1", "the copy")
    copy.name = "changed"
    store.save(copy)
    assert chat_file(root, "Chat0001")["name"] == "Chat number 1"
    assert chat_file(root, "Chat0001_backup")["name"] == "changed"
    assert len(store.snapshot().contexts) == 4


def test_d12_a_folder_whose_chat_has_a_free_id_keeps_both_names(store: ChatStore, root: Path) -> None:
    put(root, "Folder01", chat("Inner001"))
    assert "Inner001" in store.load_all()
    context = store.registry.get("Inner001")
    assert context is not None
    store.save(context)
    assert "Inner001" not in names(root)
    assert "Inner001" in [state.id for state in store.snapshot().contexts]
    store.remove("Inner001")
    assert "Folder01" not in names(root)


def test_d13_two_folders_with_one_id_are_both_open(store: ChatStore, root: Path) -> None:
    for folder in ("same-a", "same-b"):
        put(root, folder, chat("SameId00", folder))
    store.load_all()
    assert {c.name for c in store.registry if c.folder.startswith("same")} == {"same-a", "same-b"}


def test_d14_a_chat_without_id_has_its_folders_name(store: ChatStore, root: Path) -> None:
    put(root, "Noid0000", without(chat(), "id"))
    put(root, "Noid0001", chat(""))
    for _ in range(2):
        assert {"Noid0000", "Noid0001"} <= set(store.load_all())
        store.save_all()
    assert names(root) == {"Chat0000", "Chat0001", "Chat0002", "Noid0000", "Noid0001"}


def test_d15_a_number_as_id_is_text_and_stops_no_save(store: ChatStore, root: Path) -> None:
    put(root, "12", chat() | {"id": 12})
    assert "12" in store.load_all()
    store.save_all()
    assert chat_file(root, "12")["id"] == "12"


def test_d16_a_dot_folder_is_saved_and_listed(store: ChatStore, root: Path) -> None:
    put(root, ".hidden", chat(".hidden"))
    assert ".hidden" in store.load_all()
    assert ".hidden" in store.saved_ids()
    assert ".hidden" in [state.id for state in store.snapshot().contexts]


def test_d17_signs_in_the_path_are_no_pattern(tmp_path: Path) -> None:
    root = make_root(tmp_path / "in[x]stall*?", 2)
    with Archive.open(root) as archive:
        store = ChatStore(archive)
        store.load_all()
        assert store.saved_ids() == {"Chat0000", "Chat0001"}
        assert len(store.snapshot().contexts) == 2


def test_d18_a_live_context_is_never_replaced_without_asking(store: ChatStore, root: Path) -> None:
    store.load_all()
    live = store.registry.get("Chat0001")
    put(root, "Chat0001", chat("Chat0001", "restored"))
    assert "Chat0001" in store.load_all()
    assert store.registry.get("Chat0001") is live
    with pytest.raises(ConflictError):
        store.registry.add(AgentContext(id="Chat0001"))
    store.load_all(replace=True)
    replaced = store.registry.get("Chat0001")
    assert replaced is not live and replaced is not None and replaced.name == "restored"


def test_d49_a_planted_marker_is_ignored(store: ChatStore, root: Path) -> None:
    text = json.dumps(chat("x", data={"_persist_chat_saved": True}))
    (chat_id,) = store.load_texts([text])
    assert chat_file(root, chat_id)["data"] == {}


# texts


def test_d59_imported_texts_are_on_disk_under_new_ids_when_their_ids_are_returned(store: ChatStore, root: Path) -> None:
    ids = store.load_texts([json.dumps(chat("Chat0001", "again"))])
    assert len(ids) == 1 and EIGHT.fullmatch(ids[0])
    assert chat_file(root, ids[0])["id"] == ids[0]
    assert chat_file(root, ids[0])["name"] == "again"
    assert chat_file(root, "Chat0001")["name"] == "Chat number 1"
    assert store.registry.get(ids[0]) is not None
    with Archive.open(root, write=False) as again:
        assert ids[0] in ChatStore(again).saved_ids()


def test_d60_a_bad_text_is_told_and_the_others_are_taken(
    store: ChatStore, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ids = store.load_texts([json.dumps(chat("a")), json.dumps(chat("b")), '{"id": "c",', "[1, 2]", ""])
    assert len(ids) == 2
    assert [problem.place for problem in store.problems] == ["text 3", "text 4", "text 5"]
    assert names(root) == {"Chat0000", "Chat0001", "Chat0002", *ids}
    caplog.clear()


def test_d61_an_array_is_several_chats_and_a_text_alone_is_one(store: ChatStore) -> None:
    array = json.dumps([chat("a", "one"), chat("b", "two"), without(chat(name="three"), "id")])
    ids = store.load_texts([array])
    assert [store.registry.get(chat_id).name for chat_id in ids] == ["one", "two", "three"]  # type: ignore[union-attr]
    assert len(set(ids)) == 3
    assert len(store.load_texts(json.dumps(chat()))) == 1


def test_what_is_replaced_in_a_text_is_told(store: ChatStore, root: Path) -> None:
    text = '{"log": {"logs": [{"type": "user", "content": "\\ud83d", "kvps": {"a": NaN}}]}, "agents": []}'
    (chat_id,) = store.load_texts([text])
    assert chat_file(root, chat_id)["log"]["logs"][0] == {"type": "user", "content": "\ufffd", "kvps": {"a": None}}
    assert len(store.problems) == 2


def test_d50_a_background_text_is_not_taken_in(store: ChatStore, root: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert store.load_texts([json.dumps(chat(type="background"))]) == []
    assert len(names(root)) == 3
    caplog.clear()


@pytest.mark.shared
@pytest.mark.parametrize("group", ["chats/usr/chats", "chats/exports", "real-chats"])
def test_export_load_and_export_give_the_same_chat_but_for_the_id(shared: Path, tmp_path: Path, group: str) -> None:
    root = tmp_path / "chats"
    root.mkdir()
    paths = [p / "chat.json" if p.is_dir() else p for p in sorted((shared / group).iterdir()) if p.suffix != ".md"]
    with Archive.open(root) as archive:
        store = ChatStore(archive)
        ids = store.load_texts([path.read_text("utf-8") for path in paths])
        assert len(ids) == len(paths) and not [p for p in store.problems if "could not" in p.text]
        result = archive.export_json([persist_folder(chat_id) for chat_id in ids], tmp_path / "out")
        assert not result.failed
        for path, chat_id, out in zip(paths, ids, result.items, strict=True):
            assert out.path is not None
            was, now = json.loads(path.read_bytes()), json.loads(out.path.read_bytes())
            assert now.pop("id") == chat_id
            was.pop("id")
            assert now == was, path


def persist_folder(chat_id: str) -> Any:
    return chat_id


# export


def test_d66_exporting_an_unknown_id_is_an_error_and_makes_nothing(store: ChatStore, root: Path) -> None:
    with pytest.raises(NotFoundError):
        store.export_text("Unknown1")
    assert names(root) == {"Chat0000", "Chat0001", "Chat0002"}
    assert json.loads(store.export_text("Chat0001"))["name"] == "Chat number 1"


# removing


@pytest.mark.parametrize("chat_id", ["", " ", "\t"])
def test_d07_an_empty_id_is_refused(store: ChatStore, root: Path, chat_id: str) -> None:
    before = snapshot(root)
    for function in (store.remove, store.remove_messages, store.folder_path, store.messages_path):
        with pytest.raises(BadIdError):
            function(chat_id)
    assert snapshot(root) == before


@pytest.mark.parametrize("chat_id", [".", "..", "../victim", "/abs/dir", "a/b", "a\\b", "a\0b", PRIVATE_FOLDER])
def test_d08_an_id_that_is_a_path_is_refused(store: ChatStore, root: Path, chat_id: str) -> None:
    put(root.parent, "victim", chat("victim"))
    before = snapshot(root.parent)
    for function in (store.remove, store.remove_messages, store.folder_path, store.messages_path):
        with pytest.raises(BadIdError):
            function(chat_id)
    with pytest.raises(BadIdError):
        store.save(AgentContext(id=chat_id, folder=chat_id))
    assert snapshot(root.parent) == before


def test_removing_erases_the_folder_and_forgets_the_context(store: ChatStore, root: Path) -> None:
    store.load_all()
    (root / "Chat0001/messages").mkdir()
    (root / "Chat0001/messages/1.txt").write_text("x")
    store.remove("Chat0001")
    assert names(root) == {"Chat0000", "Chat0002"}
    assert store.registry.get("Chat0001") is None
    assert not list((root / PRIVATE_FOLDER / "trash").iterdir())


def test_removing_a_missing_chat_is_no_error(store: ChatStore, root: Path) -> None:
    before = snapshot(root)
    store.remove("Missing1")
    store.remove_messages("Missing1")
    assert snapshot(root) == before


def test_response_ids_are_noted_before_the_folder_is_gone(store: ChatStore, root: Path) -> None:
    state = {"response_id": "resp_one", "response_ids": ["resp_one", "resp_two"]}
    block = {"metadata": {"responses": {"response_id": "resp_three", "state": "local"}}}
    made = chat(
        "Resp0001",
        agents=[{"number": 0, "data": {"responses_state": state}, "history": history([message("x", ai=True) | block])}],
    )
    path = put(root, "Resp0001", made)
    (path.parent / "backups").mkdir()
    old = {"responses_state": {"response_ids": ["resp_old"]}}
    (path.parent / "backups/pre-compact-20260714-101500.json").write_bytes(text_of(chat(agents=[{"data": old}])))
    store.remove("Resp0001")
    lines = [json.loads(line) for line in (root / PRIVATE_FOLDER / "outbox.jsonl").read_text().splitlines()]
    assert {line["id"] for line in lines} == {"resp_one", "resp_two", "resp_three", "resp_old"}
    assert {line["id"]: bool(line["hold"]) for line in lines}["resp_three"]
    assert not (root / "Resp0001").exists()


def test_d77_a_chat_that_keeps_its_responses_holds_them_back(store: ChatStore, root: Path) -> None:
    data = {"responses_state": {"response_id": "resp_one"}, "responses_delete_on_chat_delete": False}
    put(root, "Keep0001", chat("Keep0001", agents=[{"number": 0, "data": data, "history": ""}]))
    store.remove("Keep0001")
    (line,) = (root / PRIVATE_FOLDER / "outbox.jsonl").read_text().splitlines()
    assert "responses_delete_on_chat_delete" in json.loads(line)["hold"]


def test_a_chat_stays_when_its_ids_cannot_be_noted(
    store: ChatStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"responses_state": {"response_id": "resp_one"}}
    put(root, "Resp0001", chat("Resp0001", agents=[{"number": 0, "data": data, "history": ""}]))
    before = (root / "Resp0001/chat.json").read_bytes()

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise StorageError("no")

    monkeypatch.setattr(files, "append_synced", refuse)
    monkeypatch.setattr(files, "replace_atomic", refuse)
    with pytest.raises(StorageError):
        store.remove("Resp0001")
    assert (root / "Resp0001/chat.json").read_bytes() == before


@pytest.mark.parametrize(
    "data", [b"[]", b"5", b'{"agents": 5}', b'{"agents": [{"data": {"responses_state": {"response_ids": 5}}}]}']
)
def test_d74_chats_of_any_content_can_be_removed(store: ChatStore, root: Path, data: bytes) -> None:
    put(root, "Odd", data)
    store.remove("Odd")
    assert "Odd" not in names(root)


def test_d75_an_unreadable_chat_is_removed_with_its_ids_salvaged(store: ChatStore, root: Path) -> None:
    put(root, "Cut", b'{"id": "Cut", "agents": [{"data": {"responses_state": {"response_id": "resp_lost')
    result = store.remove("Cut")
    assert "incomplete" in result.items[0].text
    (line,) = (root / PRIVATE_FOLDER / "outbox.jsonl").read_text().splitlines()
    assert json.loads(line)["id"] == "resp_lost"
    assert json.loads(line)["certain"] is False


def test_d11_an_id_that_names_a_file_is_reported(store: ChatStore, root: Path) -> None:
    (root / "note.txt").write_text("mine")
    with pytest.raises(BadIdError):
        store.remove("note.txt")
    assert (root / "note.txt").read_text() == "mine"


def test_d11_a_folder_that_cannot_be_removed_is_reported_and_stays(
    store: ChatStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.load_all()
    before = snapshot(root / "Chat0001")

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "move_at", refuse)
    with pytest.raises(StorageError):
        store.remove("Chat0001")
    assert snapshot(root / "Chat0001") == before
    assert store.registry.get("Chat0001") is not None


def test_only_message_files_go_to_the_trash_as_a_whole(store: ChatStore, root: Path) -> None:
    folder = root / "Chat0001/messages"
    folder.mkdir()
    for number in (1, 3):
        (folder / f"{number}.txt").write_text(str(number))
    before = (root / "Chat0001/chat.json").read_bytes()
    store.remove_messages("Chat0001")
    assert os.listdir(root / "Chat0001") == ["chat.json"]
    assert (root / "Chat0001/chat.json").read_bytes() == before
    kept = sorted(path.name for path in (root / PRIVATE_FOLDER / "trash").rglob("*.txt"))
    assert kept == ["1.txt", "3.txt"]


# the snapshot


def test_a_context_whose_file_is_gone_is_dropped_and_a_fresh_one_stays(store: ChatStore, root: Path) -> None:
    store.load_all()
    fresh, busy = AgentContext(name="fresh"), AgentContext(name="busy")
    store.save(busy)
    for context in (fresh, busy):
        store.registry.add(context)
    store.registry.set_running(busy.id, True)
    for folder in ("Chat0001", busy.id):
        (root / folder / "chat.json").unlink()
    ids = {state.id for state in store.snapshot().contexts}
    assert ids == {"Chat0000", "Chat0002", fresh.id, busy.id}
    assert store.registry.get("Chat0001") is None
    store.registry.set_running(busy.id, False)
    assert busy.id not in {state.id for state in store.snapshot().contexts}


def test_background_contexts_are_in_no_list_and_tasks_in_their_own(store: ChatStore, root: Path) -> None:
    (root.parent / "scheduler").mkdir()
    (root.parent / "scheduler/tasks.json").write_text(json.dumps({"tasks": [{"uuid": "Chat0001"}]}))
    store.load_all()
    store.registry.add(AgentContext(type=AgentContextType.BACKGROUND))
    store.registry.add(AgentContext(id="Task0001", type=AgentContextType.TASK))
    found = store.snapshot()
    assert {state.id for state in found.contexts} == {"Chat0000", "Chat0002"}
    assert {state.id for state in found.tasks} == {"Chat0001", "Task0001"}


def test_d82_the_snapshot_is_sorted_by_instant_not_by_text(store: ChatStore, root: Path) -> None:
    for folder in list(names(root)):
        store.remove(folder)
    dates = {
        "a": "2026-03-02T23:30:00-05:00",
        "b": "2026-03-03T01:00:00+09:00",
        "c": "2026-03-02T20:00:00+00:00",
        "d": None,
    }
    for chat_id, date in dates.items():
        put(root, chat_id, chat(chat_id, created_at=date))
    store.load_all()
    assert [state.id for state in store.snapshot().contexts] == ["a", "c", "b", "d"]


def test_d83_a_child_whose_parent_is_gone_stands_at_the_top_level(store: ChatStore, root: Path) -> None:
    put(root, "Child001", chat("Child001", output_data={"parent_context_id": "Chat0001"}))
    put(root, "Child002", chat("Child002", output_data={"parent_context_id": "Gone0001"}))
    store.load_all()
    states = {state.id: state for state in store.snapshot().contexts}
    assert (states["Child001"].parent_id, states["Child001"].orphan) == ("Chat0001", False)
    assert (states["Child002"].parent_id, states["Child002"].orphan) == ("", True)


def test_new_ids_are_free_in_memory_and_on_disk(store: ChatStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.registry.add(AgentContext(id="InMemory"))
    answers = iter(["InMemory", "Chat0001", "FreeFree"])
    monkeypatch.setattr("chat_archive.core.model.registry.new_id", lambda: next(answers))
    assert store.new_id() == "FreeFree"


def test_loading_writes_nothing_to_a_root_without_flat_files(store: ChatStore, root: Path) -> None:
    age(root / "Chat0001/chat.json")
    before = snapshot(root)
    store.load_all()
    store.snapshot()
    store.export_text("Chat0001")
    assert snapshot(root) == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_save_over_a_link_is_for_its_owner_alone(root: Path, store: ChatStore, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    (root / "Linked01").mkdir()
    (root / "Linked01" / "chat.json").symlink_to(victim)
    store.save(AgentContext(id="Linked01"))
    saved = (root / "Linked01" / "chat.json").lstat()
    assert (saved.st_mode & 0o777, victim.read_bytes()) == (0o600, b"mine")
    assert chat_file(root, "Linked01")["id"] == "Linked01"


def test_a_background_chat_whose_type_is_plain_text_is_never_written(root: Path, store: ChatStore) -> None:
    context = AgentContext(id="Backgr01")
    context.type = "background"  # type: ignore[assignment]
    store.registry.add(context)
    assert store.save(context) is None
    store.save_all()
    assert not (root / "Backgr01").exists()


def test_d53_half_a_character_in_a_text_is_replaced_and_counted_once(root: Path, store: ChatStore) -> None:
    (chat_id,) = store.load_texts(['{"agents": [], "name": "a\ud800b \ud83d\ude00"}'])
    assert chat_file(root, chat_id)["name"] == "a\ufffdb \U0001f600"
    assert [problem.text for problem in store.problems] == ["1 half of a character was replaced by \ufffd."]


@pytest.mark.parametrize("broken", [history([message("first")])[:-30], 5, "[" * 5000])
def test_d26_a_message_added_to_a_broken_history_is_saved_and_the_old_text_kept(
    root: Path, store: ChatStore, broken: object
) -> None:
    agents = [{"number": 0, "agent_profile": "", "data": {}, "history": broken}]
    before = put(root, "Broken01", chat("Broken01", agents=agents)).read_bytes()
    store.load_all()
    context = store.registry.get("Broken01")
    assert context is not None
    assert context.agent0 is not None
    context.agent0.history.add_message(True, "the new answer")
    store.save(context)
    saved = json.loads(chat_file(root, "Broken01")["agents"][0]["history"])
    assert saved["current"]["messages"][-1]["content"] == "the new answer"
    assert ["first" in str(message["content"]) for message in saved["current"]["messages"][:-1]] == (
        [True] if isinstance(broken, str) and "first" in broken else []
    )
    assert [path.read_bytes() for path in (root / PRIVATE_FOLDER / "recovered").iterdir()] == [before]


def test_the_marker_and_other_private_keys_are_left_out_without_a_word(root: Path, store: ChatStore) -> None:
    context = AgentContext(id="Private1")
    context.data["_mine"] = context.output_data["_mine"] = 1
    assert context.agent0 is not None
    context.agent0.data["_mine"] = 1
    store.save(context)
    made = store.save(context)
    assert made is not None
    assert made.remarks == ()
    assert "_mine" not in made.text
    assert "_persist_chat_saved" not in made.text


def test_a_save_syncs_the_file_then_renames_it_then_syncs_the_folder(
    root: Path, store: ChatStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.archive.workspace.need_private()
    store.save(AgentContext(id="Ordered1"))
    done: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(descriptor: int) -> None:
        here = os.fstat(descriptor)
        if os.path.samestat(here, os.stat(root / "Ordered1")):
            done.append("folder")
        elif here.st_size > 5000:
            done.append("file")
        real_sync(descriptor)

    def replace(source: str, target: str, **more: Any) -> None:
        done.append("rename")
        real_replace(source, target, **more)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    store.save(AgentContext(id="Ordered1", name="x" * 5000))
    assert done == ["file", "rename", "folder"]


def test_the_passing_file_of_a_save_is_named_in_the_journal_before_it_is_made(
    root: Path, store: ChatStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = os.open

    def opening(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if str(path).startswith(".chat.json."):
            open_records = (root / PRIVATE_FOLDER / "journal.jsonl").read_text().splitlines()
            assert json.loads(open_records[-1])["temporary"] == path
            made.append(path)
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", opening)
    store.save(AgentContext(id="Named001"))
    assert len(made) == 1
