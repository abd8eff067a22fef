"""What the prompts of a run take: each is written as a chat model's would be, and counted."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from forager.adapters.models.chat_model import compose_request
from forager.adapters.models.model_lines import OFFLINE
from forager.adapters.models.prompt import draw_tag, render_prompt
from forager.budget import ModelCall, current_meter
from forager.domain.base import Frozen
from forager.ports import Model, Ports, Reply, Task
from forager.prompts.token_count import count_tokens
from forager.settings import Settings
from graphs.runtime.composition import OpenPorts, open_adapters
from graphs.sessions.service import OpenAdapters


class Prompted(Frozen):
    """A prompt in estimated tokens: all, its fixed prefix, and each section by its title."""

    role: str
    tokens: int
    fixed: int
    sections: dict[str, int]


def measure(task: Task[Reply]) -> Prompted:
    """The prompt that a chat model would be sent for a task."""
    tag = draw_tag()
    prompt = render_prompt(task, tag)
    sizes = [message.estimate_tokens() for message in compose_request(task, prompt, tag).messages]
    return Prompted(
        role=task.ROLE,
        tokens=sum(sizes),
        fixed=sizes[0],
        sections={_title(part): count_tokens(part) for part in prompt.parts},
    )


class Counting:
    """The Model port with every prompt measured; the built-in rules' count as calls."""

    def __init__(self, model: Model, seen: list[Prompted]) -> None:
        self.name = model.name
        self._model = model
        self._seen = seen

    async def ask(self, task: Task[Reply]) -> Reply:
        """What the model replies. Raises ModelError."""
        prompted = await asyncio.to_thread(measure, task)
        self._seen.append(prompted)
        if self.name == OFFLINE:
            call = ModelCall(
                role=task.ROLE,
                model=OFFLINE,
                began=time.time(),
                seconds=0.0,
                tokens_in=prompted.tokens,
            )
            current_meter().calls.append(call)
        return await self._model.ask(task)


def counting(seen: list[Prompted]) -> OpenAdapters:
    """The doors of a run, with its model's prompts measured into a list."""

    @contextmanager
    def doors(settings: Settings) -> Iterator[OpenPorts]:
        with open_adapters(settings) as opened:

            @asynccontextmanager
            async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
                async with opened(model, since, session) as found:
                    yield replace(found, model=Counting(found.model, seen))

            yield ports

    return doors


def _title(part: str) -> str:
    """A section's title, without what it says beside."""
    return part.partition("\n")[0].removeprefix("## ").partition(". ")[0]
