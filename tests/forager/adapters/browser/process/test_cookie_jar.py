"""What sites keep in the browser is there for another process, and for nobody else."""

import stat
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.domain.actions import Action
from forager.domain.state import Step
from forager.errors import ReplayError, StoreError
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.servers import Asked, Reply, Site

DOOR = """<title>Door</title><h1>Log in</h1>
<form method=post action=/in><label>Name <input name=n></label><button>Log in</button></form>"""
HALL = """<title>Hall</title><h1>Hall</h1><p id=p></p>
<form><label>Wish <input name=w></label></form><script>
  if (document.referrer) localStorage.seat = "12";
  p.textContent = "Seat " + localStorage.seat;
</script>"""
KEPT = {"cookies": [{"name": "member", "value": "kim"}], "origins": []}


def folder(settings: Settings) -> list[str]:
    return sorted(path.name for path in (settings.data / "cookies").iterdir())


async def test_it_keeps_what_is_written_until_it_forgets(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    jar = CookieJar(settings, "one")
    assert await jar.read() == {}
    await jar.write({})
    await jar.write(KEPT)
    assert await CookieJar(settings, "one").read() == KEPT
    assert await CookieJar(settings, "two").read() == {}
    assert folder(settings) == ["one.json"]
    await jar.forget()
    await jar.forget()
    assert await jar.read() == {}
    assert folder(settings) == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
async def test_nobody_else_reads_it(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    await CookieJar(settings, "one").write(KEPT)
    path = tmp_path / "cookies" / "one.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_without_a_session_nothing_is_kept(tmp_path: Path) -> None:
    jar = CookieJar(Settings(data=tmp_path), "")
    await jar.write(KEPT)
    assert await jar.read() == {}
    assert not list(tmp_path.iterdir())


async def test_what_cannot_be_used_is_told_with_a_mend(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    jar = CookieJar(settings, "one")
    await jar.write(KEPT)
    (tmp_path / "cookies" / "one.json").write_text("{", encoding="utf-8")
    with pytest.raises(StoreError, match="damaged"):
        await jar.read()
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="FORAGER_DATA"):
        await CookieJar(Settings(data=tmp_path / "file"), "one").write(KEPT)


class Walker:
    """Walks with one session's cookies, in a browser of its own each time."""

    def __init__(self, settings: Settings, blobs: MemoryBlobs, session: str) -> None:
        self.door = PlaywrightBrowser(settings, blobs, session=session)
        self.trail: list[Step] = []

    async def do(self, action: Action) -> str:
        """Do it; what the page then says."""
        number = len(self.trail) + 1
        done = await self.door.perform("w", action, f"1.{number}")
        step = Step(id=f"1.{number}", round=1, number=number, action=action, outcome="moved")
        came = {"view": done.view, "harm": done.harm, "sent": done.sent}
        self.trail.append(step.model_copy(update=came))
        return done.opened.document.text


@pytest.fixture
def site() -> Iterator[Site]:
    def enter(asked: Asked) -> Reply:
        cookie = {"Set-Cookie": "member=kim; HttpOnly; Path=/", "Location": "/hall"}
        return Reply(status=303, headers=cookie)

    def hall(asked: Asked) -> Reply:
        known = "member=kim" in asked.headers.get("cookie", "")
        return Reply(HALL if known else DOOR)

    with Site({"/": DOOR, "/in": enter, "/hall": hall}) as served:
        yield served


@needs_browser
async def test_another_process_stands_where_a_login_led(site: Site, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, allow_private=(f"127.0.0.1:{site.port}",))
    blobs = MemoryBlobs()
    walker = Walker(settings, blobs, "one")
    async with aclosing(walker.door):
        await walker.do(Action(kind="goto", target=site.url()))
        assert not (tmp_path / "cookies").exists()
        assert "Seat 12" in await walker.do(Action(kind="click", target="e6"))
        assert walker.trail[-1].harm
    assert folder(settings) == ["one.json"]
    async with aclosing(Walker(settings, blobs, "one").door) as again:
        await again.restore("w", walker.trail)
    assert [asked.method for asked in site.asked].count("POST") == 1
    async with aclosing(Walker(settings, blobs, "two").door) as other:
        with pytest.raises(ReplayError):
            await other.restore("w", walker.trail)
