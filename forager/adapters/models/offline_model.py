"""The offline model: each task's built-in rule, without a key or a network."""

import asyncio

from forager.budget import current_meter
from forager.ports import Embedder, Reply, Task


class OfflineModel:
    """The Model port on built-in rules."""

    name = "offline"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def ask(self, task: Task[Reply]) -> Reply:
        """Answer by the task's rule, in a thread."""
        current_meter().model_calls += 1
        return await asyncio.to_thread(task.offline, self._embedder)
