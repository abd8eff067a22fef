"""Moves an installation from the files of its data folder to a PostgreSQL server."""

from forager.adapters.store.move import MovedTable, Say, move_tables
from forager.errors import SessionError, UsageError
from forager.settings import Settings
from forager.util.place import Server
from graphs.runtime.branches import JoiningState
from graphs.sessions.listing import find_sessions

__all__ = ["MovedTable", "move_to_server"]


def move_to_server(settings: Settings, say: Say) -> tuple[MovedTable, ...]:
    """Copy what the data folder holds to the database of the settings; the files stay.

    Raises UsageError for no database, or one that is in use; SessionError while a session runs;
    and StoreError.
    """
    place = settings.place("sessions")
    if not isinstance(place, Server):
        raise UsageError(
            "No database is named.",
            "Set FORAGER_DATABASE_URL to postgresql://USER:PASSWORD@HOST:5432/NAME.",
        )
    files = settings.in_folder(settings.data)
    if busy := find_sessions(files, statuses=("running", "waiting")):
        raise SessionError(
            f"Session {busy[0].line.id!r} is running.", "Stop it, or wait until it ends."
        )
    return move_tables(settings.data, place, JoiningState, say)
