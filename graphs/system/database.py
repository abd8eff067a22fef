"""Moves an installation from the files of its data folder to a PostgreSQL server."""

from forager.accounts import Account
from forager.adapters.store.move import INSTALLATION, MovedTable, Say, move_tables
from forager.errors import SessionError, UsageError
from forager.settings import Settings
from forager.util.place import Server
from graphs.runtime.branches import JoiningState
from graphs.sessions.listing import find_sessions
from graphs.system.accounts.account_spaces import prepare_space, space_settings
from graphs.system.accounts.accounts import Accounts

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
    spaces = [space_settings(files, each) for each in Accounts(files).list() if not each.home]
    if busy := [
        line
        for each in (files, *spaces)
        for line in find_sessions(each, statuses=("running", "waiting"))
    ]:
        raise SessionError(
            f"Session {busy[0].line.id!r} is running.", "Stop it, or wait until it ends."
        )
    accounts = Accounts(files).list()
    moved = move_tables(settings.data, place, JoiningState, say, INSTALLATION)
    for account in accounts:
        if not account.home:
            say(f"{account.name} …")
            moved += _move_space(settings, account, say)
    return moved


def _move_space(settings: Settings, account: Account, say: Say) -> tuple[MovedTable, ...]:
    prepare_space(settings, account)
    space = space_settings(settings, account)
    place = space.place("sessions")
    assert isinstance(place, Server), "the settings name one"  # noqa: S101
    return move_tables(space.data, place, JoiningState, say)
