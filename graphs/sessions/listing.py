"""Lists of sessions and recipes. Reading them opens no run and no checkpoint."""

import asyncio
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from forager.adapters.store.leases import is_taken
from forager.adapters.store.recipe_store import KeptRecipe, Recipes
from forager.adapters.store.sessions.session_lines import SessionLine
from forager.adapters.store.sessions.session_records import (
    MAX_TAG_CHARACTERS,
    MAX_TAGS,
    TAG_MARK,
    SessionStatus,
)
from forager.adapters.store.sessions.session_store import IsRunning, Session, SessionStore
from forager.errors import UsageError
from forager.settings import Settings

if TYPE_CHECKING:  # `forager sessions` starts without LangGraph
    from graphs.sessions.context import SessionContext

__all__ = [
    "KeptRecipe",
    "SessionStatus",
    "forget_recipe",
    "read_recipes",
]

MAX_TITLE_CHARACTERS = 200


class ListedLine(NamedTuple):
    """A session as a line of a list, and its status."""

    line: SessionLine
    status: SessionStatus


@dataclass(frozen=True)
class SessionList:
    """Lists, searches and renames sessions, and makes links to read them."""

    context: "SessionContext"

    async def all(self) -> tuple[Session, ...]:
        """All sessions, newest first."""
        return await asyncio.to_thread((await self.context.store()).list)

    async def search(
        self, text: str = "", statuses: Collection[str] = (), tags: Iterable[str] = ()
    ) -> tuple[ListedLine, ...]:
        """The sessions with all these words in title, questions, answer or tags, newest first.

        With `statuses`, only sessions that have one of them; with `tags`, those that have all.
        """
        store = await self.context.store()
        running = self.context.is_running
        return await asyncio.to_thread(find_lines, store, running, text, statuses, tags)

    async def rename(self, id: str, title: str) -> None:
        """Give a session a title; an empty one shows its question again.

        Raises SessionError for an unknown session and for another user's, UsageError for a title
        that is too long.
        """
        line = " ".join(title.split())
        if len(line) > MAX_TITLE_CHARACTERS:
            raise UsageError(
                f"The title has {len(line):,} characters.",
                f"Use at most {MAX_TITLE_CHARACTERS}.",
            )
        store = await self.context.store_for_owner(id)
        await asyncio.to_thread(store.rename, id, line)

    async def tag(self, id: str, tags: Iterable[str]) -> None:
        """Give a session these tags instead of those that it has.

        Raises SessionError as `rename` does, UsageError for tags that are too long or too many.
        """
        own = split_tags(tags)
        store = await self.context.store_for_owner(id)
        await asyncio.to_thread(store.set_tags, id, own)

    async def change_tags(
        self, id: str, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Add tags to those of a session, or remove some; the tags that it has then.

        Raises SessionError as `rename` does, UsageError as `tag` does, and for a tag to remove that
        the session does not have.
        """
        own = {tag.casefold(): tag for tag in (await self.context.get_session(id)).tags}
        for tag in split_tags(remove):
            if own.pop(tag.casefold(), None) is None:
                raise UsageError(
                    f"Session {id!r} has no tag “{tag}”.",
                    f"Its tags: {', '.join(own.values())}." if own else "It has no tags.",
                )
        own |= {tag.casefold(): own.get(tag.casefold(), tag) for tag in split_tags(add)}
        await self.tag(id, own.values())
        return tuple(own.values())

    async def pin(self, id: str, *, pinned: bool) -> None:
        """Keep a session from clean-ups, or no longer. Raises SessionError as `rename` does."""
        store = await self.context.store_for_owner(id)
        await asyncio.to_thread(partial(store.set_pinned, id, pinned=pinned))

    async def share(self, id: str) -> str:
        """The token of a session's read-only link, which is made if there is none.

        Raises SessionError as `rename` does.
        """
        store = await self.context.store_for_owner(id)
        return await asyncio.to_thread(store.shared.share, id)

    async def end_share(self, id: str) -> None:
        """End the link of a session, if it has one. Raises SessionError as `rename` does."""
        store = await self.context.store_for_owner(id)
        await asyncio.to_thread(store.shared.end, id)

    async def share_token(self, id: str) -> str:
        """The token of a session's link; empty if it has none."""
        return await asyncio.to_thread((await self.context.store()).shared.token_of, id)

    async def find_shared(self, token: str) -> str | None:
        """The session whose link has this token; None for an unknown one."""
        return await asyncio.to_thread((await self.context.store()).shared.session_of, token)


def split_tags(written: Iterable[str]) -> tuple[str, ...]:
    """The tags in what was written, where commas separate them, each once. Raises UsageError."""
    each = (" ".join(tag.split()) for text in written for tag in text.split(TAG_MARK))
    tags = tuple({tag.casefold(): tag for tag in each if tag}.values())
    if len(tags) > MAX_TAGS:
        raise UsageError(f"There are {len(tags)} tags.", f"Use at most {MAX_TAGS}.")
    for tag in tags:
        if len(tag) > MAX_TAG_CHARACTERS:
            raise UsageError(
                f"The tag “{tag[:MAX_TAG_CHARACTERS]}…” has {len(tag)} characters.",
                f"Use at most {MAX_TAG_CHARACTERS}.",
            )
    return tags


def find_lines(
    store: SessionStore,
    is_running: IsRunning,
    text: str = "",
    statuses: Collection[str] = (),
    tags: Iterable[str] = (),
) -> tuple[ListedLine, ...]:
    """The sessions with all these words in title, questions, answer or tags, newest first.

    With `statuses`, only sessions that have one of them; with `tags`, those that have all. Raises
    StoreError.
    """
    wanted = {tag.casefold() for tag in split_tags(tags)}
    found = (
        ListedLine(line, store.current_status(line, is_running))
        for line in store.lines.find_lines(text)
        if not wanted or wanted <= {tag.casefold() for tag in line.tags}
    )
    return tuple(each for each in found if not statuses or each.status in statuses)


def find_sessions(
    settings: Settings, text: str = "", statuses: Collection[str] = (), tags: Iterable[str] = ()
) -> tuple[ListedLine, ...]:
    """`find_lines` in the data folder, which may not exist yet. Raises StoreError."""
    place = settings.place("sessions")
    if not place.exists():
        return ()
    with closing(SessionStore(place)) as store:
        return find_lines(store, running_check(settings), text, statuses, tags)


def running_check(settings: Settings) -> IsRunning:
    """A check whether a session runs in this or another process, or is about to."""
    return partial(is_taken, settings.leases)


def read_recipes(settings: Settings) -> tuple[KeptRecipe, ...]:
    """All recipes of the data folder, newest first. Raises StoreError."""
    place = settings.place("recipes")
    if not place.exists():
        return ()
    with closing(Recipes(place)) as kept:
        return kept.list()


def forget_recipe(settings: Settings, number: int) -> None:
    """Delete a recipe. Raises UsageError when there is none of this number, and StoreError."""
    with closing(Recipes(settings.place("recipes"))) as kept:
        kept.forget(number)
