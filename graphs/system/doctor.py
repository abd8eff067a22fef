"""Checks this machine: what Forager finds, what is missing, and how to mend it.

Nothing is asked over the network but the memory's Chroma server, where one is set, and which models
the endpoints on this machine have.
"""

import asyncio
import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from packaging.requirements import InvalidRequirement, Requirement
from pydantic import BaseModel, ConfigDict

from forager.adapters.browser.process.chromium import (
    browser_opens,
    browser_version,
    find_chromium,
    runs_as_root,
    sandbox_attempts,
)
from forager.adapters.memory.embeddings.embedder import (
    MODEL_FOLDER,
    NO_MODEL,
    closing_embedder,
    has_model,
)
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.models.model_lines import OFFLINE
from forager.adapters.search.provider_registry import missing_settings
from forager.adapters.store.row_faults import Fault, find_row_faults
from forager.adapters.store.server import describe_server
from forager.domain.spend import Budget
from forager.errors import BusyError, ForagerError, StoreError
from forager.settings import Settings, environment_proxies
from forager.util.files import make_private_folder
from graphs.cluster.connection import measure_cluster
from graphs.reports.events import format_count
from graphs.sessions.model_choice import (
    AUTO,
    FoundModel,
    default_line,
    find_model,
    settle_models,
)
from graphs.spec.plugins import load_registry

STORED = "Stored data"
MODEL = "Language model"
MOST_FAULTS = 5
ROOT = Path(__file__).resolve().parents[2]
LEAST_FREE_BYTES = 1_000_000_000
"""More than a survey of a thousand pages, its embeddings and a few sessions take."""
REINSTALL = "Install Forager again; in a clone, delete the folder .venv and start ./run."


class Check(BaseModel):
    """A finding: `missing` keeps something from working, `off` is a choice or dispensable."""

    model_config = ConfigDict(frozen=True)

    name: str
    state: Literal["ok", "missing", "off"]
    found: str
    mend: str = ""


def run_checks(settings: Settings) -> list[Check]:
    """All checks, in the order in which a first start needs them."""
    return [
        check_python(),
        check_packages(ROOT / "requirements.lock"),
        check_folder(settings.data),
        check_stored(settings),
        check_sqlite(),
        *check_database(settings),
        *check_cluster(settings),
        check_browser(settings.chromium, no_sandbox=settings.no_sandbox),
        check_embedder(settings),
        check_model(settings),
        check_search(settings),
        *check_webhooks(settings),
        *check_proxies(settings),
        check_memory(settings),
        *check_own_nodes(settings),
    ]


def check_python() -> Check:
    found = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    return Check(name="Python", state="ok", found=found)


def check_packages(lock: Path) -> Check:
    """Whether the installed packages are those that the file `lock` pins."""
    try:
        text = lock.read_text(encoding="utf-8")
    except OSError:
        return Check(name="Packages", state="off", found="no lock file to compare with")
    pins = list(read_pins(text.splitlines()))
    differing = [pin.name for pin in pins if not is_installed(pin)]
    if differing:
        found = f"{len(differing)} of {len(pins)} are not as locked: {', '.join(differing)}"
        return Check(name="Packages", state="missing", found=found, mend=REINSTALL)
    return Check(name="Packages", state="ok", found=f"{len(pins)} packages, as locked")


def read_pins(lines: Iterable[str]) -> Iterator[Requirement]:
    """The requirements of a lock file that hold on this machine."""
    for line in lines:
        if not line[:1].isalnum():
            continue
        try:
            pin = Requirement(line.rstrip("\\ "))
        except InvalidRequirement:
            continue
        if pin.marker is None or pin.marker.evaluate():
            yield pin


def is_installed(pin: Requirement) -> bool:
    try:
        return pin.specifier.contains(version(pin.name), prereleases=True)
    except PackageNotFoundError:
        return False


