"""Exports checked against the stored pages, and against a site that goes on living."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import UsageError
from forager.settings import Settings
from graphs.reports.exports.verify import Verification, read_export, verify_export
from graphs.sessions.service import open_sessions
from tests.graphs.systems.test_real import QUESTION, TEXTS, page
from tests.servers import Reply, Site

HOST = "127.0.0.1"
VEGA = "dredged in 1911 by the engineer Ingrid Solheim"
Body = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A session on a site, its export, and the data folder that knows the pages."""

    site: Site
    data: Path
    exported: str

    def settings(self, *allowed: str) -> Settings:
        return Settings(data=self.data, allow_private=allowed)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    data = tmp_path_factory.mktemp("data")
    with Site() as site:
        restore(site)
        settings = Settings(data=data, allow_private=(HOST,))
        question = Question(text=QUESTION, sites=(site.url(),), budget=Budget(rounds=2))

        async def run() -> bytes:
            async with open_sessions(settings) as sessions:
                await sessions.run(await sessions.start(question, "forager", "offline", "one"))
                return await sessions.export("one", "json")

        yield Asked(site, data, asyncio.run(run()).decode())


@pytest.fixture(autouse=True)
def restored(asked: Asked) -> Iterator[None]:
    """Each test finds the site as it was when it was asked."""
    yield
    restore(asked.site)


def restore(site: Site) -> None:
    site.routes = {
        "/": page("Harbours", "A site about harbours.", "vega solheim"),
        "/vega.html": page("Vega", TEXTS["vega"], "solheim"),
        "/solheim.html": page("Solheim", TEXTS["solheim"], ""),
    }


@pytest.fixture
def check(asked: Asked, tmp_path: Path) -> Callable[..., Verification]:
    """Verify the export, with what a test changes in it."""

    def run(change: Callable[[Body], object] = len, *, live: bool = False) -> Verification:
        body = json.loads(asked.exported)
        change(body)
        file = tmp_path / "export.json"
        file.write_text(json.dumps(body), encoding="utf-8")
        return asyncio.run(verify_export(file, asked.settings(HOST), live=live))

    return run


def entry(body: Body, words: str = VEGA) -> Body:
    """The ledger's entry that has these words."""
    return next(item for item in body["evidence"] if words in item["quote"])


def fallen(found: Verification) -> set[tuple[str, str]]:
    """What does not stand: the page's name and the outcome."""
    return {(each.url.rpartition("/")[2], each.outcome) for each in found.quotes if not each.stands}


def test_an_export_has_the_offsets_of_its_quotes(asked: Asked) -> None:
    body = json.loads(asked.exported)
    found = entry(body)
    assert found["url"] == asked.site.url("/vega.html")
    assert found["link"].startswith(f"{found['url']}#:~:text=")
    assert found["fetched"] >= body["asked"]
    assert found["part_text"].rstrip("?") in QUESTION
    assert found["cited"] is True
    assert found["score"] > 0
    assert all(0 <= lead["confidence"] <= 1 for lead in body.get("leads", ()))


@pytest.mark.parametrize("live", [False, True])
def test_all_quotes_of_an_export_are_verbatim(
    check: Callable[..., Verification], live: bool
) -> None:
    found = check(live=live)
    assert found.all_stand
    assert len(found.quotes) >= 2
    assert {each.outcome for each in found.quotes} == {"verbatim"}


@pytest.mark.parametrize(
    ("key", "edit", "outcome"),
    [
        ("quote", lambda said: said.replace("1911", "1921"), "changed"),
        ("quote", str.upper, "changed"),
        ("quote", lambda said: "", "changed"),
        ("start", lambda at: at + 1, "elsewhere"),
        ("start", lambda at: at - 1, "elsewhere"),
        ("end", lambda at: 10**30, "elsewhere"),
        ("url", lambda url: f"{url}?x", "changed"),
        ("blob", lambda blob: "0" * 64, "not stored"),
        ("blob", lambda blob: "", "not stored"),
    ],
)
def test_an_edit_by_hand_is_caught(
    check: Callable[..., Verification], key: str, edit: Callable[[Any], Any], outcome: str
) -> None:
    def change(body: Body) -> None:
        found = entry(body)
        found[key] = edit(found[key])

    found = check(change)
    assert not found.all_stand
    assert outcome in {each.outcome for each in found.quotes if not each.stands}


@pytest.mark.parametrize("live", [False, True])
def test_a_citation_must_match_the_ledger(check: Callable[..., Verification], live: bool) -> None:
    def change(body: Body) -> None:
        body["citations"][0]["quote"] += " And more."
        body["citations"].append({**body["citations"][0], "id": "e99"})

    found = check(change, live=live)
    assert [each.outcome for each in found.quotes if not each.stands] == ["changed"] * 2
    assert "not in the ledger" in found.quotes[-1].note


