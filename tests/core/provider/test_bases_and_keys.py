"""Which base URL and which key belong to a response; what is never sent anywhere (P5, P6, D-70 to D-72)."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.provider import installation, keys
from chat_archive.core.provider.bases import ID, BadBaseError, Base, Bases, checked, configured, parse_option
from chat_archive.core.provider.keys import KeyRing, MemoryKeys, Secret, SystemKeyring, parse_env, split, variables
from chat_archive.core.settings import Settings
from tests.core.provider.conftest import Retry
from tests.providers import KEY, TinyProvider, agent, let_go, setup_for, wrapped

States = Callable[[], dict[str, str]]


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://API.OpenAI.com/v1/", "https://api.openai.com/v1"),
        ("https://api.openai.com:443/v1", "https://api.openai.com/v1"),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("https://x.openai.azure.com/?api-version=2025-04-01-preview", "https://x.openai.azure.com?api-version=2025-04-01-preview"),
    ],
)  # fmt: skip
def test_a_base_url_has_one_form(given: str, used: str) -> None:
    assert checked(given) == used


@pytest.mark.parametrize(
    "bad",
    [
        "http://api.openai.com/v1",
        "http://127.0.0.1.evil.example/v1",
        "http://localhost.evil.example/v1",
        "https://user:pass@api.openai.com/v1",
        "https://user@api.openai.com",
        "https://api.openai.com/v1#x",
        "https://api.openai.com/v1?key=sk-1",
        "https://api.openai.com/../v1",
        "https://api.openai.com/v1\r\nX: y",
        "https://api.openai.com\\@evil.example",
        "ftp://api.openai.com",
        "file:///etc/passwd",
        "api.openai.com/v1",
        "https://",
        "https://[::1",
        "https://api.openai.com:99999/v1",
        "https://аpi.openai.com/v1",
        "",
        "https://api.openai.com/" + "x" * 600,
    ],
)
def test_a_base_url_that_is_not_plain_is_refused_and_not_repeated(bad: str) -> None:
    with pytest.raises(BadBaseError) as refused:
        checked(bad)
    assert "pass" not in str(refused.value).replace("password", "")


@pytest.mark.parametrize("bad", ["", "../x", "resp/1", "resp_1?x=1", "resp_1\n", "résp", "x" * 129, "resp_1%2f"])
def test_an_id_that_is_not_plain_never_becomes_part_of_an_address(bad: str) -> None:
    assert not ID.fullmatch(bad)
    with pytest.raises(ValueError, match="id"):
        Base("openai", "openai", "https://api.openai.com/v1", "").response_url(bad)


def test_addresses_of_the_three_kinds() -> None:
    assert (
        Base("openai", "openai", "https://api.openai.com/v1", "").response_url("resp_1")
        == "https://api.openai.com/v1/responses/resp_1"
    )
    azure = Base("azure", "azure", "https://x.openai.azure.com", "")
    assert azure.response_url("resp_1") == "https://x.openai.azure.com/openai/v1/responses/resp_1?api-version=preview"
    dated = Base("azure", "azure", checked("https://x.example/openai/v1?api-version=2026-01-01"), "")
    assert dated.response_url("resp_1") == "https://x.example/openai/v1/responses/resp_1?api-version=2026-01-01"
    assert azure.key_header("k") == ("api-key", "k")
    assert Base("xai", "xai", "https://api.x.ai/v1", "").key_header("k") == ("Authorization", "Bearer k")


def all_of(*own: str, environ: dict[str, str] | None = None, installed: tuple[Base, ...] = ()) -> Bases:
    return configured(own, environ or {}, {}, installed)


VENICE = Base("openai", "a0_venice", "https://api.venice.example/v1", "the installation's model_providers.yaml")


def test_d71_a_base_in_a_chat_only_selects_among_configured_ones() -> None:
    bases = all_of(installed=(VENICE,))
    found = bases.choose("openai", "https://api.venice.example/v1/", "message")
    assert found.base == VENICE
    assert bases.choose("openai", "https://evil.example/v1", "message").base is None
    assert "not among" in bases.choose("openai", "https://evil.example/v1", "message").reason
    assert bases.choose("openai", "https://u:p@api.venice.example/v1", "message").base is None
    default = bases.choose("openai", "", "message").base
    assert default is not None
    assert default.url == "https://api.openai.com/v1"


def test_d71_without_a_trace_nothing_is_guessed_between_several() -> None:
    assert all_of().choose("openai", "", "none").base is not None
    found = all_of(installed=(VENICE,)).choose("openai", "", "none")
    assert found.base is None
    assert "does not say" in found.reason
    assert all_of().choose("openai", "", "several").base is None
    own = all_of("openai=https://mine.example/v1", installed=(VENICE,))
    chosen = own.choose("openai", "", "none").base
    assert chosen is not None
    assert chosen.url == "https://mine.example/v1", "the person's own word settles it"


def test_the_environment_replaces_the_usual_base() -> None:
    bases = all_of(environ={"OPENAI_BASE_URL": "https://proxy.example/v1", "AZURE_API_BASE": "https://x.example"})
    for trace in ("none", "message"):
        chosen = bases.choose("openai", "", trace).base
        assert chosen is not None
        assert chosen.url == "https://proxy.example/v1"
    usual = bases.choose("openai", "https://api.openai.com/v1", "message").base
    assert usual is not None
    azure = bases.choose("azure", "", "message").base
    assert azure is not None
    assert azure.url == "https://x.example"
    assert all_of().choose("azure", "", "message").base is None
    refused = all_of(environ={"XAI_API_BASE": "http://plain.example"})
    assert len(refused.remarks) == 1


def test_a_provider_in_an_id_never_brings_its_own_host() -> None:
    assert all_of().choose("evil.example", "", "none").base is None
    assert all_of().choose("", "", "none").base is None
    assert not all_of().choose("openrouter", "", "none").stored


def test_a_base_of_the_person_takes_the_name_the_installation_knows_it_by() -> None:
    (own,) = [one for one in all_of(f"openai={VENICE.url}", installed=(VENICE,)) if one.rank == 0]
    assert own.name == "a0_venice", "so that another provider's key never goes there"
    assert parse_option("openai:zai=https://z.example/v1")[1] == "zai"
    with pytest.raises(BadBaseError):
        parse_option("https://z.example/v1")


def test_azure_gets_its_own_header_path_and_query(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    provider.keys = lambda headers: headers.get("api-key") == "azure-key" and "authorization" not in headers
    let_go(archive, "Old00001", ["resp_a"], model_key="azure/my-deployment")
    base = provider.url.removesuffix("/v1")
    setup = setup_for(archive, environ={"AZURE_API_BASE": base, "AZURE_OPENAI_API_KEY": "azure-key"})
    retry(setup=setup)
    assert [one.path for one in provider.asked] == ["/openai/v1/responses/resp_a?api-version=preview"]
    assert states() == {"resp_a": "deleted"}


def test_d71_each_response_goes_to_its_own_base_with_its_own_key(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    provider.keys = lambda _headers: True
    let_go(archive, "Old00001", ["resp_o"], base="")
    let_go(archive, "Old00002", ["resp_v"], base=f"{provider.url}/venice/")
    let_go(archive, "Old00003", ["resp_x"], model_key="xai/grok-4")
    let_go(archive, "Old00004", ["resp_z"], base="https://nobody.example/v1")
    let_go(archive, "Old00005", [wrapped("resp_w", "mystery")])
    setup = setup_for(
        archive,
        f"openai={provider.url}/o",
        f"openai:a0_venice={provider.url}/venice",
        f"xai={provider.url}/x",
        environ={"API_KEY_OPENAI": "k-o", "A0_VENICE_API_KEY": "k-v", "XAI_API_KEY": "k-x"},
    )
    # two own bases of one provider: the one without a trace would be a guess, the empty one is the provider's usual
    retry(setup=setup)
    sent = {one.path: one.headers["authorization"] for one in provider.asked}
    assert sent["/v1/venice/responses/resp_v"] == "Bearer k-v"
    assert sent["/v1/x/responses/resp_x"] == "Bearer k-x"
    assert len(sent) == 2
    assert states()["resp_z"] == "unknown base"
    assert states()["resp_w"] == "unknown base"
    assert states()["resp_o"] == "unknown base"


def test_d71_ids_of_a_state_follow_the_messages_of_the_same_model(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    """Messages that were summarised leave only the state's list; the others still say where this model was."""
    from tests.builders import chat, put

    made = agent(["resp_new"], base=provider.url + "/venice")
    made["data"]["responses_state"]["response_ids"] = ["resp_old", "resp_new"]
    put(archive.root, "Old00001", chat("Old00001", agents=[made]))
    from chat_archive.core.operations import erase

    erase.erase(archive.workspace, "Old00001")  # type: ignore[arg-type]
    setup = setup_for(archive, f"other:a0_venice={provider.url}/venice", environ={"API_KEY_A0_VENICE": KEY})
    retry(setup=setup)
    assert sorted(one.path for one in provider.asked) == [
        "/v1/venice/responses/resp_new",
        "/v1/venice/responses/resp_old",
    ]


