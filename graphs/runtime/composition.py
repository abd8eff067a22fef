"""The composition root: the one place that binds adapters to ports."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    aclosing,
    asynccontextmanager,
    closing,
    contextmanager,
)
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pydantic import JsonValue

from forager.adapters.memory.embeddings.embedder import closing_embedder
from forager.adapters.memory.embeddings.vector_cache import NamedEmbedder
from forager.adapters.memory.embeddings.word_vectors import open_word_vectors
from forager.adapters.memory.index_probe import PROBE_SECONDS
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.memory.no_memory import NoMemory
from forager.adapters.models import prices
from forager.adapters.models.chat_calls import Chat
from forager.adapters.models.endpoint_features import Limiter
from forager.adapters.models.local.gguf_files import PROVIDER as LOCAL
from forager.adapters.models.model_lines import (
    OFFLINE,
    ModelChoice,
    parse_model_line,
    recording_folder,
)
from forager.adapters.models.offline_model import OfflineModel
from forager.adapters.recording.browser_recording import browser_calls
from forager.adapters.recording.document_tape import FILE as WEB_FILE
from forager.adapters.recording.model_recording import CHAT_CALLS, FILE, ChatReplay
from forager.adapters.recording.port_recording import Replay, record_port
from forager.adapters.recording.tape import PlayedTape, Tape
from forager.adapters.recording.web_recording import SEARCH_CALLS, tool_calls, web_calls
from forager.adapters.search.provider_registry import SearchAdapter
from forager.adapters.store.blob_store import open_blob_store
from forager.adapters.store.recipe_store import NoRecipes, Recipes
from forager.adapters.store.shared_crawls import open_crawls
from forager.adapters.web.fetch.politeness import Traffic
from forager.adapters.web.web_port import WebAdapter
from forager.domain.actions import Action, ToolDescription
from forager.domain.documents import OpenedPage
from forager.domain.state import Step
from forager.ports import (
    ActionCheck,
    ActionResult,
    Blobs,
    Browser,
    Embedder,
    Memory,
    Model,
    Ports,
    Search,
    Tools,
    Web,
)
from forager.ranking.gloss import Glossary
from forager.settings import Settings
from forager.util.telemetry import start_telemetry
from graphs.runtime import recordings
from graphs.runtime.approvals import InterruptingPerson

if TYPE_CHECKING:
    from forager.adapters.browser.browser_port import PlaywrightBrowser
    from forager.adapters.browser.process.engine import Engines
    from forager.adapters.models.chat_model import ChatModel
    from forager.adapters.models.endpoint import EndpointChat
    from forager.adapters.models.local.local_chat import LocalChat
    from forager.adapters.tools.mcp_tools import McpTools


class OpenPorts(Protocol):
    """Opens the ports of one run."""

    def __call__(
        self, model: str, since: float, /, session: str = ""
    ) -> AbstractAsyncContextManager[Ports]:
        """The ports of a session.

        `model` is the session's model line, `since` its start in seconds since the epoch, `session`
        its ID if it can be resumed.
        """


BorrowBrowser = Callable[[Settings], AbstractAsyncContextManager[str]]
"""Lends the address of a browser's DevTools; empty if there is none to lend."""


@contextmanager
def open_adapters(
    settings: Settings, borrow_browser: BorrowBrowser | None = None
) -> Iterator[OpenPorts]:
    """Open what all runs of a process share: embedder, memory, rate limits and browser.

    A run drives a browser that is borrowed, where one is lent.
    """
    with ExitStack() as stack:
        start_telemetry(settings.otlp_endpoint)
        embedder = stack.enter_context(closing_embedder(settings))
        memory = stack.enter_context(open_run_memory(settings, embedder))
        words = stack.enter_context(closing(open_word_vectors(settings)))
        yield Adapters(settings, embedder, memory, words, borrow_browser).open_ports


class OutsidePorts(NamedTuple):
    """The ports that reach the web."""

    web: Web
    search: Search
    browser: Browser
    tools: Tools