def test_a_stored_page_that_was_changed_is_not_trusted(
    asked: Asked, check: Callable[..., Verification]
) -> None:
    digest = entry(json.loads(asked.exported))["blob"]
    with sqlite3.connect(asked.data / "blobs.sqlite") as db:
        select = "SELECT body FROM blobs WHERE digest = ?"
        [body] = db.execute(select, (digest,)).fetchone()
        for torn in (body[:9], b"x\x9c\x03\x00\x00\x00\x00\x01"):
            put = "REPLACE INTO blobs (digest, body, kind) VALUES (?, ?, 'document')"
            db.execute(put, (digest, torn))
            db.commit()
            assert fallen(check()) == {("vega.html", "not stored")}
        db.execute(put, (digest, body))
    db.close()
    assert check().all_stand


def test_a_quote_that_moved_on_its_page_still_stands(
    asked: Asked, check: Callable[..., Verification]
) -> None:
    asked.site.routes["/vega.html"] = f"<p>News.</p>{page('Vega', TEXTS['vega'], 'solheim')}"
    found = check(live=True)
    assert found.all_stand
    assert {each.outcome for each in found.quotes} == {"verbatim", "elsewhere"}
    assert check().all_stand, "the stored page is still the old one"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (page("Vega", TEXTS["vega"].replace("1911", "1912"), ""), "changed"),
        ("<script>x()</script>", "changed"),
        (Reply("<p>Gone.</p>", 404), "gone"),
        (Reply("<p>Gone.</p>", 410), "gone"),
        (Reply("<p>No.</p>", 403), "not had"),
        (Reply("x", kind="image/png"), "not had"),
        (Reply("", 302, headers={"Location": "/vega.html"}), "not had"),
    ],
)
def test_changed_and_missing_pages_are_reported(
    asked: Asked, check: Callable[..., Verification], reply: Reply | str, outcome: str
) -> None:
    asked.site.routes["/vega.html"] = reply
    found = check(live=True)
    assert fallen(found) == {("vega.html", outcome)}
    assert all(each.note for each in found.quotes if not each.stands)


def test_live_pages_are_fetched_once(asked: Asked, check: Callable[..., Verification]) -> None:
    asked.site.asked.clear()
    assert check(live=True).all_stand
    assert sorted(asked.site.paths()) == ["/solheim.html", "/vega.html"]
    asked.site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /vega", kind="text/plain")
    found = check(live=True)
    assert fallen(found) == {("vega.html", "not had")}
    assert all("robots.txt" in each.note for each in found.quotes if not each.stands)


async def test_private_pages_are_not_fetched_live(asked: Asked, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_text(asked.exported, encoding="utf-8")
    asked.site.asked.clear()
    found = await verify_export(file, asked.settings(), live=True)
    assert {each.outcome for each in found.quotes} == {"not had"}
    assert "--allow-private 127.0.0.1" in found.quotes[0].note
    assert asked.site.asked == []


async def test_without_the_data_folder_no_page_is_stored(asked: Asked, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_text(asked.exported, encoding="utf-8")
    settings = Settings(data=tmp_path / "new", allow_private=(HOST,))
    found = await verify_export(file, settings, live=False)
    assert {each.outcome for each in found.quotes} == {"not stored"}
    assert all("--live" in each.note for each in found.quotes)
    assert (await verify_export(file, settings, live=True)).all_stand


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "is damaged, or not JSON"),
        (b'{"session": "o', "is damaged, or not JSON: EOF while parsing a string"),
        (b"\xff\xfe\xfd", "is damaged, or not JSON"),
        (b"[]", "is not a JSON export of a session"),
        (b"{}", "session is missing"),
        (b'{"session": "s", "citations": [], "evidence": 3}', "evidence is missing or wrong"),
        (b'{"session": "s", "citations": [], "evidence": [{"id": "e1"}]}', "evidence.0.url"),
        (b'{"session": "\\ud800", "citations": [], "evidence": []}', "is damaged, or not JSON"),
        (b'{"version": 9, "session": "s", "citations": [], "evidence": []}', "a newer Forager"),
        (b"9" * 5000, "is not a JSON export|not JSON"),
        (b"[" * 200_000, "is damaged, or not JSON"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, body: bytes, said: str) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(body)
    with pytest.raises(UsageError, match=said) as error:
        read_export(file)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_export(tmp_path / "absent.json")
    with pytest.raises(UsageError, match="Is a directory"):
        read_export(tmp_path)


@given(cut=st.integers(0, 10_000))
def test_a_truncated_export_is_refused(
    asked: Asked, tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    whole = asked.exported.strip().encode()
    file = tmp_path_factory.getbasetemp() / "torn.json"
    file.write_bytes(whole[: cut % len(whole)])
    with pytest.raises(UsageError, match=r"damaged|not a JSON export"):
        read_export(file)


async def test_pages_that_are_not_stored_any_more_are_fetched_live(
    asked: Asked, tmp_path: Path
) -> None:
    data = shutil.copytree(asked.data, tmp_path / "data")
    with closing(sqlite3.connect(data / "blobs.sqlite", isolation_level=None)) as db:
        db.execute("DELETE FROM blobs")
    file = tmp_path / "export.json"
    file.write_text(asked.exported, encoding="utf-8")
    settings = Settings(data=data, allow_private=(HOST,))
    assert (await verify_export(file, settings, live=True)).all_stand
