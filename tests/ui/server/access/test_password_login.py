import re
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forager.errors import StoreError, UsageError
from forager.settings import Settings
from tests.ui.server.api_client import Answer, Caller, called
from ui.cli import app
from ui.server.access.attempt_limits import FREE_ATTEMPTS
from ui.server.access.password_hash import matches_hash, read_hash, save_password
from ui.server.access.password_login import COOKIE, DEVICE
from ui.server.access.visitors import PasswordVisitors
from ui.server.handbook.handbook_site import HOST

SECRET = "open sesame, please"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Caller]:
    save_password(tmp_path, SECRET)
    settings = Settings(data=tmp_path, allow_private=(HOST,))
    with called(settings, PasswordVisitors(tmp_path), any_host=True) as caller:
        yield caller


def login(server: Caller, given: str, **headers: str) -> Answer:
    form = f"password={given.replace(' ', '+')}".encode()
    return server.bare("/login", form, **headers)


def cookie(answer: Answer, name: str = COOKIE) -> str:
    """What a browser sends back of one cookie of an answer."""
    found = re.search(rf"{name}=[^;]+", answer.headers["set-cookie"])
    assert found
    return found[0]


def from_elsewhere(server: Caller, given: str) -> Answer:
    """An attempt that a proxy on this machine passes on for another address."""
    return login(server, given, **{"x-forwarded-for": "203.0.113.9"})


def test_the_password_is_kept_as_a_hash_for_its_owner_alone(tmp_path: Path) -> None:
    assert read_hash(tmp_path) is None
    save_password(tmp_path, SECRET)
    file = tmp_path / "ui-password"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert SECRET not in file.read_text()
    line = read_hash(tmp_path)
    assert line
    assert matches_hash(SECRET, line)
    assert not matches_hash(SECRET + " ", line)


def test_a_password_that_is_short_or_damaged_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too short"):
        save_password(tmp_path, "short")
    (tmp_path / "ui-password").write_text("gone")
    with pytest.raises(StoreError, match="does not hold a password"):
        read_hash(tmp_path)


def test_the_command_asks_twice(tmp_path: Path) -> None:
    line = ["ui", "--set-password", "--data", str(tmp_path)]
    done = CliRunner().invoke(app, line, input=f"{SECRET}\n{SECRET}\n")
    assert done.exit_code == 0, done.output
    kept = read_hash(tmp_path)
    assert kept
    assert matches_hash(SECRET, kept)
    assert SECRET not in done.output


def test_nothing_is_shown_before_the_login(server: Caller) -> None:
    asked = server.bare("/", accept="text/html")
    assert (asked.status, asked.headers["location"]) == (303, "/login")
    assert server.bare("/media/one").status == 401
    assert server.bare("/app/static/plex-serif-400.woff2").status == 401


def test_the_page_to_log_in_has_its_font(server: Caller) -> None:
    found = re.search(r'url\("([^"]+)"\)', server.bare("/login").body.decode())
    assert found
    assert server.bare(found[1]).status != 401
    assert server.bare("/api/sessions").status == 401
    assert b'type="password"' in server.bare("/login").body


def test_who_knows_the_password_is_let_in_until_the_logout(server: Caller) -> None:
    entered = login(server, SECRET)
    assert (entered.status, entered.headers["location"]) == (303, "/")
    said = entered.headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert server.bare("/", cookie=cookie(entered)).body == b"a page"
    assert server.bare("/api/sessions", cookie=cookie(entered)).status == 401  # the token is asked
    assert server.bare("/logout", b"", cookie=cookie(entered)).status == 303
    assert server.bare("/", cookie=cookie(entered)).status == 401


def test_a_cookie_that_was_made_up_lets_nobody_in(server: Caller) -> None:
    assert server.bare("/", cookie="forager_entry=").status == 401
    assert server.bare("/", cookie="forager_entry=guessed").status == 401


def test_guessing_is_slowed_down(server: Caller) -> None:
    assert [login(server, "wrong").status for _ in range(FREE_ATTEMPTS)] == [401] * FREE_ATTEMPTS
    shut = login(server, SECRET)
    assert shut.status == 429
    assert b"Too many wrong passwords" in shut.body


def test_guessing_at_the_same_time_is_slowed_down_too(server: Caller) -> None:
    with ThreadPoolExecutor(4 * FREE_ATTEMPTS) as many:
        found = [
            each.status
            for each in many.map(lambda _: login(server, "wrong"), range(4 * FREE_ATTEMPTS))
        ]
    assert sorted(found) == [401] * FREE_ATTEMPTS + [429] * 3 * FREE_ATTEMPTS


def test_another_sites_page_cannot_log_in(server: Caller) -> None:
    assert login(server, SECRET, origin="http://evil.example").status == 403


