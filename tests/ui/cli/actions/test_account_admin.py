"""`forager user` and `forager token`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from tests.ui.conftest import Forager
from ui.cli import app
from ui.server.access.password_hash import matches_hash

PASSWORD = "correct horse battery"
USAGE = 2


@pytest.fixture
def typed(tmp_path: Path) -> Forager:
    """The command line with a password on its standard input."""
    env = {"FORAGER_DATA": str(tmp_path / "data")}

    def call(*words: str, password: str = PASSWORD) -> Result:
        given = f"{password}\n"
        return CliRunner().invoke(app, words, input=given, env=env, prog_name="forager")

    return call


@pytest.fixture
def accounts(typed: Forager, tmp_path: Path) -> Accounts:
    """Those of ada, who is the first, and of bob."""
    assert "has to log in" in typed("user", "add", "ada", "--role", "admin").stdout
    added = typed("user", "add", "bob", "--role", "asker", "--email", "bob@example.org")
    assert added.stdout.splitlines() == ["Added bob, asker."]
    return Accounts(Settings(data=tmp_path / "data"))


def test_the_first_account_is_an_admin_and_everybody_has_a_way_to_log_in(
    forager: Forager, typed: Forager
) -> None:
    assert "No accounts" in forager("user", "list").stderr
    first = typed("user", "add", "bob", "--role", "asker")
    assert (first.exit_code, "has to be an admin" in first.stderr) == (USAGE, True)
    nobody = forager("user", "add", "ada", "--role", "admin", "--no-password")
    assert (nobody.exit_code, "Nobody could log in" in nobody.stderr) == (USAGE, True)
    short = typed("user", "add", "ada", "--role", "admin", password="short")
    assert (short.exit_code, "too short" in short.stderr) == (USAGE, True)
    assert "No accounts" in forager("user", "list").stderr


def test_accounts_are_listed_with_roles_limits_and_spending(
    forager: Forager, accounts: Accounts
) -> None:
    assert forager("user", "limit", "bob", "--usd", "20", "--sessions", "2").exit_code == 0
    accounts.book(accounts.named("bob").id, 3.749)
    told = forager("user", "list").stdout
    for word in ("ada", "bob@example.org", "$3.75", "$20 a month", "2 at once"):
        assert word in told
    assert forager("user", "limit", "bob", "--usd", "none").stdout == "bob: 2 at once.\n"
    for option, value in (("--usd", "-1"), ("--sessions", "0"), ("--usd", "much")):
        assert forager("user", "limit", "bob", option, value).exit_code == USAGE


def test_roles_passwords_and_accounts_change(
    forager: Forager, typed: Forager, accounts: Accounts
) -> None:
    assert forager("user", "role", "bob", "editor").stdout == "bob is editor.\n"
    assert typed("user", "password", "bob", password="another password").exit_code == 0
    assert forager("user", "disable", "bob").stdout == "bob is disabled.\n"
    bob = accounts.named("bob")
    assert (bob.role, bob.disabled, bob.stamp) == ("editor", True, 2)
    assert matches_hash("another password", accounts.password_of(bob.id))
    assert forager("user", "enable", "bob").exit_code == 0
    for words in (("role", "ada", "asker"), ("disable", "ada"), ("remove", "ada", "--yes")):
        refused = forager("user", *words)
        assert refused.exit_code == USAGE, words
    assert forager("user", "role", "nobody", "asker").exit_code == USAGE


def test_an_account_is_removed_after_a_question(
    forager: Forager, typed: Forager, accounts: Accounts
) -> None:
    assert typed("user", "remove", "bob", password="n").exit_code != 0
    assert len(accounts.list()) == 2
    assert forager("user", "remove", "bob", "--yes").exit_code == 0
    assert [each.name for each in accounts.list()] == ["ada"]


def test_tokens_are_created_listed_and_revoked(forager: Forager, accounts: Accounts) -> None:
    made = forager("token", "create", "notebook", "--scope", "ask", "--account", "bob")
    token = accounts.find_token(made.stdout.strip())
    assert token is not None
    assert (token.account, token.scope) == (accounts.named("bob").id, "ask")
    assert forager("token", "create", "own", "--scope", "read", "--days", "2").exit_code == 0
    assert "notebook" in forager("token", "list", "--account", "bob").stdout
    assert "notebook" not in forager("token", "list").stdout
    assert forager("token", "revoke", token.id).exit_code == USAGE
    assert forager("token", "revoke", token.id, "--account", "bob").exit_code == 0
    assert accounts.find_token(made.stdout.strip()) is None
