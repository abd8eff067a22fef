"""The settings of a worker, where who asks has an account."""

import pickle
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.accounts import Account
from forager.settings import Settings
from graphs.cluster.session_task import settings_here
from graphs.system.accounts.account_spaces import space_settings

BOB = Account(id="0123456789ab", name="bob", role="asker", created=1.0)
DATABASE = SecretStr("postgresql://forager@db.example.org/forager")


def test_an_account_has_a_folder_of_its_own_on_a_worker_and_no_secrets_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Settings(data=tmp_path / "server", database_url=DATABASE, ray="auto")
    monkeypatch.setenv("FORAGER_DATA", str(tmp_path / "worker"))
    monkeypatch.setenv("FORAGER_SECRETS", str(tmp_path / "secrets.yaml"))
    sent = pickle.loads(pickle.dumps(space_settings(home, BOB)))  # noqa: S301  our own bytes
    own = settings_here(sent)
    assert own.data == tmp_path / "worker" / "users" / BOB.id
    assert (own.secrets, own.ray, own.confined) == (None, "", True)
    first = settings_here(home)
    assert first.data == tmp_path / "worker"
    assert first.secrets == tmp_path / "secrets.yaml"
