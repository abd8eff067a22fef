"""A chat model with short time limits, called as nodes call it, with its warnings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from forager.adapters.models.chat_calls import Chat
from forager.adapters.models.chat_model import ChatModel
from forager.adapters.models.endpoint import EndpointChat
from forager.adapters.models.endpoint_features import Limiter
from forager.adapters.models.model_lines import ModelChoice, parse_model_line
from forager.adapters.models.prices import Prices
from forager.budget import Meter, start_meter
from forager.domain.spend import Budget, Spend
from forager.ports import Task
from forager.settings import Settings
from tests.endpoint import Asked, Reply
from tests.endpoint.faults import Fault
from tests.endpoint.request import Json
from tests.endpoint.server import Script
from tests.fakes import FakeEmbedder

R = TypeVar("R", bound=BaseModel)
ONE: Json = {"choice": 3, "reason": "it is there"}
Wrap = Callable[[Chat], Chat]


class Asking:
    """Opens a model per model line; `warned` and `meter` belong to the last task."""

    def __init__(self, url: str, **settings: Any) -> None:
        self.url = url
        self.warned: list[str] = []
        self.meter = Meter()
        self.budget: Budget | None = None
        self.before = Spend()
        self.prices: Prices = {}
        self.wrap: Wrap = lambda chat: chat
        self._settings: dict[str, Any] = {
            "data": Path("unused"),
            "model_pause": 0.01,
            "model_patience": 20.0,
            "model_seconds": 20.0,
        }
        self.limiter: Limiter | None = None
        self._models: dict[str, ChatModel] = {}
        self.set(**settings)

    def set(self, **settings: Any) -> None:
        """Change settings for models opened from now on."""
        self._settings |= settings

    @property
    def settings(self) -> Settings:
        """The settings for new models."""
        return Settings(**self._settings)

    def model(self, line: str = "openai:scripted") -> ChatModel:
        """The model of a line."""
        if line not in self._models:
            settings = self.settings
            limiter = self.limiter or Limiter(
                settings.model_calls_at_once, settings.model_calls_per_second
            )

            def open(choice: ModelChoice) -> Chat:
                return self.wrap(EndpointChat(choice, settings, limiter))

            choices = parse_model_line(line, self.url)
            self._models[line] = ChatModel(choices, open, FakeEmbedder(), self.prices)
        return self._models[line]

    async def ask(self, task: Task[R], line: str = "openai:scripted") -> R:
        """The reply to a task, asked within a meter."""
        self.warned = []

        async def warn(message: str) -> None:
            self.warned.append(message)

        with start_meter(self.budget, self.before, warn) as self.meter:
            return await self.model(line).ask(task)

    async def aclose(self) -> None:
        """Close the models."""
        for model in self._models.values():
            await model.aclose()


def script_replies(*replies: Reply | Fault | Json | str) -> Script:
    """A script that gives each reply once, and then repeats the last one."""
    left = [
        reply if isinstance(reply, Reply | Fault) else Reply(reply) for reply in replies or (ONE,)
    ]

    def script(asked: Asked) -> Reply | Fault:
        return left.pop(0) if len(left) > 1 else left[0]

    return script
