"""The space of an account: what of the installation's settings holds there, and what does not."""

from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.accounts import Account
from forager.adapters.store.blob_store import open_blob_store
from forager.adapters.store.shared_crawls import open_crawls
from forager.errors import StoreError
from forager.settings import Settings, load_settings, save_values
from graphs.system.accounts.account_spaces import (
    delete_space,
    prepare_space,
    release_space,
    space_settings,
)
from graphs.system.accounts.accounts import Accounts

BOB = Account(id="0123456789ab", name="bob", role="asker", created=1.0)


def test_a_kept_key_is_of_the_account_that_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORAGER_BRAVE_KEY", "for-all")
    save_values(tmp_path, {"OPENAI_API_KEY": "of-ada", "FORAGER_LANGUAGE": "de"})
    save_values(tmp_path / "users" / BOB.id, {"FORAGER_TAVILY_KEY": "of-bob"})
    own = space_settings(load_settings(tmp_path), BOB)
    assert own.openai_api_key is None
    assert own.tavily_key == SecretStr("of-bob")
    assert own.brave_key == SecretStr("for-all")
    assert load_settings(tmp_path).tavily_key is None


def test_an_account_keeps_no_address_no_program_and_no_folder(tmp_path: Path) -> None:
    kept = {"FORAGER_BASE_URL": "http://10.0.0.1/", "FORAGER_ALLOW_PRIVATE": "10.0.0.1"}
    save_values(tmp_path / "users" / BOB.id, {**kept, "FORAGER_LANGUAGE": "zh"})
    home = Settings(data=tmp_path, secrets=tmp_path / "secrets.yaml", record=tmp_path / "record")
    own = space_settings(home, BOB)
    assert (own.base_url, own.allow_private, own.language) == ("", (), "zh")
    assert (own.secrets, own.record) == (None, None)
    assert own.confined
    assert not space_settings(home, BOB.model_copy(update={"role": "admin"})).confined


async def test_all_accounts_keep_one_pause_for_a_host(stored: None, tmp_path: Path) -> None:
    home = Settings(data=tmp_path)
    other = BOB.model_copy(update={"id": "ba9876543210"})
    spaces = [home, *(space_settings(home, account) for account in (BOB, other))]
    for account in (BOB, other):
        prepare_space(home, account)
    waits = []
    for settings in spaces:
        with closing(open_crawls(settings)) as crawls:
            waits.append(await crawls.take_turn("a.example", 100.0))
    assert waits == [pytest.approx(turn * 100, abs=20) for turn in range(3)]
    with closing(open_crawls(spaces[1])) as crawls:
        crawls.forget(lambda name: name == "a.example")
    with closing(open_crawls(spaces[2])) as crawls:
        assert await crawls.take_turn("a.example", 100.0) <= 0
    release_space(home, BOB)
    release_space(home, other)


@pytest.mark.parametrize("id", ["../x", "", ".", "0123456789AB", "0123456789ab/..", "x" * 12])
def test_an_id_that_is_none_names_no_folder(tmp_path: Path, id: str) -> None:
    with pytest.raises(StoreError, match="not the ID"):
        space_settings(Settings(data=tmp_path), BOB.model_copy(update={"id": id}))


def test_a_removed_space_takes_its_pages_from_a_store_elsewhere(tmp_path: Path) -> None:
    home = Settings(data=tmp_path / "data", blobs=str(tmp_path / "blobs"))
    prepare_space(home, BOB)
    for settings in (home, space_settings(home, BOB)):
        with open_blob_store(settings) as blobs:
            blobs.put(b"one page for both", "document")
    delete_space(home, BOB)
    kept = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert [path.relative_to(tmp_path / "blobs").parts[0] for path in kept] == ["document"]
    assert not (tmp_path / "data" / "users" / BOB.id).exists()


def test_models_and_prices_are_the_same_for_all_and_stay(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "small.gguf").write_bytes(b"GGUF")
    home = Settings(data=tmp_path)
    prepare_space(home, BOB)
    prepare_space(home, BOB)
    assert (space_settings(home, BOB).data / "models" / "small.gguf").read_bytes() == b"GGUF"
    delete_space(home, BOB)
    assert (tmp_path / "models" / "small.gguf").exists()


def test_a_name_is_made_of_an_address_and_is_not_taken(tmp_path: Path) -> None:
    accounts = Accounts(Settings(data=tmp_path))
    accounts.add("ada", "admin", email="root@example.org")
    emails = "Ada@one.example", "ada@two.example", "..@three.example", "ada.b+c@four.example"
    made = [accounts.add_for_email(email) for email in emails]
    assert [each.name for each in made] == ["ada1", "ada2", "user", "ada.b-c"]
    assert {each.role for each in made} == {"asker"}
    assert accounts.add_for_email("ADA@one.example") == made[0]
