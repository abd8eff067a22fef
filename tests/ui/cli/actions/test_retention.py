"""Old sessions are deleted with what they read, pinned ones are kept, and space is limited."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.leases import hold_lease
from tests.servers import Site
from tests.ui.conftest import Forager

DAY = 24 * 3600.0
PAGE = """<title>{0} pier</title><h1>{0} pier</h1>
    <p>The {0} pier was built by {0} Brenna in 1902.</p>"""


@pytest.fixture
def sites() -> Iterator[dict[str, Site]]:
    """Sites of one page each, by what they are about."""
    with Site({"/": PAGE.format("Vega")}) as vega, Site({"/": PAGE.format("Rost")}) as rost:
        yield {"vega": vega, "rost": rost}


@pytest.fixture
def asked(forager: Forager, sites: dict[str, Site], tmp_path: Path) -> Path:
    """A data folder with a session for each site, both a hundred days old."""
    for name, site in sites.items():
        options = "--site", site.url(), "--allow-private", "127.0.0.1", "--session", name
        done = forager("ask", f"Who built the {name.title()} pier?", *options)
        assert done.exit_code in {0, 3}, done.output
    with closing(sqlite3.connect(tmp_path / "data" / "sessions.sqlite")) as db, db:
        db.execute("UPDATE sessions SET changed = changed - ?", (100 * DAY,))
    return tmp_path / "data"


def urls(data: Path) -> set[str]:
    """The hosts of which pages are stored."""
    with closing(sqlite3.connect(data / "web.sqlite")) as db:
        return {url for (url,) in db.execute("SELECT url FROM responses")}


def test_sessions_of_an_age_are_deleted_unless_they_are_pinned(
    forager: Forager, asked: Path, sites: dict[str, Site]
) -> None:
    assert forager("pin", "vega").output == "Pinned vega.\n"
    assert "[pinned] Who built the Vega pier?" in forager("sessions").output
    assert forager("clean", "--older", "101d").output == "Nothing to delete.\n"
    assert forager("clean", "--older", "90d", "--keep-pinned").output == "Deleted session rost.\n"
    assert "vega" in forager("sessions").output
    assert forager("show", "rost").exit_code != 0
    assert urls(asked) == {sites["vega"].url()}
    forager("unpin", "vega")
    assert forager("clean", "--older", "12w").output == "Deleted session vega.\n"
    assert forager("sessions").stdout == ""


def test_without_an_age_the_setting_counts(forager: Forager, asked: Path) -> None:
    assert forager("clean").output == "Nothing to delete.\n"
    forager("pin", "vega")
    cleaned = forager("clean", "--pinned-too", FORAGER_KEEP_DAYS="90")
    assert sorted(cleaned.output.splitlines()) == ["Deleted session rost.", "Deleted session vega."]


@pytest.mark.parametrize("age", ["90", "d", "-3d", "0d", "soon"])
def test_what_is_no_age_is_refused(forager: Forager, age: str) -> None:
    refused = forager("clean", f"--older={age}")
    assert refused.exit_code == 2
    assert "Write 90d" in refused.output


def test_an_unknown_session_cannot_be_pinned(forager: Forager, asked: Path) -> None:
    refused = forager("pin", "vga")
    assert refused.exit_code != 0
    assert "Did you mean 'vega'?" in refused.output


def test_beyond_the_limit_of_space_the_sites_not_used_for_longest_go(
    forager: Forager, asked: Path, sites: dict[str, Site]
) -> None:
    for name in sites:
        forager("delete", name, "--keep")
    with closing(sqlite3.connect(asked / "web.sqlite")) as db, db:
        db.execute("UPDATE responses SET fetched = 1000")
        db.execute("UPDATE sites SET surveyed = 1000")
        db.execute("DELETE FROM uses")
        port = sites["vega"].url().rstrip("/").rpartition(":")[2]
        db.execute("INSERT INTO uses VALUES (?, 2000)", (f"127.0.0.1:{port}",))
    with closing(sqlite3.connect(asked / "blobs.sqlite")) as db:
        [(size,)] = db.execute("SELECT sum(length(body)) FROM blobs")
    limit = f"{size * 0.8 / 1_000_000:f}"
    cleaned = forager("clean", FORAGER_CACHE_MEGABYTES=limit)
    assert "Deleted the stored pages of 127.0.0.1:" in cleaned.output
    assert urls(asked) == {sites["vega"].url()}


def test_while_a_session_runs_no_pages_are_evicted(forager: Forager, asked: Path) -> None:
    with closing(sqlite3.connect(asked / "sessions.sqlite")) as db, db:
        db.execute("UPDATE sessions SET status = 'unfinished' WHERE id = 'vega'")
    before = urls(asked)
    with hold_lease(asked / "leases", "vega"):
        cleaned = forager("clean", FORAGER_CACHE_MEGABYTES="0.000001")
    assert cleaned.output == "Nothing to delete.\n"
    assert urls(asked) == before


def test_a_run_ends_with_the_clean_up_of_the_settings(
    forager: Forager, asked: Path, sites: dict[str, Site]
) -> None:
    options = "--site", sites["vega"].url(), "--allow-private", "127.0.0.1", "--session", "new"
    told = forager("ask", "Who built the Vega pier?", *options, FORAGER_KEEP_DAYS="90")
    assert "Deleted session vega: it is older than FORAGER_KEEP_DAYS." in told.stderr
    lines = forager("sessions").output.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["new"]
    assert urls(asked) == {sites["vega"].url()}


def test_what_a_session_cites_stays_within_any_limit(
    forager: Forager, asked: Path, tmp_path: Path
) -> None:
    assert forager("clean", FORAGER_CACHE_MEGABYTES="0.000001").exit_code == 0
    assert urls(asked) == set()
    export = tmp_path / "vega.json"
    forager("export", "vega", "--out", str(export))
    assert forager("verify", str(export)).exit_code == 0
