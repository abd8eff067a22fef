"""The model that is always there: each task's own rule, with no key and no network."""

import asyncio

from forager.budget import current_meter
from forager.ports import Embedder, Reply, Task


class OfflineModel:
    """The Model port without a model."""

    name = "offline"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def ask(self, task: Task[Reply]) -> Reply:
        """Answer by the task's rule, in a thread."""
        current_meter().model_calls += 1
        return await asyncio.to_thread(task.offline, self._embedder)
