"""The pending writes of a thread's unfinished super-step: read, delete, rename."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, delete, update

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.checkpoints.value_pieces import BranchPlace

SPECIAL_CHANNELS = frozenset({"__interrupt__", "__error__", "__resume__", "__scheduled__"})
"""Channels of a task that did not finish."""


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
        writes = self._to.tables.writes
        own = delete(writes).where(*BranchPlace(thread, branch).rows_of(writes))
        await self._to.run(thread, lambda db: db.execute(own))

    async def rename_written(
        self, thread: str, id: str, channels: Mapping[str, str], branch: str = ""
    ) -> None:
        """Move pending writes to other channels: from old to new name."""
        if not channels:
            return
        writes = self._to.tables.writes
        own = (*BranchPlace(thread, branch).rows_of(writes), writes.c.checkpoint_id == id)
        moved = update(writes).where(*own, writes.c.channel.in_(channels))
        renamed = moved.values(channel=case(dict(channels), value=writes.c.channel))
        await self._to.run(thread, lambda db: db.execute(renamed))

    async def forget_branch(self, thread: str, branch: str) -> None:
        """Delete a branch and the branches nested in it."""
        await self._to.run(
            thread, lambda db: self._delete_branches(db, thread, branch, f"{branch}|")
        )

    async def rename_branches(self, thread: str, branches: Mapping[str, str]) -> None:
        """Rename branches, from old to new name; branches nested in them are deleted."""

        def rename(db: Connection) -> None:
            for branch in branches:
                self._delete_branches(db, thread, None, f"{branch}|")
            for table in self._to.tables[:3]:
                own = (table.c.thread_id == thread, table.c.checkpoint_ns.in_(branches))
                names = case(dict(branches), value=table.c.checkpoint_ns)
                db.execute(update(table).where(*own).values(checkpoint_ns=names))

        if branches:
            await self._to.run(thread, rename)

    def _delete_branches(
        self, db: Connection, thread: str, branch: str | None, nested: str
    ) -> None:
        for table in self._to.tables[:3]:
            name = table.c.checkpoint_ns
            gone = (name == branch) | name.startswith(nested, autoescape=True)
            db.execute(delete(table).where(table.c.thread_id == thread, gone))

    async def rename_tasks(self, thread: str, tasks: Mapping[str, str]) -> None:
        """Assign the pending writes of tasks to other tasks: from old to new id."""
        writes = self._to.tables.writes
        own = (writes.c.thread_id == thread, writes.c.task_id.in_(tasks))
        new = case(dict(tasks), value=writes.c.task_id)
        if tasks:
            await self._to.run(
                thread, lambda db: db.execute(update(writes).where(*own).values(task_id=new))
            )