class Adapters:
    """Binds the ports of each run, live, recorded or replayed, to adapters that all runs share."""

    def __init__(
        self,
        settings: Settings,
        embedder: NamedEmbedder,
        memory: Memory,
        words: Embedder,
        borrow_browser: BorrowBrowser | None = None,
    ) -> None:
        self._settings = settings
        self._embedder = embedder
        self._memory = memory
        self._glossary = Glossary(words)
        self._models = Models(settings, embedder)
        self._browsers = Browsers(settings, borrow_browser)
        self._traffic = Traffic(crawls=open_crawls(settings))

    @asynccontextmanager
    async def open_ports(self, model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
        """An OpenPorts. Raises UsageError for a model or recording that cannot be used."""
        replayed = recording_folder(model)
        async with AsyncExitStack() as stack:
            blobs = stack.enter_context(await asyncio.to_thread(open_blob_store, self._settings))
            asked = await self._bind_model(model, stack, replayed)
            if replayed:
                outside = await asyncio.to_thread(_replay_outside, replayed, blobs)
            else:
                outside = await self._open_outside(stack, blobs, since, session)
                if self._settings.record:
                    outside = self._record_outside(outside, blobs, self._settings.record, model)
            yield Ports(
                model=asked,
                web=outside.web,
                search=outside.search,
                browser=outside.browser,
                tools=outside.tools,
                recipes=stack.enter_context(_open_recipes(self._settings, replayed)),
                memory=NoMemory() if replayed else self._memory,
                person=InterruptingPerson(),
                blobs=blobs,
                embedder=self._embedder,
            )

    async def _bind_model(self, model: str, stack: AsyncExitStack, replayed: Path | None) -> Model:
        if model == OFFLINE or (replayed and recordings.asked_no_model(replayed)):
            return OfflineModel(self._embedder)
        opened = await stack.enter_async_context(aclosing(self._models.open(model)))
        if not replayed:
            await asyncio.to_thread(_import_endpoint)
        return opened

    async def _open_outside(
        self, stack: AsyncExitStack, blobs: Blobs, since: float, session: str
    ) -> OutsidePorts:
        settings = self._settings
        web = WebAdapter(settings, blobs, self._embedder, since, self._traffic, self._glossary)
        return OutsidePorts(
            web=await stack.enter_async_context(aclosing(web)),
            search=await stack.enter_async_context(aclosing(SearchAdapter(settings, blobs))),
            browser=await stack.enter_async_context(self._browsers.open(blobs, session)),
            tools=await stack.enter_async_context(aclosing(LazyTools(settings, blobs))),
        )

    def _record_outside(
        self, live: OutsidePorts, blobs: Blobs, folder: Path, model: str
    ) -> OutsidePorts:
        recordings.write_info(
            folder, parse_model_line(model), prices.read_prices(self._settings.data)
        )
        tape = Tape(folder / WEB_FILE)
        return OutsidePorts(
            web=record_port(live.web, web_calls(blobs), tape),
            search=record_port(live.search, SEARCH_CALLS, tape),
            browser=record_port(live.browser, browser_calls(blobs), tape),
            tools=record_port(live.tools, tool_calls(blobs), tape),
        )


def _replay_outside(folder: Path, blobs: Blobs) -> OutsidePorts:
    played = PlayedTape(folder / WEB_FILE)
    return OutsidePorts(
        web=Replay(web_calls(blobs), played),
        search=Replay(SEARCH_CALLS, played),
        browser=Replay(browser_calls(blobs), played),
        tools=Replay(tool_calls(blobs), played),
    )


class Models:
    """Opens the models of sessions. What they learn of an endpoint lasts for one session."""

    def __init__(self, settings: Settings, embedder: Embedder) -> None:
        self._settings = settings
        self._embedder = embedder

    @cached_property
    def _limiter(self) -> Limiter:
        settings = self._settings
        return Limiter(settings.model_calls_at_once, settings.model_calls_per_second)

    def open(self, line: str) -> "ChatModel":
        """The models that a model line names. Raises UsageError."""
        from forager.adapters.models.chat_model import ChatModel

        table = prices.read_prices(self._settings.data)
        if folder := recording_folder(line):
            info = recordings.read_info(folder)
            choices, table = recordings.replay_choices(folder, info), {**table, **info.prices}
        else:
            choices = parse_model_line(line)
        return ChatModel(choices, self._open_chat, self._embedder, table)

    def _open_chat(self, choice: ModelChoice) -> Chat:
        if folder := recording_folder(choice.name):
            return ChatReplay(folder)
        settings = self._settings
        if choice.provider == LOCAL:
            chat: Chat = _import_local()(choice, settings)
        else:
            chat = _import_endpoint()(choice, settings, self._limiter)
        if settings.record is None:
            return chat
        secrets = (settings.api_key, settings.openai_api_key, settings.embedding_key)
        return record_port(chat, CHAT_CALLS, Tape(settings.record / FILE, secrets))


def _import_endpoint() -> "type[EndpointChat]":
    """Imported only where a model is asked, before the run begins: it takes a second."""
    from forager.adapters.models.endpoint import EndpointChat

    prices.load_library()
    return EndpointChat


def _import_local() -> "type[LocalChat]":
    from forager.adapters.models.local.local_chat import LocalChat

    return LocalChat


class LazyBrowser:
    """The Browser port; `opening` opens the real browser, once, and sees to its closing."""

    def __init__(self, opening: Callable[[], Awaitable[Browser]]) -> None:
        self._opening = opening
        self._lock = asyncio.Lock()
        self._browser: Browser | None = None

    async def restore(self, trajectory: str, steps: Sequence[Step]) -> None:
        """See Browser.restore."""
        await (await self._opened_browser()).restore(trajectory, steps)

    async def examine(self, trajectory: str, action: Action) -> ActionCheck:
        """See Browser.examine."""
        return await (await self._opened_browser()).examine(trajectory, action)

    async def perform(self, trajectory: str, action: Action, step: str = "") -> ActionResult:
        """See Browser.perform."""
        return await (await self._opened_browser()).perform(trajectory, action, step)

    async def render(self, url: str) -> OpenedPage:
        """See Browser.render."""
        return await (await self._opened_browser()).render(url)

    async def screenshot(self, trajectory: str) -> bytes:
        """See Browser.screenshot."""
        return await (await self._opened_browser()).screenshot(trajectory)

    async def close_tabs(self, trajectory: str) -> None:
        """Close the trajectory's tabs, if a browser was opened."""
        if self._browser is not None:
            await self._browser.close_tabs(trajectory)

    async def _opened_browser(self) -> Browser:
        async with self._lock:
            if self._browser is None:
                self._browser = await self._opening()
            return self._browser


class LazyTools:
    """The Tools port; the SDK is imported with the first call, as it takes half a second."""

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._settings = settings
        self._blobs = blobs
        self._lock = asyncio.Lock()
        self._tools: McpTools | None = None

    async def describe(self, server: str, tool: str) -> ToolDescription:
        """See Tools.describe."""
        return await (await self._opened_tools()).describe(server, tool)

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> OpenedPage:
        """See Tools.call."""
        return await (await self._opened_tools()).call(server, tool, arguments)

    async def aclose(self) -> None:
        """Close the connections, if any was opened."""
        if self._tools is not None:
            await self._tools.aclose()

    async def _opened_tools(self) -> "McpTools":
        async with self._lock:
            if self._tools is None:
                opening = await asyncio.to_thread(_import_tools)
                self._tools = opening(self._settings, self._blobs)
            return self._tools


def _import_tools() -> "type[McpTools]":
    from forager.adapters.tools.mcp_tools import McpTools

    return McpTools


class Browsers:
    """Opens the Browser ports of sessions, on engines that they share, or one that is borrowed."""

    def __init__(self, settings: Settings, borrow: BorrowBrowser | None = None) -> None:
        self._settings = settings
        self._borrow = borrow
        self._engines: Engines | None = None

    @asynccontextmanager
    async def open(self, blobs: Blobs, session: str) -> AsyncIterator[LazyBrowser]:
        """The Browser port of a session; the browser starts with the first action."""
        async with AsyncExitStack() as stack:

            async def start_browser() -> Browser:
                port, engines = await asyncio.to_thread(_import_browser)
                address = ""
                if self._borrow:
                    address = await stack.enter_async_context(self._borrow(self._settings))
                if address:
                    borrowing = self._settings.model_copy(update={"browser_url": address})
                    used = engines(borrowing)
                else:
                    used = self._engines = self._engines or engines(self._settings)
                engine = await stack.enter_async_context(used.lease())
                opened = port(self._settings, blobs, engine, session)
                return await stack.enter_async_context(aclosing(opened))

            yield LazyBrowser(start_browser)


def _import_browser() -> "tuple[type[PlaywrightBrowser], type[Engines]]":
    from forager.adapters.browser.browser_port import PlaywrightBrowser  # takes half a second
    from forager.adapters.browser.process.engine import Engines

    return PlaywrightBrowser, Engines


@contextmanager
def _open_recipes(settings: Settings, replayed: Path | None) -> Iterator[Recipes | NoRecipes]:
    """The recipes of the data folder; none for a recorded or replayed run, or without memory."""
    if replayed or settings.record or not settings.memory:
        yield NoRecipes()
        return
    with closing(Recipes(settings.place("recipes"))) as recipes:
        yield recipes


RUN_PATIENCE = 20.0
"""Seconds that a run waits for the check of a memory that was not closed, once in a process."""
_SHARED_MEMORIES: dict[tuple[Path, str, str], ChromaMemory] = {}
"""The memories that this process shares, by data folder, server and user."""


@contextmanager
def open_run_memory(settings: Settings, embedder: NamedEmbedder) -> Iterator[Memory]:
    """The memory for runs; none where the settings turn it off, and for recorded runs.

    What a recorded run does must not depend on earlier sessions.
    """
    if not settings.memory or settings.record:
        yield NoMemory()
        return
    with open_chroma_memory(settings, embedder, RUN_PATIENCE) as memory:
        yield memory


@contextmanager
def open_chroma_memory(
    settings: Settings, embedder: NamedEmbedder, patience: float = PROBE_SECONDS
) -> Iterator[ChromaMemory]:
    """The memory that the process shares, or else one for the body alone.

    The first call waits `patience` seconds for the check of a folder that was not closed.
    """
    if memory := _SHARED_MEMORIES.get(_memory_key(settings)):
        yield memory
        return
    with closing(ChromaMemory(settings, embedder, patience)) as memory:
        yield memory


@contextmanager
def share_memory(settings: Settings) -> Iterator[None]:
    """Share one memory in this process while the body runs: its folder allows one owner only.

    It is opened when it is first used.
    """
    with ExitStack() as stack:
        embedder = stack.enter_context(closing_embedder(settings))
        memory = stack.enter_context(closing(ChromaMemory(settings, embedder, RUN_PATIENCE)))
        _SHARED_MEMORIES[_memory_key(settings)] = memory
        stack.callback(_SHARED_MEMORIES.pop, _memory_key(settings))
        yield


def _memory_key(settings: Settings) -> tuple[Path, str, str]:
    return settings.data, settings.chroma_url, settings.user
