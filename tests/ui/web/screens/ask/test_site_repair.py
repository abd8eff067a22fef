"""A site that cannot be read is mended at one click, in the form and beside a run that failed."""

from contextlib import closing

import pytest
from streamlit.testing.v1 import AppTest

from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.spend import Spend
from forager.domain.state import Question
from tests.ui.web.screens.ask.test_start_form import form, named, page, started
from ui.server.handbook.handbook_site import HOST
from ui.server.space_backend import Backend

KNOWN = "https://docs.lights.invalid/"
MISSPELT = "https://docs.ligths.invalid/coast"


@pytest.fixture
def read(office: Backend) -> Backend:
    """The office, where a session has read the pages of a host that is out of reach now."""
    begun(office, "read", KNOWN)
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        store.set_summary("read", "In 1874.", 3, Spend())
    return office


def begun(office: Backend, id: str, *sites: str, status: str = "") -> None:
    question = Question(text="Who lit the lamp?", sites=sites)
    office.sessions.call(lambda to: to.start(question, "forager", "offline", id))
    if status:
        with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
            store.set_columns(id, status=status)


def sites_of(office: Backend, at: AppTest) -> tuple[str, ...]:
    """Those of the run that the page shows."""
    id = named(at)
    return office.sessions.call(lambda to: to.get(id)).question.sites


def test_an_unknown_host_is_said_at_once_and_starts_no_run(office: Backend) -> None:
    at = started(page(), "Who?", "nowhere.invalid")
    assert "nowhere.invalid is unknown. Check the spelling" in at.error[0].value.replace("\\", "")
    assert {button.key for button in at.button}.isdisjoint({"allow", "correct"})
    assert office.sessions.call(lambda to: to.listing.search()) == ()


def test_a_misspelt_host_that_was_read_before_is_corrected_by_one_click(read: Backend) -> None:
    at = started(page(), "Who?", f"http://127.0.0.1:1/ {MISSPELT.removeprefix('https://')}")
    assert form(at).sites[1] == "docs.ligths.invalid/coast"
    button = at.button(key="correct")
    assert button.label.replace("\\", "") == "Ask docs.lights.invalid instead"
    at = button.click().run()
    assert not at.exception
    assert sites_of(read, at) == ("http://127.0.0.1:1/", f"{KNOWN}coast")


def test_a_well_known_host_is_offered_before_any_site_was_read(office: Backend) -> None:
    begun(office, "failed", "docs.pyton.ogr", status="failed")
    button = page(session="failed").button(key="correct")
    assert button.label.replace("\\", "") == "Ask docs.python.org instead"


def test_a_search_that_failed_leads_to_its_settings(office: Backend) -> None:
    begun(office, "web", status="failed")
    begun(office, "site", "http://127.0.0.1:1/", status="failed")
    links = {id: page(session=id).get("page_link") for id in ("web", "site")}
    shown = {id: [getattr(each, "label", "") for each in found] for id, found in links.items()}
    assert "Search settings" in shown["web"]
    assert "Search settings" not in shown["site"]


def test_a_run_that_failed_before_it_read_is_asked_again_and_has_no_limits_to_raise(
    office: Backend,
) -> None:
    begun(office, "closed", "http://127.0.0.1:1/", status="failed")
    at = page(session="closed")
    assert not at.exception
    labels = [button.label for button in at.button]
    assert "Edit and ask again" in labels
    assert "Raise limits and resume" not in labels


def test_a_run_that_failed_over_a_misspelt_host_is_asked_again_by_one_click(read: Backend) -> None:
    begun(read, "failed", MISSPELT, status="failed")
    at = page(session="failed").button(key="correct").click().run()
    assert not at.exception
    assert named(at) != "failed"
    assert sites_of(read, at) == (f"{KNOWN}coast",)


def test_a_run_that_failed_over_a_private_host_goes_on_by_one_click(office: Backend) -> None:
    settings = office.settings
    office.renew(settings.model_copy(update={"allow_private": ("127.0.0.2",)}))
    begun(office, "private", "http://127.0.0.2:1/", status="failed")
    office.renew(settings)
    at = page(session="private")
    button = at.button(key="allow")
    assert button.label.replace("\\", "") == "Allow 127.0.0.2 and resume"
    assert any("It stays allowed" in each.value for each in at.caption)
    at = button.click().run()
    assert not at.exception
    assert named(at) == "private"
    assert office.settings.allow_private == (HOST, "127.0.0.2")
    (told,) = at.toast
    assert (
        told.value.replace("\\", "")
        == "127.0.0.2 stays allowed. To change that: Settings, Privacy."
    )
    assert office.running() == ("private",) or office.fault("private") == ""
