"""The tools of a server that is not there."""

from collections.abc import Mapping

from pydantic import JsonValue

from forager.domain.actions import ToolDescription
from forager.domain.documents import Document, OpenedPage
from forager.errors import ToolError
from tests.fakes import FETCHED, MemoryBlobs


class FakeTools:
    """Tools by name, each of which says its text; `called` are the calls in their order."""

    def __init__(
        self, blobs: MemoryBlobs, texts: Mapping[str, str] | None = None, *, read_only: bool = True
    ) -> None:
        self.texts = dict(texts or {})
        self.called: list[tuple[str, dict[str, JsonValue]]] = []
        self._blobs = blobs
        self._read_only = read_only

    async def describe(self, server: str, tool: str) -> ToolDescription:
        if tool not in self.texts:
            raise ToolError(f"The tool server {server} has no tool {tool!r}.")
        return ToolDescription(server=server, name=tool, read_only=self._read_only)

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> OpenedPage:
        await self.describe(server, tool)
        self.called.append((tool, dict(arguments)))
        document = Document(url=f"mcp://{server}/{tool}", title=tool, text=self.texts[tool])
        blob = self._blobs.put(document.model_dump_json().encode())
        return OpenedPage(document=document, blob=blob, fetched=FETCHED)
