"""Reads the results of tools as documents."""

import json
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote, urlencode

from mcp.types import (
    CallToolResult,
    EmbeddedResource,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import JsonValue

from forager.adapters.web.read.json_page import document_of
from forager.adapters.web.read.page_reader import read_page
from forager.domain.actions import ToolDescription
from forager.domain.documents import Document, Link
from forager.domain.urls import link_target

SCHEME: Final = "mcp"
MAX_TITLE: Final = 100
MAX_WORDS: Final = 300
WRAPPED: Final = {"result"}
"""The only key of a structured result that wraps a plain value."""


def read_result(
    result: CallToolResult, tool: ToolDescription, arguments: Mapping[str, JsonValue]
) -> Document:
    """A result as a document; JSON becomes lists and tables. Raises ContentError."""
    url, title = tool_address(tool, arguments), _title(tool, arguments)
    texts = list(_texts(result))
    value = _structured(result, texts)
    if value is None:
        document = read_page("\n\n".join(texts).encode(), "text/markdown", "https://tool/")
        document = document.model_copy(update={"url": url, "title": title})
    else:
        document = document_of(value, url, title)
    left_out = sum(
        not isinstance(each, TextContent | EmbeddedResource | ResourceLink)
        for each in result.content
    )
    note = f"{left_out} pictures or sounds were left out." if left_out else document.note
    return document.model_copy(update={"links": (*document.links, *_links(result)), "note": note})


def tool_address(tool: ToolDescription, arguments: Mapping[str, JsonValue]) -> str:
    """The address that citations of a result name: mcp://server/tool?argument=value."""
    given = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in arguments.items()
    }
    query = urlencode(sorted(given.items()), quote_via=quote)
    return f"{SCHEME}://{tool.server}/{quote(tool.name)}{'?' if query else ''}{query}"


def result_words(result: CallToolResult) -> str:
    """The beginning of what a result says."""
    return " ".join(" ".join(_texts(result)).split())[:MAX_WORDS] or "it does not say why."


def _title(tool: ToolDescription, arguments: Mapping[str, JsonValue]) -> str:
    given = ", ".join(str(value) for value in arguments.values())
    title = f"{tool.label}: {given}" if given else tool.label
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1]}…"


def _texts(result: CallToolResult) -> Iterator[str]:
    for content in result.content:
        if isinstance(content, TextContent):
            yield content.text
        elif isinstance(content, EmbeddedResource) and isinstance(
            content.resource, TextResourceContents
        ):
            yield content.resource.text


def _structured(result: CallToolResult, texts: list[str]) -> JsonValue:
    """The result as a value, also if its text alone is JSON; None if it is a text."""
    value = result.structured_content
    if isinstance(value, dict) and value.keys() == WRAPPED:
        value = value["result"]
    if value is None and texts:
        parsed = [_parsed(text) for text in texts]
        value = (parsed[0] if len(parsed) == 1 else parsed) if None not in parsed else None
    return value if isinstance(value, dict | list) else None


def _parsed(text: str) -> JsonValue:
    """An object or a list that a text writes as JSON, or None."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _links(result: CallToolResult) -> Iterator[Link]:
    """Pages of the web that the result names as resources."""
    linked = [each for each in result.content if isinstance(each, ResourceLink)]
    for place, link in enumerate(linked, start=1):
        if url := link_target("", str(link.uri)):
            yield Link(
                id=place, url=url, text=link.title or link.name, context=link.description or ""
            )
