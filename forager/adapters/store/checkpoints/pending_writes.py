"""The pending writes of a thread's unfinished super-step: read, delete, rename."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.saver import Checkpoints

SPECIAL_CHANNELS = frozenset({"__interrupt__", "__error__", "__resume__", "__scheduled__"})
"""Channels of a task that did not finish."""
RENAME_CHANNELS = """
UPDATE writes SET channel = (
    SELECT json_extract(wanted.value, '$[1]') FROM json_each(?) AS wanted
    WHERE json_extract(wanted.value, '$[0]') = channel
) WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
AND channel IN (SELECT json_extract(value, '$[0]') FROM json_each(?))
"""
RENAME_TASK = "UPDATE writes SET task_id = ? WHERE thread_id = ? AND task_id = ?"
DELETE_BRANCH = "DELETE FROM {} WHERE thread_id = ? AND (checkpoint_ns = ? OR checkpoint_ns LIKE ?)"
RENAME_BRANCH = "UPDATE {} SET checkpoint_ns = ? WHERE thread_id = ? AND checkpoint_ns = ?"
DELETE_BRANCH_WRITES = "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ?"
TABLES = ("checkpoints", "writes", "channel_values")


class PendingWrite(NamedTuple):
    """A value that a task of the unfinished super-step wrote to a channel."""

    task: str
    channel: str
    value: Any


class PendingWrites(Lineage):
    """A Lineage that also edits pending writes and branches. Every method raises StoreError."""

    @property
    def checkpoints(self) -> Checkpoints:
        """The saver that holds them."""
        return self._to

    async def written_after(
        self, thread: str, id: str, branch: str = ""
    ) -> tuple[PendingWrite, ...]:
        """The writes after a checkpoint that are in no checkpoint yet."""
        where = {"thread_id": thread, "checkpoint_ns": branch, "checkpoint_id": id}
        found = await self._to.aget_tuple({"configurable": where})
        return tuple(PendingWrite(*each) for each in (found.pending_writes or ())) if found else ()

    async def forget_written(self, thread: str, branch: str = "") -> None:
        """Delete the pending writes, so that the tasks of the super-step run again."""
        await self._execute([(DELETE_BRANCH_WRITES, (thread, branch))])

    async def rename_written(
        self, thread: str, id: str, channels: Mapping[str, str], branch: str = ""
    ) -> None:
        """Move pending writes to other channels: from old to new name."""
        pairs = json.dumps(list(channels.items()))
        await self._execute([(RENAME_CHANNELS, (pairs, thread, branch, id, pairs))])

    async def forget_branch(self, thread: str, branch: str) -> None:
        """Delete a branch and the branches nested in it."""
        place = (thread, branch, f"{branch}|%")
        await self._execute([(DELETE_BRANCH.format(table), place) for table in TABLES])

    async def rename_branches(self, thread: str, branches: Mapping[str, str]) -> None:
        """Rename branches, from old to new name; branches nested in them are deleted."""
        for branch in branches:
            nested = (thread, f"{branch}|", f"{branch}|%")
            await self._execute([(DELETE_BRANCH.format(table), nested) for table in TABLES])
        await self._execute(
            [
                (RENAME_BRANCH.format(table), (new, thread, old))
                for old, new in branches.items()
                for table in TABLES
            ]
        )

    async def rename_tasks(self, thread: str, tasks: Mapping[str, str]) -> None:
        """Assign the pending writes of tasks to other tasks: from old to new id."""
        await self._execute([(RENAME_TASK, (new, thread, old)) for old, new in tasks.items()])

    async def _execute(self, commands: list[tuple[str, tuple[str, ...]]]) -> None:
        def execute() -> None:
            for command, values in commands:
                self._to.conn.execute(command, values)

        await self._to.run(execute)
