import json
from contextlib import closing
from pathlib import Path

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.references import read_references
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.domain.state import Question
from forager.settings import Settings


def test_a_session_names_the_pictures_of_its_views(tmp_path: Path) -> None:
    with closing(SqliteBlobs(tmp_path / "blobs.sqlite")) as blobs:
        picture = blobs.put(b"\xff\xd8 a picture", "picture")
        view = blobs.put(json.dumps({"url": "http://h/", "picture": picture}).encode(), "view")
        page = blobs.put(json.dumps({"text": f"It says {'0' * 64}."}).encode(), "document")
    with closing(SessionStore(tmp_path / "sessions.sqlite")) as store:
        for id, named in (("viewed", view), ("read", page)):
            store.create(
                Session(
                    id=id,
                    question=Question(text="Where?", sites=("http://h/",)),
                    graph="g",
                    graph_hash="",
                    graph_body="",
                    model="offline",
                    answer=f"See {named}.",
                )
            )
    found = read_references(Settings(data=tmp_path))
    assert found["viewed"] == {view, picture}
    assert found["read"] == {page}
