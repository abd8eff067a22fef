"""What accounts share: found in the space of its owner, at each request anew."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from forager.accounts import Account, Share, ShareKind
from forager.errors import ForagerError, NoShareError, UsageError
from graphs.sessions.service import Session, Sessions
from graphs.spec.library import Version, open_library
from graphs.system.accounts.accounts import Accounts
from ui.server.backend import get_installation
from ui.server.people.account_bodies import ShareLine, ShareList
from ui.server.space_backend import Backend

Result = TypeVar("Result")


class SharedThing(NamedTuple):
    """A share, and the space of its owner, in which the thing is."""

    share: Share
    space: Backend


def find_shared(accounts: Accounts, account: Account, id: str, kind: ShareKind) -> SharedThing:
    """Something that an account was given, or gives. Raises NoShareError."""
    share = accounts.received(account.id, id, kind)
    owner = accounts.find(share.owner)
    if owner is None or owner.disabled:
        raise NoShareError(f"There is no share {id!r}.", "Ask the person who shared it.")
    found = SharedThing(share, get_installation().space_of(owner))
    title_of(found)
    return found


def list_shares(accounts: Accounts, account: Account) -> ShareList:
    """What an account gives and was given; what was deleted meanwhile is left out."""
    names = {each.id: each.name for each in accounts.list()}

    def describe(shares: tuple[Share, ...]) -> tuple[ShareLine, ...]:
        lines = []
        for share in shares:
            try:
                found = find_shared(accounts, account, share.id, share.kind)
                title = title_of(found)
            except ForagerError:
                continue  # deleted, or damaged, of which its owner is told elsewhere
            lines.append(
                ShareLine(
                    title=title,
                    owner=names.get(share.owner, ""),
                    account=names.get(share.recipient, ""),
                    **share.model_dump(exclude={"owner", "recipient"}),
                )
            )
        return tuple(lines)

    given, received = accounts.shares_given(account.id), accounts.shares_received(account.id)
    return ShareList(given=describe(given), received=describe(received))


def share_thing(
    accounts: Accounts, account: Account, kind: ShareKind, thing: str, recipient: str
) -> Share:
    """Share what is in an account's own space. Raises UsageError and NoAccountError."""
    space = get_installation().space_of(account)
    if kind == "session":
        space.sessions.call(lambda to: to.get(thing))
    elif not open_library(space.settings).list_versions(thing):
        raise UsageError(f"{thing!r} is no saved graph.", "Presets are there for everyone.")
    return accounts.share(account.id, kind, thing, recipient)


def title_of(found: SharedThing) -> str:
    """What lists show of a shared thing.

    Raises NoShareError where it is gone; another one of the same name is not shared.
    """
    share, space = found
    if share.kind == "graph":
        return shared_graph(found).name
    session = space.sessions.call(lambda to: _session_of(to, share))
    return session.title or session.question.text


def shared_graph(found: SharedThing) -> Version:
    """The newest version of a shared graph. Raises NoShareError."""
    share, space = found
    versions = _or_gone(share, lambda: open_library(space.settings).list_versions(share.thing))
    if not versions or min(each.time for each in versions) > share.created:
        raise _gone(share)
    return versions[0]


async def _session_of(sessions: Sessions, share: Share) -> Session:
    try:
        session = await sessions.get(share.thing)
    except UsageError as error:
        raise _gone(share) from error
    if session.created > share.created:
        raise _gone(share)
    return session


def _or_gone(share: Share, work: Callable[[], Result]) -> Result:
    try:
        return work()
    except UsageError as error:
        raise _gone(share) from error


def _gone(share: Share) -> NoShareError:
    return NoShareError(f"There is no share {share.id!r}.", "What was shared is deleted.")