def check_folder(folder: Path) -> Check:
    try:
        make_private_folder(folder)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"forager")
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check(
            name="Data folder",
            state="missing",
            found=f"{folder} cannot be written ({error.strerror})",
            mend="Make it writable, or set FORAGER_DATA to a folder that is.",
        )
    found = f"{folder}, {free / 1e9:.1f} GB free"
    if free < LEAST_FREE_BYTES:
        mend = "Make room, or set FORAGER_DATA to a folder on a larger disk."
        return Check(name="Data folder", state="missing", found=found, mend=mend)
    return Check(name="Data folder", state="ok", found=found)


def check_stored(settings: Settings) -> Check:
    """Whether sessions and their steps are whole; a quick look, which reads no pages."""
    try:
        return _describe_faults(
            find_row_faults(settings, quick=True), "nothing lost, nothing twice"
        )
    except StoreError as error:
        return Check(name=STORED, state="missing", found=error.what, mend=error.mend)


async def check_stored_whole(settings: Settings) -> Check:
    """Whether every session can be read, and every quote stands on its stored page."""
    from graphs.sessions.service import open_sessions  # noqa: PLC0415  # LangGraph takes a second
    from graphs.system.data_check import check_data  # noqa: PLC0415  # so does what it reads

    try:
        async with open_sessions(settings) as sessions:
            found = await check_data(sessions)
    except StoreError as error:
        return Check(name=STORED, state="missing", found=error.what, mend=error.mend)
    read = f"{format_count(found.sessions, 'session')}, {format_count(found.quotes, 'quote')}"
    return _describe_faults(found.faults, f"{read}, all whole")


def _describe_faults(faults: Sequence[Fault], whole: str) -> Check:
    """The first faults, and how to mend the worst kind."""
    if not faults:
        return Check(name=STORED, state="ok", found=whole)
    shown = "; ".join(f"{each.where}: {each.what}" for each in faults[:MOST_FAULTS])
    more = f" and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
    kinds = {fault.kind for fault in faults}
    if kinds == {"left"}:
        mend = "Remove what is left over: forager clean."
        return Check(name=STORED, state="off", found=f"{shown}{more}", mend=mend)
    if kinds <= {"left", "missing"}:
        mend = (
            "Ask the questions of the named sessions again, or check their JSON exports with "
            "forager verify FILE --live: pages are fetched anew. Remove what is left over: forager "
            "clean."
        )
        return Check(name=STORED, state="missing", found=f"{shown}{more}", mend=mend)
    mend = "Export the other sessions, and delete those that are named: forager delete ID."
    if any(fault.where.endswith(".sqlite") for fault in faults):
        mend = "Export the sessions that still open, and restore the file from a backup."
    return Check(name=STORED, state="missing", found=f"{shown}{more}", mend=mend)


def check_sqlite() -> Check:
    found = f"SQLite {sqlite3.sqlite_version}"
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.OperationalError:
        mend = "Use a Python whose SQLite has FTS5, as those of python.org and Debian do."
        return Check(name="SQLite", state="missing", found=f"{found} without FTS5", mend=mend)
    finally:
        connection.close()
    return Check(name="SQLite", state="ok", found=f"{found} with FTS5")


def check_browser(
    override: Path | None, *, no_sandbox: bool = False, root: bool | None = None
) -> Check:
    """Whether a page can be opened, in the browser's sandbox or, where it may, without."""
    browser = find_chromium(override)
    if browser is None and override is not None:
        mend = "Set FORAGER_CHROMIUM to a Chromium-family browser, or unset it to search for one."
        found = f"{override} is not a program"
        return Check(name="Browser", state="missing", found=found, mend=mend)
    if browser is None:
        return Check(
            name="Browser",
            state="off",
            found="no Chromium or Chrome, so no browser actions and no PDF export",
            mend="Install Chromium or Chrome, or set FORAGER_CHROMIUM to one.",
        )
    said = browser_version(browser)
    if said is None:
        mend = "Install the libraries that it needs, or another Chromium or Chrome."
        found = f"{browser} does not start"
        return Check(name="Browser", state="missing", found=found, mend=mend)
    ways = sandbox_attempts(root=runs_as_root() if root is None else root, allowed=no_sandbox)
    return _check_opening(browser, f"{said} at {browser}", ways)


