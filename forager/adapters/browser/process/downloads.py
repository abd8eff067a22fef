"""Downloads: watched as they arrive, limited in size, kept in their own folder, and read."""

import asyncio
import mimetypes
import re
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.async_api import CDPSession, Download, Error, Page

from forager.adapters.browser.playwright_calls import read_context_id
from forager.adapters.web.read import page_reader
from forager.data_folder import DOWNLOADS
from forager.domain.documents import Document
from forager.errors import ContentError
from forager.settings import Settings
from forager.util.files import make_private_folder

IN_PROGRESS: Final = "inProgress"


class DownloadProgress:
    """Tracks the progress of a browser's downloads, reported by its DevTools session.

    The session must stay attached, or the browser stops reporting.
    """

    def __init__(self, devtools: CDPSession, folder: str) -> None:
        """`folder` is where the browser puts downloads and Playwright looks for them."""
        self._devtools = devtools
        self._folder = folder
        self._named: dict[str, tuple[str, str]] = {}
        self._came: dict[str, int] = {}
        devtools.on("Browser.downloadWillBegin", self._on_begin)
        devtools.on("Browser.downloadProgress", self._on_progress)

    async def follow_context(self, page: Page) -> None:
        """Report the downloads of a page's context, too. Raises Playwright's Error."""
        behavior = {
            "behavior": "allowAndName",
            "browserContextId": await read_context_id(page),
            "downloadPath": self._folder,
            "eventsEnabled": True,
        }
        await self._devtools.send("Browser.setDownloadBehavior", behavior)

    def received_bytes(self, download: Download) -> int:
        """The bytes received so far; the maximum if several downloads share URL and name."""
        named = download.url, download.suggested_filename
        return max(
            (size for guid, size in self._came.items() if self._named.get(guid) == named), default=0
        )

    def _on_begin(self, told: dict[str, Any]) -> None:
        self._named[told["guid"]] = told["url"], told["suggestedFilename"]

    def _on_progress(self, told: dict[str, Any]) -> None:
        guid = told["guid"]
        if told["state"] == IN_PROGRESS:
            self._came[guid] = int(told["receivedBytes"])
        else:
            self._named.pop(guid, None)
            self._came.pop(guid, None)


LONGEST_NAME: Final = 120
UNFIT: Final = re.compile(r"[^\w.()+-]+")
LOOK_SECONDS: Final = 0.1


class KeptDownload(NamedTuple):
    """A finished download: a note about it, and the document in it, if any."""

    note: str
    document: Document | None = None


class Downloads:
    """Keeps a session's downloads in a folder of its own below the data folder."""

    def __init__(self, settings: Settings, session: str, mask: Callable[[str], str]) -> None:
        """`mask` removes secrets from file names."""
        self._settings = settings
        self._mask = mask
        self._folder = settings.data / DOWNLOADS / session

    async def keep_download(
        self, download: Download, url: str, arrivals: DownloadProgress
    ) -> KeptDownload:
        """Wait for a download that a page at `url` began; cancel it if it is too large."""
        name = safe_name(self._mask(download.suggested_filename))
        try:
            async with asyncio.timeout(self._settings.request_seconds):
                came = await self._wait_for_file(download, arrivals)
        except TimeoutError:
            await download.cancel()
            return KeptDownload(f"The download {name} took too long and was cancelled.")
        except Error as error:
            return KeptDownload(f"The download {name} failed: {error.message.splitlines()[0]}.")
        if came is None:
            most = self._settings.max_bytes
            return KeptDownload(
                f"The download {name} is larger than {most:,} bytes and was cancelled."
            )
        try:
            return await asyncio.to_thread(self._read_file, came, name, url)
        finally:
            await download.delete()

    async def _wait_for_file(self, download: Download, arrivals: DownloadProgress) -> Path | None:
        """The downloaded file; None if it grew too large. Raises Playwright's Error."""
        most = self._settings.max_bytes
        ending = asyncio.create_task(download.path())
        try:
            while not ending.done():
                await asyncio.wait({ending}, timeout=LOOK_SECONDS)
                if not ending.done() and arrivals.received_bytes(download) > most:
                    await download.cancel()
                    return None
            path = await ending
        finally:
            ending.cancel()
            await asyncio.gather(ending, return_exceptions=True)
        if path.stat().st_size <= most:
            return path
        await download.delete()
        return None

    def _read_file(self, came: Path, name: str, url: str) -> KeptDownload:
        kind = mimetypes.guess_type(name)[0] or ""
        try:
            document = page_reader.read_page(
                came.read_bytes(), kind if page_reader.is_readable(kind) else "", url
            )
        except ContentError as error:
            return KeptDownload(f"The download {name} was not kept: {error.what}")
        make_private_folder(self._folder)
        kept = free_name(self._folder, name)
        kept.touch(mode=0o600)
        shutil.copyfile(came, kept)
        return KeptDownload(f"The download {name} was read.", document)


def safe_name(suggested: str) -> str:
    """A safe file name for a suggested one: no folders, not hidden, not too long."""
    name = unicodedata.normalize("NFKC", suggested).replace("\\", "/").rpartition("/")[2]
    name = UNFIT.sub("_", name).strip("._ ")
    stem, dot, end = name.rpartition(".")
    if not dot:
        stem, end = name, ""
    end = end[:10]
    return f"{(stem or 'download')[: LONGEST_NAME - len(end) - 1]}{dot and '.'}{end}"


def free_name(folder: Path, name: str) -> Path:
    """A path in `folder` that does not exist yet."""
    path = folder / name
    number = 1
    while path.exists():
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        number += 1
    return path
