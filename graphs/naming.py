"""What sessions are called, and finding them by their words."""

import asyncio
from collections.abc import Collection

from forager.errors import UsageError
from graphs.files import Files
from graphs.listing import Lined, lines

LONGEST_TITLE = 200


class Naming(Files):
    """The verbs of a list of sessions."""

    async def rename(self, id: str, title: str) -> None:
        """Call a session so in lists; without a title, by its question again.

        Raises SessionError when there is none or it is another user's, and UsageError for a title
        that is too long.
        """
        line = " ".join(title.split())
        if len(line) > LONGEST_TITLE:
            raise UsageError(
                f"The title has {len(line):,} characters; at most {LONGEST_TITLE} are kept.",
                "Use fewer words.",
            )
        store = await self._own(id)
        await asyncio.to_thread(store.rename, id, line)

    async def search(self, text: str = "", statuses: Collection[str] = ()) -> tuple[Lined, ...]:
        """The sessions with all these words in title, question or answer, newest first.

        With statuses, only those that stand so. No checkpoint is read.
        """
        store = await self._sessions()
        return await asyncio.to_thread(lines, store, self._runs, text, statuses)
