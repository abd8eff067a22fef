"""Accounts, their tokens and shares in the store, in a file and on a server."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from forager.accounts import Account, AccountToken, Role, Share
from forager.adapters.store.accounts.account_store import AccountStore
from forager.adapters.store.accounts.share_store import ShareStore
from forager.adapters.store.accounts.token_store import TokenStore
from forager.errors import NoAccountError, NoShareError, NoTokenError, UsageError
from forager.util.place import Place, Tables

MONTH = "2026-11"


def account(name: str, role: Role = "admin", email: str = "") -> Account:
    return Account(id=f"id-{name}", name=name, email=email, role=role, created=1.0)


@pytest.fixture
def place(table_place: Callable[[Tables], Place]) -> Place:
    return table_place("accounts")


@pytest.fixture
def store(place: Place) -> AccountStore:
    return AccountStore(place)


def test_nothing_is_made_by_looking(store: AccountStore, place: Place) -> None:
    assert not store.any()
    assert store.list() == ()
    assert store.find("ada", "name") is None
    assert store.spent(MONTH) == {}
    assert TokenStore(place).find("digest", 0.0) is None
    assert ShareStore(place).received("id-ada") == ()


def test_the_first_account_is_an_admin_and_has_the_installations_space(store: AccountStore) -> None:
    with pytest.raises(UsageError, match="has to be an admin"):
        store.add(account("bob", "asker"), "")
    assert store.add(account("ada"), "hash").home
    assert not store.add(account("bob", "asker"), "").home
    assert [each.name for each in store.list()] == ["ada", "bob"]
    assert (store.password_of("id-ada"), store.password_of("id-bob")) == ("hash", "")


def test_names_and_addresses_are_taken_once_and_having_none_is_not_taken(
    store: AccountStore,
) -> None:
    store.add(account("ada", email="a@example.org"), "")
    for name, email in (("ada", ""), ("eve", "a@example.org")):
        with pytest.raises(UsageError, match="already"):
            store.add(account(name, "asker", email), "")
    store.add(account("bob", "asker"), "")
    store.add(account("cleo", "asker"), "")
    assert store.find("a@example.org", "email") == store.find("ada", "name")
    assert store.find("", "email") is None


def test_one_admin_stays_whoever_demotes_the_other_at_the_same_time(store: AccountStore) -> None:
    store.add(account("ada"), "")
    store.add(account("eve"), "")

    def demote(name: str) -> bool:
        try:
            store.change(f"id-{name}", {"role": "asker"})
        except UsageError:
            return False
        return True

    with ThreadPoolExecutor() as pool:
        done = [*pool.map(demote, ("ada", "eve"))]
    assert sorted(done) == [False, True]
    assert [each.role for each in store.list()].count("admin") == 1


def test_a_change_that_ends_logins_changes_the_stamp(store: AccountStore) -> None:
    store.add(account("ada"), "")
    store.change("id-ada", {"usd_per_month": 2.5})
    store.change("id-ada", {"password": "other"}, ends_logins=True)
    found = store.find("id-ada")
    assert found is not None
    assert (found.stamp, found.usd_per_month) == (1, 2.5)
    with pytest.raises(NoAccountError):
        store.change("id-bob", {"role": "asker"})


def test_what_is_spent_adds_up_whoever_books_it(store: AccountStore) -> None:
    store.add(account("ada"), "")
    with ThreadPoolExecutor() as pool:
        for booked in [pool.submit(store.spend, "id-ada", MONTH, 0.25) for _ in range(12)]:
            booked.result()
    store.spend("id-ada", "2026-12", 7)
    assert store.spent(MONTH) == {"id-ada": 3.0}


def test_tokens_and_shares_go_with_their_account(store: AccountStore, place: Place) -> None:
    tokens, shares = TokenStore(place), ShareStore(place)
    for name in ("ada", "bob", "cleo"):
        store.add(account(name), "")
        own = AccountToken(id=name, account=f"id-{name}", name="one", scope="read", created=1.0)
        tokens.add(own, f"digest-{name}")
    for owner, recipient in (("bob", "cleo"), ("ada", "bob"), ("ada", "cleo"), ("ada", "")):
        shares.add(
            Share(
                id=f"{owner}-{recipient}",
                owner=f"id-{owner}",
                kind="session",
                thing="q07",
                recipient=recipient and f"id-{recipient}",
                created=1.0,
            )
        )
    assert {each.id for each in shares.received("id-bob")} == {"ada-bob", "ada-"}
    store.spend("id-bob", MONTH, 1)
    store.remove("id-bob")
    assert tokens.find("digest-bob", 2.0) is None
    assert tokens.find("digest-ada", 2.0) is not None
    assert {each.id for each in shares.given("id-ada")} == {"ada-cleo", "ada-"}
    assert {*shares.received("id-cleo")} == {*shares.given("id-ada")}
    assert store.spent(MONTH) == {}


def test_only_its_account_ends_a_token_or_a_share(store: AccountStore, place: Place) -> None:
    tokens, shares = TokenStore(place), ShareStore(place)
    store.add(account("ada"), "")
    tokens.add(AccountToken(id="t", account="id-ada", name="n", scope="ask", created=1.0), "d")
    shares.add(Share(id="s", owner="id-ada", kind="graph", thing="ours", created=1.0))
    with pytest.raises(NoTokenError):
        tokens.revoke("t", "id-eve")
    with pytest.raises(NoShareError):
        shares.end("s", "id-eve")
    tokens.revoke("t", "id-ada")
    shares.end("s", "id-ada")
    assert (tokens.list("id-ada"), shares.given("id-ada")) == ((), ())


def test_the_use_of_a_token_is_noted_and_an_expired_one_is_none(place: Place) -> None:
    tokens = TokenStore(place)
    made = AccountToken(
        id="t", account="id-ada", name="n", scope="ask", created=100.0, expires=500.0
    )
    tokens.add(made, "digest")
    for moment, used in ((110.0, 110.0), (120.0, 110.0), (200.0, 200.0)):
        assert tokens.find("digest", moment) is not None
        assert tokens.list("id-ada")[0].used == used
    assert tokens.find("digest", 500.0) is None
    assert tokens.find("other", 110.0) is None
