"""A model that is not asked the same thing twice in one session."""

import asyncio
from hashlib import sha256
from typing import cast

from forager.adapters.store.sessions.session_store import SessionStore
from forager.budget import running
from forager.domain.model_calls import noting, packed
from forager.ports import Model, Reply, Task


class Journal:
    """The Model port with its replies written down before a node sees them.

    A node that was killed runs again from its top; what it had asked is answered from here, and
    what it had paid stands in the store.
    """

    def __init__(self, model: Model, store: SessionStore, session: str) -> None:
        self.name = model.name
        self._model = model
        self._store = store
        self._session = session

    async def ask(self, task: Task[Reply]) -> Reply:
        """The reply kept, or the model's. Raises ModelError."""
        asked = f"{task.ROLE}\n{task.instructions}\n{task.model_dump_json()}"
        digest = sha256(asked.encode()).hexdigest()
        running().tasks.append((type(task).__name__, digest))
        kept = await asyncio.to_thread(self._store.reply, self._session, digest)
        if kept is not None:
            return cast(Reply, task.REPLY.model_validate_json(kept))
        try:
            with noting() as said:
                reply = await self._model.ask(task)
        finally:
            await asyncio.to_thread(self._store.pay, self._session, running().unbooked())
        await asyncio.to_thread(
            self._store.keep_reply,
            *(self._session, digest, reply.model_dump_json()),
            packed(tuple(said)),
        )
        return reply
