"""PostgreSQL: tables both ways, what is refused, and a server that starts anew."""

import subprocess
import sys
import threading
from contextlib import closing

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, empty_checkpoint
from sqlalchemy import inspect, text

from bench.scale.postgres_server import PostgresServer
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.adapters.store.database import look_into
from forager.adapters.store.leases import hold_lease, is_held
from forager.adapters.store.migrations import alembic_runner
from forager.adapters.store.server import describe_server, forget_server, upgrade_server
from forager.adapters.store.sessions.session_store import SessionStore
from forager.adapters.store.store_files import HEADS
from forager.domain.spend import Spend
from forager.errors import SessionError, StoreError, UsageError
from forager.util.place import Server, Tables
from tests.forager.adapters.store.opener import session

ON_SERVER: list[Tables] = [tables for tables in HEADS if tables != "blobs"]


def shape(server: Server) -> dict[str, list[str]]:
    """Each table with its columns."""
    with look_into(server) as db:
        look = inspect(db)
        return {
            name: sorted(f"{each['name']} {each['type']}" for each in look.get_columns(name))
            for name in look.get_table_names()
        }


def test_every_history_downgrades_step_by_step_and_upgrades_again(postgres: Server) -> None:
    for tables in ON_SERVER:
        upgrade_server(postgres, tables)
    newest = shape(postgres)
    for tables in ON_SERVER:
        scripts = alembic_runner.script_directory().walk_revisions(head=f"{tables}@head")
        for script in [each for each in scripts if each.revision.startswith(tables)]:
            alembic_runner.downgrade_server_tables(postgres, tables, str(script.revision))
        alembic_runner.downgrade_server_tables(postgres, tables, "base")
    assert set(shape(postgres)) == {"alembic_version"}
    for tables in ON_SERVER:
        alembic_runner.upgrade_server_tables(postgres, tables)
    assert shape(postgres) == newest


def test_tables_of_the_first_revision_keep_their_rows(postgres: Server) -> None:
    alembic_runner.upgrade_server_tables(postgres, "sessions", "sessions_1")
    question = '{"text": "Which?", "sites": []}'
    row = f"'old', 1, 2, '{question}', 'g', 'h', '{{}}', 'offline', 'answered', '', '', ''"
    with look_into(postgres) as db:
        db.execute(text(f"INSERT INTO sessions VALUES ({row})"))  # noqa: S608
    with closing(SessionStore(postgres)) as store:
        assert store.get("old").question.text == "Which?"
        assert (store.get("old").pinned, store.get("old").tags) == (False, ())


def test_tables_of_a_newer_program_are_refused(postgres: Server) -> None:
    upgrade_server(postgres, "graphs")
    with look_into(postgres) as db:
        db.execute(text("UPDATE alembic_version SET version_num = 'graphs_99'"))
    forget_server(postgres)
    with pytest.raises(StoreError, match="written by a newer Forager"):
        upgrade_server(postgres, "graphs")


@pytest.mark.parametrize(
    "url", ["", "no address", "mysql://host/name", "postgresql://host", "sqlite:///file"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match=r"FORAGER_DATABASE_URL is not the address"):
        describe_server(Server(url))


def test_a_server_that_is_away_is_told_without_its_password() -> None:
    away = Server("postgresql://ada:s3cret@127.0.0.1:9/none")
    with pytest.raises(StoreError, match=r"The database 127.0.0.1:9/none cannot be used") as told:
        SessionStore(away)
    assert "s3cret" not in str(told.value)
    assert "s3cret" not in repr(away)


def test_a_database_that_is_missing_is_told(postgres: Server) -> None:
    missing = Server(postgres.url.replace("/test_", "/none_"))
    with pytest.raises(StoreError, match=r"none_\d+ cannot be used: .* does not exist"):
        describe_server(missing)


WAITING_ENDED = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE wait_event_type = 'Lock' AND datname = current_database()
"""
HOLD = """
import sys
from forager.adapters.store.leases import hold_lease
from forager.util.place import Server
with hold_lease(Server(sys.argv[1]), "one"):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_lease_of_another_process_is_seen_and_ends_with_it(postgres: Server) -> None:
    assert not is_held(postgres, "one")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, postgres.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert is_held(postgres, "one")
        assert not is_held(postgres, "two")
        taken = pytest.raises(SessionError, match="running in another process")
        with taken, hold_lease(postgres, "one", attempts=2):
            pass
        other.kill()
        other.wait()
        with hold_lease(postgres, "one", attempts=100):
            assert is_held(postgres, "one")
            with pytest.raises(SessionError), hold_lease(postgres, "one", attempts=1):
                pass
    assert not is_held(postgres, "one")


async def test_work_waits_for_a_server_that_starts_anew(postgres_server: PostgresServer) -> None:
    server = postgres_server.make_database()
    values = {"spend": Spend(actions=1)}
    versions: ChannelVersions = {"spend": f"{1:032}.0"}
    saved = Checkpoint(
        **{**empty_checkpoint(), "channel_values": values, "channel_versions": versions}
    )
    place: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    with closing(SessionStore(server)) as store, hold_lease(server, "one"):
        store.create(session("one"))
        async with open_checkpoints(server) as checkpoints:
            postgres_server.stop()
            again = threading.Thread(target=postgres_server.start)
            again.start()
            await checkpoints.aput(place, saved, {}, {**versions})
            assert (found := await checkpoints.aget_tuple(place))
            assert found.checkpoint["channel_values"] == {"spend": Spend(actions=1)}
            assert store.get("one").id == "one"
            again.join()
    forget_server(server)


def test_a_lease_waits_for_a_server_that_starts_anew(postgres_server: PostgresServer) -> None:
    server = postgres_server.make_database()
    with hold_lease(server, "one"):
        postgres_server.stop()
        again = threading.Thread(target=postgres_server.start)
        again.start()
        with hold_lease(server, "two"):
            assert is_held(server, "two")
        again.join()
    forget_server(server)


def test_a_write_whose_connection_breaks_is_done_again(
    postgres: Server, postgres_server: PostgresServer
) -> None:
    """The row is locked meanwhile, so that the connection is ended in the middle of its work."""
    name = postgres.url.rpartition("/")[2]
    with closing(SessionStore(postgres)) as store, postgres_server.connect(name) as other:
        store.create(session("one"))
        other.autocommit = False
        other.execute("SELECT * FROM sessions WHERE id = 'one' FOR UPDATE")
        writing = threading.Thread(target=store.set_columns, args=("one",), kwargs={"answer": "8"})
        writing.start()
        ended = None
        while ended is None:
            ended = other.execute(WAITING_ENDED).fetchone()
        other.rollback()
        writing.join()
        assert store.get("one").answer == "8"