def test_a_body_that_is_no_form_is_no_password(server: Caller) -> None:
    for body in (b"", b"\xff", b"password", b"password=" + b"a" * 10_000):
        assert server.bare("/login", body).status == 401


def test_programs_come_in_with_the_token(server: Caller) -> None:
    assert server.ask("/api/sessions").json()["count"] == 0
    assert server.ask("/media/one").status == 200


def test_wrong_passwords_from_one_address_keep_nobody_out_elsewhere(server: Caller) -> None:
    for _ in range(2 * FREE_ATTEMPTS):
        from_elsewhere(server, "wrong")
    assert from_elsewhere(server, SECRET).status == 429
    assert login(server, SECRET).status == 303


def test_a_browser_that_logged_in_before_comes_in_beside_guesses_from_its_own_address(
    server: Caller,
) -> None:
    device = cookie(login(server, SECRET), DEVICE)
    for _ in range(FREE_ATTEMPTS):
        login(server, "wrong")
    assert login(server, SECRET).status == 429
    assert login(server, SECRET, cookie=f"{DEVICE}=made.up").status == 429
    assert login(server, SECRET, cookie=device).status == 303


def test_guessing_with_the_cookie_of_a_browser_is_slowed_down_too(server: Caller) -> None:
    device = cookie(login(server, SECRET), DEVICE)
    for _ in range(FREE_ATTEMPTS):
        login(server, "wrong", cookie=device)
    assert login(server, SECRET, cookie=device).status == 429


def test_a_new_login_of_a_browser_ends_its_earlier_one(server: Caller) -> None:
    first = cookie(login(server, SECRET))
    second = cookie(login(server, SECRET, cookie=first))
    assert [server.bare("/docs", cookie=each).status for each in (first, second)] == [401, 200]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_sites_page_cannot_log_out(server: Caller, site: str) -> None:
    entered = cookie(login(server, SECRET))
    headers = {"cookie": entered, "sec-fetch-site": site}
    assert server.bare("/logout", b"", "POST", **headers).status == 403
    assert server.bare("/docs", cookie=entered).status == 200


def test_a_logout_takes_a_post(server: Caller) -> None:
    entered = cookie(login(server, SECRET))
    assert server.bare("/logout", cookie=entered).status == 405
    assert server.bare("/", cookie=entered).status == 200


def page_token(server: Caller, entered: str) -> str:
    """The token that the pages of a browser call the API with."""
    assert server.backend
    name, _, value = entered.partition("=")
    return server.backend.visitors.page_token({name: value}, server.backend.token)


def api_status(server: Caller, token: str) -> int:
    return server.bare("/api/sessions", authorization=f"Bearer {token}").status


def test_the_token_of_a_browser_ends_with_its_logout_and_no_others(server: Caller) -> None:
    one, other = cookie(login(server, SECRET)), cookie(login(server, SECRET))
    token, others = page_token(server, one), page_token(server, other)
    assert (api_status(server, token), api_status(server, others)) == (200, 200)
    server.bare("/logout", b"", cookie=one)
    assert (api_status(server, token), api_status(server, others)) == (401, 200)
    assert page_token(server, one) == ""
    assert api_status(server, "") == 401
    assert api_status(server, server.token) == 200  # of whoever runs the server


def test_a_changed_password_ends_every_login_and_every_token_at_once(
    server: Caller, tmp_path: Path
) -> None:
    first = login(server, SECRET)
    entered, device = cookie(first), cookie(first, DEVICE)
    token, kept = page_token(server, entered), server.token
    save_password(tmp_path, "another one, please")
    assert (api_status(server, token), api_status(server, kept)) == (401, 401)
    assert server.bare("/", cookie=entered).status == 401
    assert login(server, SECRET, cookie=device).status == 401
    assert login(server, "another one, please").status == 303
    assert api_status(server, (tmp_path / "ui-token").read_text().strip()) == 200


def test_a_password_file_that_is_lost_lets_nobody_in(server: Caller, tmp_path: Path) -> None:
    entered = cookie(login(server, SECRET))
    (tmp_path / "ui-password").write_text("gone")
    assert server.bare("/", cookie=entered).status == 200
    assert login(server, "gone").status == 401
    (tmp_path / "ui-password").unlink()
    assert server.bare("/").status == 401


def test_a_live_view_ends_with_the_login(server: Caller, tmp_path: Path) -> None:
    entered = cookie(login(server, SECRET))
    body = {"question": "Where is it?", "sites": ["http://127.0.0.1:9/"], "session": "one"}
    assert server.ask("/api/sessions", body).status in {201, 202}
    reader = Caller(server.port, page_token(server, entered))
    lines = reader.follow("one")
    assert next(lines)["session"]["id"] == "one"
    server.bare("/logout", b"", cookie=entered)
    server.ask("/api/sessions/one", {"title": "Told to nobody"}, "PATCH")
    assert not any("Told to nobody" in str(line) for line in lines)