def _check_opening(browser: Path, name: str, ways: tuple[bool, ...]) -> Check:
    """Whether the browser opens a page in one of these ways, with or without its sandbox."""
    if True in ways and browser_opens(browser, sandbox=True):
        return Check(name="Browser", state="ok", found=name)
    if not browser_opens(browser, sandbox=False):
        mend = "Start it by hand to see why, or set FORAGER_CHROMIUM to another browser."
        return Check(name="Browser", state="missing", found=f"{name} opens no page", mend=mend)
    if False not in ways:
        mend = "Allow user namespaces; or, if you trust every site, set FORAGER_NO_SANDBOX=true."
        found = f"{name} cannot start its sandbox, so it is not used"
        return Check(name="Browser", state="missing", found=found, mend=mend)
    mend = "To have a sandbox, run Forager as another user than root and allow user namespaces."
    found = f"{name}, without its sandbox"
    return Check(name="Browser", state="ok", found=found, mend=mend)


def check_embedder(settings: Settings) -> Check:
    """An endpoint is named but not asked; local weights are compared with their hash."""
    if settings.embedding_url:
        found = f"{settings.embedding_model} at {settings.embedding_url} (not asked)"
        return Check(name="Embedder", state="ok", found=found)
    if not has_model():
        found = f"{NO_MODEL}: ranking is lexical only"
        return Check(name="Embedder", state="missing", found=found, mend=REINSTALL)
    from forager.adapters.memory.embeddings.minilm import check_weights  # noqa: PLC0415  # onnxruntime takes 0.3 s

    try:
        check_weights(MODEL_FOLDER)
    except ForagerError as error:
        found = f"{error.what} Ranking is lexical only."
        return Check(name="Embedder", state="missing", found=found, mend=error.mend)
    return Check(name="Embedder", state="ok", found="all-MiniLM-L6-v2, weights as pinned")


def check_model(settings: Settings) -> Check:
    """The model of the settings, or what `auto` finds on this machine; none is asked."""
    line = default_line(settings)
    there = find_model(settings) if line == AUTO else FoundModel(line=line, about="as set")
    if there.line == OFFLINE:
        found = f"none ({there.about}); the offline model answers with quotes found by rules"
        mend = "Set FORAGER_MODEL, use --model, or fetch a model: forager model pull."
        return Check(name=MODEL, state="off", found=found, mend=mend)
    try:
        found = settle_models(there.line, settings, Budget())
    except ForagerError as error:
        return Check(name=MODEL, state="missing", found=error.what, mend=error.mend)
    origin = f"found at {there.about}, " if line == AUTO else ""
    return Check(name=MODEL, state="ok", found=f"{found} ({origin}not asked)")


def check_search(settings: Settings) -> Check:
    """The search providers for questions without a site; none is asked."""
    found = f"{', '.join(settings.search)} (not asked), then the pages crawled before"
    absent = [f"FORAGER_{name}".upper() for name in missing_settings(settings)]
    if absent:
        mend = f"Set {' and '.join(absent)}, or choose another provider in FORAGER_SEARCH."
        return Check(name="Web search", state="missing", found=found, mend=mend)
    return Check(name="Web search", state="ok", found=found)


def check_database(settings: Settings) -> Iterator[Check]:
    """The PostgreSQL server, where one is named."""
    place = settings.place("sessions")
    if isinstance(place, Path):
        return
    try:
        found = describe_server(place)
    except ForagerError as error:
        yield Check(name="Database", state="missing", found=error.what, mend=error.mend)
    else:
        yield Check(name="Database", state="ok", found=found)


