"""Opens every file of the data folders named on stdin, one per line; prints `ok` or the error."""

import asyncio
import sys
from contextlib import closing
from pathlib import Path

from forager.adapters.memory.embeddings.vector_cache import SCHEMA, TABLES, VERSION
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.adapters.store.graphs.graph_drafts import GraphDrafts
from forager.adapters.store.graphs.saved_graphs import GraphRow, SavedGraphs
from forager.adapters.store.recipe_store import Recipes
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.adapters.web.web_database import WebDatabase
from forager.domain.state import Question
from forager.errors import ForagerError
from forager.util.sqlite import open_cache


def session(id: str) -> Session:
    """A session to keep."""
    question = Question(text="Which?", sites=("http://site/",))
    return Session(
        id=id, question=question, graph="g", graph_hash="h", graph_body="{}", model="offline"
    )


async def open_all(folder: Path, name: str) -> None:
    """Open each file and write something of this name into those that keep sessions and graphs."""
    with closing(SessionStore(folder / "sessions.sqlite")) as store:
        store.create(session(name))
    async with open_checkpoints(folder / "checkpoints.sqlite"):
        pass
    with closing(SqliteBlobs(folder / "blobs.sqlite")) as blobs:
        blobs.put(name.encode(), "document")
    with closing(Recipes(folder / "recipes.sqlite")) as recipes:
        recipes.list()
    SavedGraphs(folder / "graphs.sqlite").save(GraphRow(name=name, text="", spec="", hash=""), None)
    GraphDrafts(folder / "drafts.sqlite").list()
    with closing(WebDatabase(folder / "web.sqlite")) as web:
        web.query("SELECT 1 FROM pages")
    with closing(open_cache(folder / "vectors.sqlite", VERSION, TABLES, SCHEMA)):
        pass


def main(name: str) -> None:
    """One folder a line."""
    for line in sys.stdin:
        try:
            asyncio.run(open_all(Path(line.strip()), name))
            said = "ok"
        except ForagerError as error:
            said = str(error)
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
