from contextlib import closing
from struct import pack
from zlib import compress, crc32

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import ApprovalRequest
from forager.domain.state import Question
from tests.ui.web.screens.ask.test_start_form import page
from ui.server.space_backend import Backend

SITE = "http://127.0.0.1:1/"


def png() -> bytes:
    """A grey pixel."""
    chunks = (
        (b"IHDR", pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        (b"IDAT", compress(b"\x00\x80")),
        (b"IEND", b""),
    )
    body = b"".join(
        pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(("label", "yes"), [("Approve", True), ("Refuse", False)])
def test_what_a_run_asks_is_shown_with_its_page_and_answered(
    office: Backend, label: str, yes: bool
) -> None:
    question = Question(text="Delete it", sites=(SITE,))
    office.sessions.call(lambda to: to.start(question, "weboperator", "offline", "ona"))
    data = office.settings.data
    with closing(SqliteBlobs(data / "blobs.sqlite")) as blobs:
        picture = blobs.put(png(), "picture")
    plea = ApprovalRequest(
        kind="approve",
        what="press “Delete *all*”",
        why="The button is named for a deletion.",
        url=f"{SITE}items",
        picture=picture,
    )
    with closing(SessionStore(data / "sessions.sqlite")) as store:
        store.approvals.add_requests("ona", {"plea1": plea})
        at = page(session="ona")
        assert not at.exception
        assert at.header[0].value == "Allow this action?"
        said = " ".join(each.value for each in at.markdown)
        assert r"press “Delete \*all\*”" in said
        assert "named for a deletion" in said
        [shown] = at.get("image")
        assert (
            shown.proto.imgs[0].alt == "The page in the browser before this: press “Delete *all*”"
        )
        next(each for each in at.button if each.label == label).click().run()
        assert not at.exception
        assert store.approvals.get_answer("ona", "plea1") is yes
    assert not at.header
