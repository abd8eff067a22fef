"""The composition root: which adapters stand behind the ports."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    aclosing,
    asynccontextmanager,
    closing,
    contextmanager,
)
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from forager.adapters.browser.lazy_browser import LateBrowser
from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder, NamedEmbedder
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.memory.no_memory import NoMemory
from forager.adapters.models import prices
from forager.adapters.models.chat_calls import Chat
from forager.adapters.models.chat_model import ChatModel
from forager.adapters.models.endpoint_features import Limiter
from forager.adapters.models.model_lines import OFFLINE, Choice, read
from forager.adapters.models.offline_model import OfflineModel
from forager.adapters.recording.browser_recording import browser_calls
from forager.adapters.recording.document_tape import FILE as WEB_FILE
from forager.adapters.recording.model_recording import CHAT_CALLS, FILE, ChatReplay
from forager.adapters.recording.port_recording import Replay, record_port
from forager.adapters.recording.search_recording import SEARCH_CALLS
from forager.adapters.recording.tape import Played, Tape
from forager.adapters.recording.web_recording import web_calls
from forager.adapters.search.search_port import SearchDoor
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.recipe_store import RECIPES, NoRecipes, Recipes
from forager.adapters.web.fetch.politeness import Traffic
from forager.adapters.web.web_port import WebDoor
from forager.ports import Blobs, Browser, Embedder, Memory, Ports, Search, Web
from forager.settings import Settings
from graphs.runtime import recordings
from graphs.runtime.approvals import InterruptingPerson

if TYPE_CHECKING:
    from forager.adapters.browser.browser_port import BrowserDoor
    from forager.adapters.browser.process.engine import Engines


class Browsers:
    """Opens the Browser ports of sessions."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engines: Engines | None = None

    @asynccontextmanager
    async def open(self, blobs: Blobs, session: str) -> AsyncIterator[LateBrowser]:
        """A port of its own for one session."""
        async with AsyncExitStack() as stack:

            async def opening() -> Browser:
                door, engines = await asyncio.to_thread(_import_browser)
                if self._engines is None:
                    self._engines = engines(self._settings)
                engine = await stack.enter_async_context(self._engines.lease())
                opened = door(self._settings, blobs, engine, session)
                return await stack.enter_async_context(aclosing(opened))

            yield LateBrowser(opening)


def _import_browser() -> "tuple[type[BrowserDoor], type[Engines]]":
    from forager.adapters.browser.browser_port import BrowserDoor  # takes half a second
    from forager.adapters.browser.process.engine import Engines

    return BrowserDoor, Engines


_SHARED_MEMORIES: dict[tuple[Path, str, str], ChromaMemory] = {}
"""By whose it is and where it lies."""


@contextmanager
def open_run_memory(settings: Settings, embedder: NamedEmbedder) -> Iterator[Memory]:
    """None where the settings want none, and where a run is recorded: it must not hang on it."""
    if not settings.memory or settings.record:
        yield NoMemory()
        return
    with open_chroma_memory(settings, embedder) as memory:
        yield memory


@contextmanager
def open_chroma_memory(settings: Settings, embedder: NamedEmbedder) -> Iterator[ChromaMemory]:
    """That which the process has in common, or else one for the body alone."""
    if memory := _SHARED_MEMORIES.get(_memory_key(settings)):
        yield memory
        return
    with closing(ChromaMemory(settings, embedder)) as memory:
        yield memory


@contextmanager
def share_memory(settings: Settings) -> Iterator[None]:
    """While the body runs, all in this process have one memory: its folder bears one owner only.

    Nothing is opened before it is asked.
    """
    with ExitStack() as stack:
        embedder = open_embedder(settings)
        if isinstance(embedder, CachedEmbedder):
            stack.callback(embedder.close)
        _SHARED_MEMORIES[_memory_key(settings)] = stack.enter_context(
            closing(ChromaMemory(settings, embedder))
        )
        stack.callback(_SHARED_MEMORIES.pop, _memory_key(settings))
        yield


def _memory_key(settings: Settings) -> tuple[Path, str, str]:
    return settings.data, settings.chroma_url, settings.user


if TYPE_CHECKING:
    from forager.adapters.models.endpoint import Endpoint


