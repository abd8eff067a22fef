"""Measures the prompts of a run: each is composed as for a chat model, and its tokens counted."""

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


class PromptSize(Frozen):
    """Estimated tokens of a prompt: in all, of its fixed prefix, and of each section by title."""

    role: str
    tokens: int
    fixed: int
    sections: dict[str, int]


def measure_prompt(task: Task[Reply]) -> PromptSize:
    """Measure the prompt that a chat model would receive for a task."""
    tag = draw_tag()
    prompt = render_prompt(task, tag)
    sizes = [message.estimate_tokens() for message in compose_request(task, prompt, tag).messages]
    return PromptSize(
        role=task.ROLE,
        tokens=sum(sizes),
        fixed=sizes[0],
        sections={_section_title(part): count_tokens(part) for part in prompt.parts},
    )


class MeteredModel:
    """A Model port that measures every prompt; also those of the built-in rules count as calls."""

    def __init__(self, model: Model, seen: list[PromptSize]) -> None:
        self.name = model.name
        self._model = model
        self._seen = seen

    async def ask(self, task: Task[Reply]) -> Reply:
        """Measure the prompt, then ask the model. Raises ModelError."""
        prompted = await asyncio.to_thread(measure_prompt, task)
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


def meter_prompts(seen: list[PromptSize]) -> OpenAdapters:
    """Return what opens a run's adapters, with its prompts measured into `seen`."""

    @contextmanager
    def open_metered(settings: Settings) -> Iterator[OpenPorts]:
        with open_adapters(settings) as opened:

            @asynccontextmanager
            async def open_ports(
                model: str, since: float, session: str = ""
            ) -> AsyncIterator[Ports]:
                async with opened(model, since, session) as found:
                    yield replace(found, model=MeteredModel(found.model, seen))

            yield open_ports

    return open_metered


def _section_title(part: str) -> str:
    """Return the title of a section without the remark after it."""
    return part.partition("\n")[0].removeprefix("## ").partition(". ")[0]
