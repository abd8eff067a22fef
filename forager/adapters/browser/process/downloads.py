"""What pages let download: kept apart, limited, and read where it is a document."""

import asyncio
import mimetypes
import re
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from playwright.async_api import Download, Error

from forager.adapters.browser.process.download_progress import DownloadProgress
from forager.adapters.web.read import page_reader
from forager.domain.documents import Document
from forager.errors import ContentError
from forager.settings import Settings

FOLDER: Final = "downloads"
LONGEST_NAME: Final = 120
UNFIT: Final = re.compile(r"[^\w.()+-]+")
LOOK_SECONDS: Final = 0.1


class KeptDownload(NamedTuple):
    """A download that ended: what is to be told of it, and the document that it holds."""

    note: str
    document: Document | None = None


class Downloads:
    """Keeps what a session downloads in a folder of its own below the data folder."""

    def __init__(self, settings: Settings, session: str, mask: Callable[[str], str]) -> None:
        """The names of the files go through `mask`, which takes secrets out."""
        self._settings = settings
        self._mask = mask
        self._folder = settings.data / FOLDER / session

    async def keep_download(
        self, download: Download, url: str, arrivals: DownloadProgress
    ) -> KeptDownload:
        """Wait for a download that a page at `url` began; what is too large is cancelled."""
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
        """Where it is; None if it grew too large. Raises Error."""
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
            document = page_reader.read(
                came.read_bytes(), kind if page_reader.readable(kind) else "", url
            )
        except ContentError as error:
            return KeptDownload(f"The download {name} was not kept: {error.what}")
        self._folder.mkdir(parents=True, exist_ok=True)
        kept = free_name(self._folder, name)
        shutil.copyfile(came, kept)
        return KeptDownload(f"The download {name} was read.", document)


def safe_name(suggested: str) -> str:
    """A name for a file, whatever a site suggests: no folders, nothing hidden, not too long."""
    name = unicodedata.normalize("NFKC", suggested).replace("\\", "/").rpartition("/")[2]
    name = UNFIT.sub("_", name).strip("._ ")
    stem, dot, end = name.rpartition(".")
    if not dot:
        stem, end = name, ""
    end = end[:10]
    return f"{(stem or 'download')[: LONGEST_NAME - len(end) - 1]}{dot and '.'}{end}"


def free_name(folder: Path, name: str) -> Path:
    """A path that nothing has yet."""
    path = folder / name
    number = 1
    while path.exists():
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        number += 1
    return path
