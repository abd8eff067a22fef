"""A read-only link: it opens one session's answer without a login, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from tests.ui.server.api_client import Caller, called
from ui.server.access.password_hash import save_password
from ui.server.access.visitors import PasswordVisitors
from ui.server.handbook.handbook_site import HOST

QUESTION = "Which engineer built the lighthouse of Holm?"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Caller]:
    save_password(tmp_path, "open sesame, please")
    settings = Settings(data=tmp_path, allow_private=(HOST,))
    with called(settings, PasswordVisitors(tmp_path), any_host=True) as caller:
        yield caller


@pytest.fixture
def session(server: Caller, site: str) -> str:
    """A session that has ended."""
    asked = {"question": QUESTION, "sites": [site], "session": "one", "seed": 3}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("one", "answered", "abstained", "partial")
    return "one"


def share(server: Caller, id: str) -> str:
    """The path of the session's link."""
    shared = server.ask(f"/api/sessions/{id}/share", method="PUT")
    assert shared.status == 200
    return str(shared.json()["path"])


def test_a_link_opens_the_answer_without_a_login_until_it_is_ended(
    server: Caller, session: str
) -> None:
    path = share(server, session)
    assert share(server, session) == path
    shown = server.bare(path)
    assert shown.status == 200
    assert QUESTION in shown.body.decode()
    assert shown.headers["content-type"].startswith("text/html")
    assert shown.headers["cache-control"] == "no-store"
    assert "noindex" in shown.headers["x-robots-tag"]
    for closed in ("/api/sessions/one", "/", "/api/sessions/one/export?format=html"):
        assert server.bare(closed).status == 401
    for changing in ("POST", "PUT", "DELETE"):
        assert server.bare(path, b"{}", changing).status == 405
    assert server.ask("/api/sessions/one/share", method="DELETE").status == 200
    assert server.ask("/api/sessions/one/share", method="DELETE").status == 200
    ended = server.bare(path)
    assert ended.status == 404
    assert "Nothing is shared here" in ended.body.decode()
    assert share(server, session) != path
    assert server.bare(path).status == 404


def test_the_page_speaks_the_language_of_whoever_opens_the_link(
    server: Caller, session: str
) -> None:
    german = server.bare(share(server, session), **{"accept-language": "de-AT,en;q=0.5"})
    assert '<html lang="de">' in german.body.decode()
    assert "Bericht von Forager" in german.body.decode()
    asked = server.ask("/api/sessions/one/export?format=md&parts=all", **{"accept-language": "de"})
    assert "## Lauf" in asked.body.decode()


def test_nothing_but_a_whole_token_opens_anything(server: Caller, session: str) -> None:
    path = share(server, session)
    wrongs = path[:-1], path + "A", "/shared/one", "/shared/", "/shared/%25", "/shared/../one"
    for wrong in wrongs:
        assert server.bare(wrong).status in {401, 404}, wrong


def test_a_link_goes_with_its_session(server: Caller, session: str) -> None:
    path = share(server, session)
    assert server.ask(f"/api/sessions/{session}?undo=0", method="DELETE").status == 200
    assert server.bare(path).status == 404
    assert server.ask(f"/api/sessions/{session}/share", method="PUT").status == 404


def test_the_session_of_another_user_cannot_be_shared(
    server: Caller, session: str, tmp_path: Path
) -> None:
    assert server.backend
    settings = server.backend.settings.model_copy(update={"user": "somebody else"})
    with called(settings, PasswordVisitors(tmp_path), any_host=True) as other:
        refused = other.ask(f"/api/sessions/{session}/share", method="PUT")
        assert refused.status == 409
        assert "belongs to the user" in refused.json()["error"]