class OpenPorts(Protocol):
    """Opens the ports of one run."""

    def __call__(
        self, model: str, since: float, /, session: str = ""
    ) -> AbstractAsyncContextManager[Ports]:
        """The session's models, its start in epoch seconds, and its id, if it can be resumed."""


class Models:
    """Opens the models of sessions; what they learn of an endpoint lasts for one session."""

    def __init__(self, settings: Settings, embedder: Embedder) -> None:
        self._settings = settings
        self._embedder = embedder
        self._limiter = Limiter(settings.model_calls_at_once, settings.model_calls_per_second)

    def open(self, line: str) -> ChatModel:
        """The models that a line names. Raises UsageError."""
        table = prices.read(self._settings.data)
        if folder := recordings.recording_folder(line):
            about = recordings.read_info(folder)
            choices, table = recordings.replay_choices(folder, about), {**table, **about.prices}
        else:
            choices = read(line)
        return ChatModel(choices, self._open_chat, self._embedder, table)

    def _open_chat(self, choice: Choice) -> Chat:
        if folder := recordings.recording_folder(choice.name):
            return ChatReplay(folder)
        settings = self._settings
        chat = _import_endpoint()(choice, settings, self._limiter)
        if settings.record is None:
            return chat
        secrets = (settings.api_key, settings.openai_api_key, settings.embedding_key)
        return record_port(chat, CHAT_CALLS, Tape(settings.record / FILE, secrets))


def _import_endpoint() -> "type[Endpoint]":
    """Its libraries take a second to import: only where a model is asked, before the run begins."""
    from forager.adapters.models.endpoint import Endpoint

    prices.load_library()
    return Endpoint


@contextmanager
def _open_recipes(settings: Settings, *, taped: bool) -> Iterator[Recipes | NoRecipes]:
    """The ways kept in the data folder; what is recorded or played back goes without."""
    if taped or settings.record:
        yield NoRecipes()
        return
    with closing(Recipes(settings.data / RECIPES)) as recipes:
        yield recipes


@contextmanager
def open_adapters(settings: Settings) -> Iterator[OpenPorts]:
    """What runs in one process share: the embedder, the limits of calls and of hosts, a browser."""
    embedder = open_embedder(settings)
    models = Models(settings, embedder)
    browsers = Browsers(settings)
    traffic = Traffic()
    shared = ExitStack()
    memory = shared.enter_context(open_run_memory(settings, embedder))

    @asynccontextmanager
    async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
        async with AsyncExitStack() as stack:
            path = settings.data / "blobs.sqlite"
            blobs = stack.enter_context(closing(await asyncio.to_thread(SqliteBlobs, path)))
            folder = recordings.recording_folder(model)
            asked = OfflineModel(embedder) if model == OFFLINE else models.open(model)
            if isinstance(asked, ChatModel):
                await stack.enter_async_context(aclosing(asked))
                if not folder:
                    await asyncio.to_thread(_import_endpoint)
            web: Web
            search: Search
            browser: Browser
            if folder:
                played = await asyncio.to_thread(Played, folder / WEB_FILE)
                web = Replay(web_calls(blobs), played)
                search = Replay(SEARCH_CALLS, played)
                browser = Replay(browser_calls(blobs), played)
            else:
                door = WebDoor(settings, blobs, embedder, since, traffic)
                web = await stack.enter_async_context(aclosing(door))
                search = await stack.enter_async_context(aclosing(SearchDoor(settings, blobs)))
                browser = await stack.enter_async_context(browsers.open(blobs, session))
            if settings.record and not folder:
                recordings.write_info(settings.record, read(model), prices.read(settings.data))
                tape = Tape(settings.record / WEB_FILE)
                web = record_port(web, web_calls(blobs), tape)
                search = record_port(search, SEARCH_CALLS, tape)
                browser = record_port(browser, browser_calls(blobs), tape)
            yield Ports(
                model=asked,
                web=web,
                search=search,
                browser=browser,
                recipes=stack.enter_context(_open_recipes(settings, taped=bool(folder))),
                memory=NoMemory() if folder else memory,
                person=InterruptingPerson(),
                blobs=blobs,
                embedder=embedder,
            )

    try:
        yield ports
    finally:
        shared.close()
        if isinstance(embedder, CachedEmbedder):
            embedder.close()
