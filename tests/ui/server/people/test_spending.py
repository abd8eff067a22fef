"""What an account pays for models: booked with each call, and limited while a run is under way."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from tests.endpoint import Endpoint
from tests.ui.server.people.conftest import Peopled, peopled
from ui.server.handbook.handbook_site import HOST

PRICES = "openai:any: {input: 10, output: 40}\n"
QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture
def paying(stored: None, tmp_path: Path, endpoint: Endpoint) -> Iterator[Peopled]:
    """Accounts that ask a language model with a price."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "prices.yaml").write_text(PRICES)
    settings = Settings(
        data=data, allow_private=(HOST,), base_url=endpoint.url, model="openai:any", memory=False
    )
    with peopled(settings) as served:
        yield served


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
