"""A node of a graph, ready to work: its parameters, its doors, and its own instructions."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial

from forager.domain.state import State, Update
from forager.ports import Model, Ports, Reply, Task
from graphs.spec.node_type import NodeType
from graphs.spec.spec import NodeSpec

Work = Callable[[State], Awaitable[Update]]


class Instructed:
    """The Model port with a graph's instructions in place of those that ship with the tasks."""

    def __init__(self, model: Model, prompts: Mapping[str, str]) -> None:
        self.name = model.name
        self._model = model
        self._prompts = prompts

    async def ask(self, task: Task[Reply]) -> Reply:
        """What the model replies. Raises ModelError."""
        own = self._prompts.get(type(task).__name__)
        return await self._model.ask(task.instructed(own) if own else task)


def work(kind: NodeType, node: NodeSpec, ports: Ports) -> Work:
    """What a node of this type does to a state."""
    params = kind.params.model_validate(node.params)
    if node.prompts:
        ports = replace(ports, model=Instructed(ports.model, node.prompts))
    return partial(kind.function, ports=ports, params=params)
