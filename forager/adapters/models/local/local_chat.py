"""A chat model in this process: llama.cpp reads a GGUF file, and is asked as any endpoint is."""

import asyncio
import os
import secrets
import threading
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pydantic import SecretStr

from forager.adapters.models.chat_calls import ChatRequest, Completion
from forager.adapters.models.endpoint import EndpointChat
from forager.adapters.models.endpoint_features import Limiter
from forager.adapters.models.local.gguf_files import find_file
from forager.adapters.models.model_lines import ModelChoice
from forager.errors import ModelError
from forager.settings import Settings

CONTEXT_TOKENS = 16_384
QUIET = -1
_SERVED: dict[Path, "Served"] = {}
_STARTING = threading.Lock()


class Served(NamedTuple):
    """A file that was loaded: where it is asked, on loopback, and with which key.

    One call at a time is made in each event loop; the time of those that wait does not count.
    """

    server: object
    url: str
    key: SecretStr
    turns: "WeakKeyDictionary[asyncio.AbstractEventLoop, Limiter]"

    def turn_keeper(self) -> Limiter:
        """Lets one call through at a time."""
        return self.turns.setdefault(asyncio.get_running_loop(), Limiter(1))


class LocalChat:
    """The Chat port over a file in the data folder, which the first call loads."""

    def __init__(self, choice: ModelChoice, settings: Settings) -> None:
        self.name = choice.name
        self._choice = choice
        self._settings = settings
        self._lock = asyncio.Lock()
        self._chat: EndpointChat | None = None

    def model_for_role(self, role: str) -> str:
        """The same model for all roles."""
        return self.name

    async def complete(self, request: ChatRequest) -> Completion:
        """See Chat.complete."""
        async with self._lock:
            if self._chat is None:
                self._chat = await self._open()
        completion = await self._chat.complete(request)
        return completion.model_copy(update={"name": self.name})

    async def aclose(self) -> None:
        """Close the connections; the file stays loaded for other sessions."""
        if self._chat is not None:
            await self._chat.aclose()

    async def _open(self) -> EndpointChat:
        file = find_file(self._settings.data, self._choice.model)
        served = await asyncio.to_thread(serve_file, file.path)
        there = {"name": f"llamacpp:{file.name}", "base_url": served.url}
        own = {"base_url": served.url, "api_key": served.key}
        return EndpointChat(
            self._choice.model_copy(update=there),
            self._settings.model_copy(update=own),
            served.turn_keeper(),
        )


def serve_file(path: Path) -> Served:
    """Load a file, once in a process. Raises ModelError if llama.cpp cannot."""
    from xllamacpp import CommonParams, Server  # noqa: PLC0415  # not everybody has it

    with _STARTING:
        if path in _SERVED:
            return _SERVED[path]
        key = secrets.token_urlsafe(24)
        asked = CommonParams()
        asked.model.path = str(path)
        asked.n_ctx, asked.n_parallel, asked.use_jinja = CONTEXT_TOKENS, 1, True
        asked.cpuparams.n_threads = os.cpu_count() or 1
        asked.hostnames, asked.port, asked.api_keys = ["127.0.0.1"], 0, [key]
        asked.verbosity = QUIET
        try:
            server = Server(asked)
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelError(
                f"{path} cannot be loaded: {error}.",
                "Is it a whole model, and is there enough memory? Fetch it again: forager model "
                "pull ADDRESS --sha256 …",
            ) from error
        url = f"{server.listening_address}/v1"
        _SERVED[path] = Served(server, url, SecretStr(key), WeakKeyDictionary())
        return _SERVED[path]
