"""How much of each download has come, while it comes."""

from typing import Any, Final

from playwright.async_api import CDPSession, Download, Page

IN_PROGRESS: Final = "inProgress"


class DownloadProgress:
    """The downloads of a browser, by what `devtools`, a session of the whole browser, tells.

    It is to stay attached: with it would go what it said of downloads.
    """

    def __init__(self, devtools: CDPSession, folder: str) -> None:
        """The browser keeps what comes in a folder, where Playwright looks for it."""
        self._devtools = devtools
        self._folder = folder
        self._named: dict[str, tuple[str, str]] = {}
        self._came: dict[str, int] = {}
        devtools.on("Browser.downloadWillBegin", self._on_begin)
        devtools.on("Browser.downloadProgress", self._on_progress)

    async def follow_context(self, page: Page) -> None:
        """Listen to the downloads of a page's context. Raises Playwright's Error."""
        session = await page.context.new_cdp_session(page)
        told = await session.send("Target.getTargetInfo")
        await session.detach()
        told = {
            "behavior": "allowAndName",
            "browserContextId": told["targetInfo"]["browserContextId"],
            "downloadPath": self._folder,
            "eventsEnabled": True,
        }
        await self._devtools.send("Browser.setDownloadBehavior", told)

    def received_bytes(self, download: Download) -> int:
        """Bytes; of the largest where several have its address and name."""
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