def check_cluster(settings: Settings) -> Iterator[Check]:
    """The Ray cluster, where one is named."""
    if not settings.ray:
        return
    try:
        size = measure_cluster(settings.ray)
    except ForagerError as error:
        yield Check(name="Ray", state="missing", found=error.what, mend=error.mend)
    else:
        found = f"{size.nodes} nodes, {size.cpus:g} processors, {size.free:g} of them free"
        yield Check(name="Ray", state="ok", found=found)


def check_webhooks(settings: Settings) -> Iterator[Check]:
    """The addresses that are told of sessions, where there are any; none is asked."""
    if not settings.webhooks:
        return
    hosts = ", ".join(urlsplit(url).netloc.rpartition("@")[2] or url for url in settings.webhooks)
    faulty = [url for url in settings.webhooks if urlsplit(url).scheme not in ("http", "https")]
    if faulty:
        mend = "Write it as https://host/path in FORAGER_WEBHOOKS."
        found = f"{faulty[0]} is not an address"
        yield Check(name="Webhooks", state="missing", found=found, mend=mend)
    elif not settings.webhook_secret:
        mend = "Set FORAGER_WEBHOOK_SECRET, which the receiver checks them with."
        found = f"{hosts}, told nothing: there is no secret to sign with"
        yield Check(name="Webhooks", state="missing", found=found, mend=mend)
    else:
        yield Check(name="Webhooks", state="ok", found=f"{hosts} (not asked)")


def check_proxies(settings: Settings) -> Iterator[Check]:
    """The proxy of the settings, and those of the environment, which are not used."""
    if settings.proxy:
        where = urlsplit(settings.proxy)
        found = f"{where.hostname} for language models and embeddings; none for pages"
        yield Check(name="Proxy", state="ok", found=found)
    elif names := environment_proxies():
        mend = "To send the requests to language models through a proxy, set FORAGER_PROXY."
        found = f"{', '.join(names)} in the environment, not used"
        yield Check(name="Proxy", state="off", found=found, mend=mend)


def check_memory(settings: Settings) -> Check:
    """Whether the memory is on, where it is, and how much it holds."""
    if not settings.memory:
        mend = "Set FORAGER_MEMORY=true to turn it on."
        return Check(name="Memory", state="off", found="turned off", mend=mend)
    where = settings.chroma_url or str(settings.data / "memory")
    place = f"{where}, user {settings.user}"
    if not settings.chroma_url and not (settings.data / "memory").exists():
        return Check(name="Memory", state="ok", found=f"{place}, empty so far")
    try:
        attempts, steps = _count_memory(settings)
    except BusyError:
        found = f"{place}, in use by another process, so not opened"
        return Check(name="Memory", state="ok", found=found)
    except StoreError as error:
        return Check(name="Memory", state="missing", found=error.what, mend=error.mend)
    found = f"{place}, {format_count(attempts, 'attempt')} and {format_count(steps, 'step')}"
    return Check(name="Memory", state="ok", found=found)


def check_own_nodes(settings: Settings) -> Iterator[Check]:
    """The user's own node types, where the settings name any."""
    if not settings.own_nodes:
        return
    types = load_registry(settings)
    for fault in types.faults:
        yield Check(name="Own nodes", state="missing", found=fault.what, mend=fault.mend)
    if found := [f"{kind.name} of {kind.own}" for kind in types.values() if kind.own]:
        yield Check(name="Own nodes", state="ok", found=", ".join(found))


def _count_memory(settings: Settings) -> tuple[int, int]:
    """The attempts and steps in the user's memory. Raises StoreError."""
    with ExitStack() as stack:
        embedder = stack.enter_context(closing_embedder(settings))
        memory = stack.enter_context(closing(ChromaMemory(settings, embedder)))
        tallies = asyncio.run(memory.count_by_site()).values()
    return sum(each.episodes for each in tallies), sum(each.snippets for each in tallies)
