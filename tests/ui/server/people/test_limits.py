"""What an account pays for models: booked with each call, and limited while a run is under way."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forager.settings import Settings
from graphs.system.accounts.account_limits import AccountAllowance
from graphs.system.accounts.accounts import Accounts
from tests.coast import ENGINEER, Coast
from tests.endpoint import Endpoint
from tests.postgres import IN_FILES
from tests.ray_cluster import RayCluster
from tests.ui.server.api_client import Caller
from tests.ui.server.people.conftest import Peopled, peopled
from ui.server.handbook.handbook_site import HOST

PRICES = "openai:any: {input: 10, output: 40}\n"
QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture
def paying(stored: None, tmp_path: Path, endpoint: Endpoint) -> Iterator[Peopled]:
    """Accounts that ask a language model with a price."""
    with peopled(paying_settings(tmp_path / "data", endpoint)) as served:
        yield served


def paying_settings(data: Path, endpoint: Endpoint, ray: str = "") -> Settings:
    """Those of an installation whose model has a price."""
    data.mkdir()
    (data / "prices.yaml").write_text(PRICES)
    return Settings(
        data=data,
        allow_private=(HOST,),
        base_url=endpoint.url,
        model="openai:any",
        memory=False,
        ray=ray,
    )


def test_what_a_session_costs_is_booked_for_its_account(paying: Peopled, site: str) -> None:
    bob, cleo = paying.add("bob"), paying.add("cleo")
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "one"})
    bob.seen("one", "answered", "partial", "abstained")
    spent = bob.ask("/api/sessions/one").json()["spent"]["usd"]
    assert spent > 0
    assert bob.ask("/api/account").json()["spent"] == pytest.approx(spent)
    assert cleo.ask("/api/account").json()["spent"] == 0
    bob.ask("/api/sessions/one", method="DELETE")
    assert bob.ask("/api/account").json()["spent"] == pytest.approx(spent)


def test_what_a_worker_of_the_cluster_spends_is_booked(
    tmp_path: Path, endpoint: Endpoint, site: str, ray_cluster: RayCluster
) -> None:
    with peopled(paying_settings(tmp_path / "data", endpoint, ray=ray_cluster.address)) as served:
        bob = served.add("bob")
        bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "one"})
        bob.seen("one", "answered", "partial", "abstained")
        logs = (tmp_path / "data" / "users").glob("*/logs/forager.log")
        assert "session one: running" in "".join(log.read_text() for log in logs)
        spent = bob.ask("/api/sessions/one").json()["spent"]["usd"]
        assert spent > 0
        await_end(bob)  # what a worker has spent is booked when its task has ended
        assert bob.ask("/api/account").json()["spent"] == pytest.approx(spent)


def await_end(caller: Caller) -> None:
    """Wait until nothing runs any more."""
    end = time.monotonic() + 60
    while caller.ask("/api/health").json()["running"]:
        assert time.monotonic() < end
        threading.Event().wait(0.05)


def test_a_session_gets_no_larger_budget_than_what_is_left(
    paying: Peopled, site: str, endpoint: Endpoint
) -> None:
    bob = paying.add("bob")
    account = paying.accounts.named("bob")
    paying.accounts.set_limits(account.id, 3, None)
    paying.accounts.book(account.id, 2.9999)
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "one"})
    bob.seen("one", "answered", "partial", "abstained")
    asked = len(endpoint.requests)
    events = bob.ask("/api/sessions/one/events").json()
    steered = [event for event in events if "usd" in str(event.get("data", {}).get("budget", ""))]
    assert steered, events
    assert bob.ask("/api/account").json()["spent"] >= 2.9999
    assert asked <= 1
    paying.accounts.book(account.id, 1)
    refused = bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "two"})
    assert refused.status == 403
    assert len(endpoint.requests) == asked


def test_no_model_is_called_once_the_limit_is_spent_meanwhile(
    paying: Peopled, site: str, endpoint: Endpoint
) -> None:
    bob = paying.add("bob")
    account = paying.accounts.named("bob")
    paying.accounts.set_limits(account.id, 3, None)
    asked = {"question": QUESTION, "sites": [site], "session": "one", "step": True}
    bob.ask("/api/sessions", asked)
    bob.seen("one", "paused", "unfinished", "interrupted")
    paying.accounts.book(account.id, 3)
    before = len(endpoint.requests)
    assert bob.ask("/api/sessions/one/resume", {}).status == 403
    assert bob.ask("/api/sessions/one/stop", {}).status == 202
    bob.seen("one", "answered", "partial", "abstained", "failed")
    assert len(endpoint.requests) == before


def test_who_has_spent_the_month_starts_and_resumes_nothing(people: Peopled, site: str) -> None:
    bob, ada = people.add("bob"), people.as_account("ada")
    limits = {"usd_per_month": 2, "sessions_at_once": None}
    assert ada.ask("/api/accounts/bob", limits, "PATCH").json()["usd_per_month"] == 2
    account = people.accounts.named("bob")
    asked = {"question": QUESTION, "sites": [site], "session": "one", "step": True}
    assert bob.ask("/api/sessions", asked).status == 201
    bob.seen("one", "paused", "unfinished", "interrupted")
    people.accounts.book(account.id, 1.5)
    assert bob.ask("/api/account").json()["spent"] == 1.5
    people.accounts.book(account.id, 0.5)
    chat = {"model": "forager", "messages": [{"role": "user", "content": f"{QUESTION} {site}"}]}
    for path, body in (
        ("/api/sessions", {**asked, "session": "two"}),
        ("/api/sessions/one/resume", {}),
        ("/v1/chat/completions", chat),
    ):
        refused = bob.bare(path, body, authorization=f"Bearer {bob.token}")
        assert refused.status == 403, refused.body
        assert b"is spent" in refused.body
    assert bob.ask("/api/sessions").json()["count"] == 1
    assert [each["spent"] for each in ada.ask("/api/accounts").json()] == [0, 2]
    ada.ask("/api/accounts/bob", {"usd_per_month": 5}, "PATCH")
    assert bob.ask("/api/sessions/one/resume", {}).status == 202
    bob.seen("one", "answered")


def test_the_limit_begins_anew_with_the_month(people: Peopled) -> None:
    people.add("bob")
    account = people.accounts.named("bob")
    people.accounts.set_limits(account.id, 1, None)
    now = [datetime(2026, 1, 31, 23, 59, tzinfo=UTC).timestamp()]
    clocked = Accounts(people.accounts.settings, lambda: now[0])
    clocked.book(account.id, 1.25)
    allowance = AccountAllowance(clocked, account.id)
    assert allowance.left() == -0.25
    now[0] += 60
    assert allowance.left() == 1
    people.accounts.set_disabled(account.id, disabled=True)
    assert allowance.left() == 0


@IN_FILES
def test_no_more_sessions_run_at_once_than_an_account_may(people: Peopled, site: str) -> None:
    bob, cleo = people.add("bob"), people.add("cleo")
    ada = people.as_account("ada")
    assert ada.ask("/api/accounts/bob", {"sessions_at_once": 0}, "PATCH").status == 422
    assert ada.ask("/api/accounts/bob", {"sessions_at_once": 1}, "PATCH").status == 200
    other = {"question": QUESTION, "sites": [site]}
    with Coast() as coast:
        asked = {"question": ENGINEER, "sites": [coast.url()], "session": "one"}
        assert bob.ask("/api/sessions", asked).status == 201
        assert coast.wanted.wait(60)
        refused = bob.ask("/api/sessions", other)
        assert refused.status == 403
        assert "1 sessions at once" in refused.json()["error"]
        assert cleo.ask("/api/sessions", other).status == 201
        coast.let_go.set()
        bob.seen("one", "answered")
    assert bob.ask("/api/sessions", {**other, "session": "two"}).status == 201
    bob.seen("two", "answered")
