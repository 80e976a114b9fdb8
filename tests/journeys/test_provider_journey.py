"""From an erased chat to "it is gone there, too": the real window, the real queue, a real server on this computer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.provider.keys import MemoryKeys, Secret
from chat_archive.core.settings import Settings
from chat_archive.ui.choices import Choices
from chat_archive.ui.dialogs.provider_dialogs import KeyChoice
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.main_window import MainWindow
from chat_archive.ui.models.chat_order import ALL, PROVIDER
from chat_archive.ui.theme import Theme
from tests.builders import chat, make_root, put
from tests.fakes import FakePrompts, FakeProviderPrompts
from tests.providers import KEY, TinyProvider, agent, let_go, tiny_provider


@dataclass
class Shown:
    window: MainWindow
    provider: TinyProvider
    prompts: FakeProviderPrompts
    root: Path
    qtbot: QtBot

    def states(self) -> dict[str, str]:
        return {line.receipt.original: line.receipt.state.value for line in self.window.pane.provider.model.all_lines}

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=10_000)

    def wait_for(self, **states: str) -> None:
        self.wait(lambda: self.states() == states and not self.window.provider.working)


@pytest.fixture
def shown(tmp_path: Path, theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shown]:
    monkeypatch.setattr("chat_archive.core.provider.setup.os.environ", {})
    monkeypatch.setattr("chat_archive.ui.provider_work.SystemKeyring", MemoryKeys)
    root = make_root(tmp_path / "install")
    with Archive.open(root) as archive:
        let_go(archive, "Old00001", ["resp_a", "resp_b"])
    with tiny_provider() as provider:
        prompts = FakeProviderPrompts()
        runner = JobRunner()
        choices = Choices(Settings(provider_bases=[f"openai={provider.url}"]))
        window = MainWindow(theme, runner, choices, FakePrompts(), provider_prompts=prompts)
        window.commands.open_root(root)
        window.show()
        made = Shown(window, provider, prompts, root, qtbot)
        made.wait(lambda: window.sidebar.lines.find(PROVIDER) >= 0)
        window.sidebar.choose(PROVIDER)
        yield made
        runner.cancel_all()
        made.wait(lambda: not any(job.writes for job in runner.jobs))
        window.close()
        runner.close()
        window.deleteLater()


def test_a_key_typed_in_deletes_what_waits(shown: Shown) -> None:
    view = shown.window.pane.provider
    assert view.isVisible()
    shown.wait_for(resp_a="waiting", resp_b="waiting")
    assert shown.provider.asked == [], "opening a window sends nothing"
    view.retry_button.click()
    shown.wait_for(resp_a="no key", resp_b="no key")
    shown.prompts.key = KeyChoice(shown.provider.url, Secret(KEY), keep=False)
    view.keys_button.click()
    shown.wait_for(resp_a="deleted", resp_b="deleted")
    assert [(base.url, has) for base, has in shown.prompts.offered] == [(shown.provider.url, False)]
    assert shown.window.provider.waiting == 0
    assert "Nothing more is to be deleted" in view.sum.text()


def test_the_installations_keys_are_asked_for_once(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    shown.provider.script["resp_b"] = [400]
    shown.window.pane.provider.retry_button.click()
    shown.wait_for(resp_a="deleted", resp_b="refused")
    assert shown.prompts.asked == ["env .env"]
    assert shown.window.choices.settings.provider_env_files == {str(shown.root): True}
    shown.window.pane.provider.table.selectAll()
    shown.window.pane.provider.retry_button.click()
    shown.wait_for(resp_a="deleted", resp_b="deleted")
    assert shown.prompts.asked == ["env .env"]


def test_a_failed_one_goes_on_by_itself(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    shown.provider.script["resp_b"] = [500]
    shown.window.pane.provider.retry_button.click()
    shown.wait_for(resp_a="deleted", resp_b="deleted")
    assert shown.provider.ids.count("resp_b") == 2


def test_giving_up_and_the_table(shown: Shown, tmp_path: Path) -> None:
    view = shown.window.pane.provider
    shown.wait_for(resp_a="waiting", resp_b="waiting")
    view.table.selectRow(0)
    name = view.selected()[0].receipt.original
    shown.prompts.yes = False
    view.forget_button.click()
    assert set(shown.states().values()) == {"waiting"}
    shown.prompts.yes = True
    view.forget_button.click()
    shown.wait(lambda: shown.states()[name] == "given up")
    shown.prompts.table = tmp_path / "receipts.csv"
    view.table.clearSelection()
    view.table_button.click()
    shown.wait((tmp_path / "receipts.csv").exists)
    assert "given up" in (tmp_path / "receipts.csv").read_text()


def test_closing_the_window_stops_a_request_that_hangs(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    shown.provider.script |= {"resp_a": ["hang"], "resp_b": ["hang"]}
    shown.window.pane.provider.retry_button.click()
    shown.wait(lambda: bool(shown.provider.asked))
    shown.window.close()
    with Archive.open(shown.root) as archive:
        assert archive.provider_waiting_count == 2


def test_a_queue_that_cannot_be_read_is_told_once(shown: Shown, tmp_path: Path) -> None:
    path = shown.root / ".chat-archive" / "outbox.jsonl"
    told: list[str] = []
    shown.window.messages.error = lambda error: told.append(str(error))  # type: ignore[method-assign]
    shown.wait_for(resp_a="waiting", resp_b="waiting")
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    for _ in range(3):
        shown.window.provider.read()
        shown.wait(lambda: not shown.window.runner.busy)
    assert len(told) == 1
    assert "link" in told[0]


def test_the_key_is_in_no_file_of_the_program(shown: Shown, own_home: Path) -> None:
    shown.prompts.key = KeyChoice(shown.provider.url, Secret(KEY), keep=False)
    shown.window.pane.provider.keys_button.click()
    shown.wait_for(resp_a="deleted", resp_b="deleted")
    for folder in (own_home, shown.root):
        assert not [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert json.loads(json.dumps(shown.window.choices.settings.provider_env_files)) == {}


def test_what_another_chat_uses_goes_only_after_a_question(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    put(shown.root, "Branch01", chat("Branch01", agents=[agent(["resp_a"])]))
    view = shown.window.pane.provider
    view.retry_button.click()
    shown.wait_for(resp_a="kept because shared", resp_b="deleted")
    view.field.setText("resp_a")
    view.table.selectAll()
    shown.prompts.yes = False
    view.retry_button.click()
    shown.prompts.yes = True
    view.retry_button.click()
    shown.wait_for(resp_a="deleted", resp_b="deleted")
    assert shown.prompts.asked == ["env .env", "shared 1", "shared 1"]


def let_go_in_the_window(shown: Shown, choices: DeleteChoices) -> None:
    put(shown.root, "Whole001", chat("Whole001", agents=[agent(["resp_c"])]))
    window, prompts = shown.window, shown.window.prompts
    assert isinstance(prompts, FakePrompts)
    prompts.deletion = choices
    shown.wait_for(resp_a="waiting", resp_b="waiting")
    window.sidebar.choose(ALL)
    window.actions_by_id["refresh"].trigger()
    model = window.model
    shown.wait(lambda: "Whole001" in {row.folder for row in model.shown_rows})
    window.pane.list.select([model.key_at(n) for n in range(model.rowCount()) if model.row_at(n).folder == "Whole001"])
    shown.wait(lambda: window.actions_by_id["move_to_trash"].isEnabled() and not window.runner.busy)
    window.actions_by_id["move_to_trash"].trigger()


def test_what_was_agreed_to_with_a_deletion_is_sent_at_once_and_told(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    let_go_in_the_window(shown, DeleteChoices(for_good=True))
    shown.wait_for(resp_a="waiting", resp_b="waiting", resp_c="deleted")
    assert shown.provider.ids == ["resp_c"], "what waited before waits for a hand"
    assert shown.prompts.asked == ["env .env"]
    assert "resp_c: Deleted; the provider confirmed it." in {notice.text for notice in shown.window.notices.notices}


def test_what_was_chosen_to_be_kept_is_not_sent(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    let_go_in_the_window(shown, DeleteChoices(for_good=True, provider="keep"))
    shown.wait_for(resp_a="waiting", resp_b="waiting", resp_c="kept")
    assert shown.provider.asked == []


def test_emptying_the_trash_does_what_was_agreed_to_when_the_chat_went_there(shown: Shown) -> None:
    (shown.root.parent / ".env").write_text(f"API_KEY_OPENAI={KEY}\n")
    let_go_in_the_window(shown, DeleteChoices())
    window = shown.window
    shown.wait(lambda: len(window.trash_entries()) == 1 and not window.runner.busy)
    assert shown.provider.asked == []
    window.changes.empty(window.trash_entries())
    shown.wait_for(resp_a="waiting", resp_b="waiting", resp_c="deleted")
