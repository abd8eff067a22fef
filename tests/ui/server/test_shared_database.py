"""Two servers, each with a data folder of its own, on one database."""

import signal
from collections import Counter
from pathlib import Path

from forager.util.place import Server
from tests.coast import ENGINEER, SKARN, Coast
from tests.ui.server.process import serving
from tests.ui.server.test_crash import caller


def test_another_server_watches_a_session_and_goes_on_when_its_own_is_killed(
    tmp_path: Path, postgres: Server
) -> None:
    words = "--port", "0", "--allow-private", "127.0.0.1"
    store = tmp_path / "store"
    shared = {"FORAGER_DATABASE_URL": postgres.url, "FORAGER_BLOBS": str(store)}
    with (
        Coast(SKARN) as site,
        serving(tmp_path / "one", *words, **shared) as one,
        serving(tmp_path / "two", *words, **shared) as two,
    ):
        asked = {"question": ENGINEER, "sites": [site.url()], "session": "mine"}
        assert caller(one).ask("/api/sessions", asked).status == 201
        assert site.wanted.wait(120)
        (listed,) = caller(two).ask("/api/sessions").json()["sessions"]
        assert (listed["id"], listed["status"]) == ("mine", "running")
        refused = caller(two).ask("/api/sessions/mine/resume", method="POST")
        assert refused.status == 409
        one.end(signal.SIGKILL)
        site.let_go.set()
        assert caller(two).ask("/api/sessions/mine").json()["status"] == "interrupted"
        assert caller(two).ask("/api/sessions/mine/resume", method="POST").status == 202
        view = caller(two).seen("mine", "answered")
        assert "Marta Lindqvist" in str(view["answer"])
        assert Counter(site.paths()) == {"/": 2, "/all.html": 2, SKARN: 2}
    assert {folder.name for folder in store.iterdir()} == {"document", "response"}
    held = {path.name for path in tmp_path.glob("*/*.sqlite")}
    assert held == {"web.sqlite", "sites.sqlite", "vectors.sqlite"}
    assert not list(tmp_path.glob("*/leases/*"))