def test_d72_what_was_never_stored_is_counted_and_not_sent(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", [wrapped("chatcmpl-1"), wrapped("gen-2"), "resp_a"])
    retry()
    assert provider.ids == ["resp_a"]
    assert states() == {"chatcmpl-1": "not stored", "gen-2": "not stored", "resp_a": "deleted"}
    assert archive.provider_waiting_count == 0


def test_an_id_of_a_strange_look_is_shown_and_never_sent(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", [wrapped("../../files/x"), wrapped("resp_1?x=y"), wrapped("resp_1#\u202e")])
    retry()
    retry(*[one.entry for one in archive.provider_receipts()])
    assert provider.asked == []
    assert set(states().values()) == {"refused"}


# keys


def test_d70_the_lookup_order_is_agent_zeros_own() -> None:
    assert variables("openai") == ["API_KEY_OPENAI", "OPENAI_API_KEY", "OPENAI_API_TOKEN"]
    environ = {"OPENAI_API_TOKEN": "third", "OPENAI_API_KEY": "None", "API_KEY_OPENAI": ""}
    ring = KeyRing(stored=MemoryKeys(), environ=environ)
    (found,) = ring.find("https://x", "openai")
    assert found.secret.reveal() == "third"
    assert (
        KeyRing(stored=MemoryKeys(), environ={"API_KEY_OPENAI": "first", **environ | {"API_KEY_OPENAI": "first"}})
        .find("u", "openai")[0]
        .secret.reveal()
        == "first"
    )
    assert ring.find("https://x", "xai") == []


def test_places_of_keys_come_in_their_order() -> None:
    typed, stored = MemoryKeys(), MemoryKeys()
    ring = KeyRing(
        typed, stored, {"API_KEY_OPENAI": "env", "MINE": "named"}, {"openai": "MINE"}, {"API_KEY_OPENAI": "file"}
    )
    seen = []
    for undo in (
        lambda: typed.set("u", "typed"),
        lambda: stored.set("u", "stored"),
    ):
        undo()
    for step in (lambda: typed.remove("u"), lambda: stored.remove("u"), lambda: None):
        seen.append(ring.find("u", "openai")[0].secret.reveal())
        step()
    assert seen == ["typed", "stored", "named"]
    assert KeyRing(typed, stored, {}, {}, {"API_KEY_OPENAI": "file"}).find("u", "openai")[0].source.endswith(".env")


def test_a_value_may_be_a_list_of_keys_and_odd_ones_are_left_out() -> None:
    assert [one.reveal() for one in split("a, b,a,,NA,none,x y,k\n2,ключ")] == ["a", "b"]


def test_a_secret_shows_nothing_of_itself() -> None:
    secret = Secret(KEY)
    shown = [repr(secret), str(secret), f"{secret}", f"{secret:>40}", repr([secret]), repr(keys.Key(secret, "x"))]
    assert not any(KEY in text for text in shown)
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        copy.deepcopy(secret)
    try:
        raise ValueError(secret)
    except ValueError:
        assert KEY not in traceback.format_exc()
    assert secret == Secret(KEY)
    assert secret.digest("a") != secret.digest("b")
    assert len(secret.digest("a")) == 12
    assert KEY not in repr(KeyRing(environ={"API_KEY_OPENAI": KEY}, dotenv={"X": KEY}))


def test_the_systems_keyring_is_used_through_its_own_face(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    from keyring.backend import KeyringBackend

    class InMemory(KeyringBackend):
        priority = 5  # type: ignore[assignment]

        def __init__(self) -> None:
            super().__init__()
            self.held: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.held.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.held[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del self.held[service, username]

    backend = InMemory()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    store = SystemKeyring()
    assert store.available
    assert store.set("https://api.openai.com/v1", KEY)
    assert KeyRing(stored=store).find("https://api.openai.com/v1", "openai")[0].secret == Secret(KEY)
    assert KeyRing(stored=store).find("https://other.example/v1", "openai") == [], "a key belongs to its base"
    store.remove("https://api.openai.com/v1")
    store.remove("https://api.openai.com/v1")
    assert store.get("https://api.openai.com/v1") is None


def test_without_a_real_keyring_there_is_none_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    from keyring.backends.fail import Keyring

    monkeypatch.setattr(keyring, "get_keyring", Keyring)
    store = SystemKeyring()
    assert not store.available
    assert not store.set("u", KEY)
    assert store.get("u") is None
    store.remove("u")

    def broken() -> object:
        raise RuntimeError("no bus")

    monkeypatch.setattr(keyring, "get_keyring", broken)
    assert not SystemKeyring().available


def test_no_key_waits_with_the_reason(archive: Archive, provider: TinyProvider, retry: Retry, states: States) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    retry(setup=setup_for(archive, f"openai={provider.url}", environ={"XAI_API_KEY": "k"}))
    assert states() == {"resp_a": "no key"}
    assert provider.asked == []
    retry()
    assert states() == {"resp_a": "deleted"}


def test_d70_a_key_typed_in_is_used_and_never_written(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States, tmp_path: Path
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    typed = MemoryKeys()
    typed.set(provider.url, KEY)
    retry(setup=setup_for(archive, f"openai={provider.url}", environ={}, typed=typed))
    assert states() == {"resp_a": "deleted"}
    assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


# the installation around a root


def test_the_env_file_is_read_only_after_a_yes_for_this_root(archive: Archive) -> None:
    env = archive.root.parent / ".env"
    env.write_text(f"# keys\nexport API_KEY_OPENAI='{KEY}' # mine\nOTHER = x #y\n1BAD=2\n")
    setup = setup_for(archive, environ={})
    assert setup.ask_env == env
    assert setup.keys.find("u", "openai") == []
    no = setup_for(archive, environ={}, settings=Settings(provider_env_files={str(archive.root): False}))
    assert no.ask_env is None
    assert no.keys.find("u", "openai") == []
    yes = setup_for(archive, environ={}, settings=Settings(provider_env_files={str(archive.root): True}))
    assert yes.ask_env is None
    assert yes.keys.find("u", "openai")[0].secret == Secret(KEY)
    other = setup_for(archive, environ={}, settings=Settings(provider_env_files={"/elsewhere": True}))
    assert other.keys.find("u", "openai") == []


def test_the_env_file_of_an_older_installation_lies_above(tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    root.mkdir(parents=True)
    (tmp_path / ".env").write_text("API_KEY_OPENAI=old")
    assert installation.dotenv(root)["API_KEY_OPENAI"] == "old"
    (tmp_path / "usr" / ".env").write_text("API_KEY_OPENAI=new")
    assert installation.dotenv(root)["API_KEY_OPENAI"] == "new"
    (tmp_path / "usr" / ".env").unlink()
    (tmp_path / "usr" / ".env").symlink_to(tmp_path / ".env")
    assert parse_env(b"A=1\nA=2\n\xffB=3") == {"A": "2"}


def test_base_urls_of_the_installations_own_files(tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    root.mkdir(parents=True)
    files = {
        "conf/model_providers.yaml": (
            "chat:\n  a0_venice:\n    name: Venice  # ours\n    litellm_provider: openai\n    kwargs:\n"
            '      api_base: "https://api.venice.example/v1"\n  openai:\n    litellm_provider: openai\n'
        ),
        "usr/plugins/_model_config/config.json": json.dumps(
            {"chat": {"provider": "zai", "name": "glm", "api_base": "https://z.example/v4/"}, "x": [{"provider": 5}]}
        ),
        "usr/plugins/_model_config/presets.yaml": (
            "- name: fast\n  chat:\n    provider: other\n    api_base: http://localhost:8000/v1\n"
            "- name: bad\n  chat:\n    provider: other\n    api_base: http://plain.example/v1\n"
        ),
        "usr/projects/p1/.a0proj/plugins/_model_config/config.json": json.dumps(
            {"chat": {"provider": "xai", "kwargs": {"api_base": "https://x.example/v1"}}}
        ),
        "usr/settings.json": json.dumps(
            {"chat_model_provider": "OTHER", "chat_model_api_base": "https://old.example/v1"}
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = {(one.provider, one.name, one.url) for one in installation.bases(root)}
    assert found == {
        ("openai", "a0_venice", "https://api.venice.example/v1"),
        ("openai", "zai", "https://z.example/v4"),
        ("openai", "other", "http://localhost:8000/v1"),
        ("xai", "xai", "https://x.example/v1"),
        ("openai", "other", "https://old.example/v1"),
    }


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 50, b"[" * 50_000, b'{"a":' * 5000, b"x: y\n" * 100_000, b"a:\n  - b:\n    - c: d\n"]
)
def test_damaged_configuration_files_name_nothing(tmp_path: Path, data: bytes) -> None:
    root = tmp_path / "usr" / "chats"
    root.mkdir(parents=True)
    folder = tmp_path / "usr" / "plugins" / "_model_config"
    folder.mkdir(parents=True)
    for name in ("config.json", "presets.yaml"):
        (folder / name).write_bytes(data)
    assert installation.bases(root) == []
