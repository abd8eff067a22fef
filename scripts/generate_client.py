"""Writes the generated part of `forager.client` from the API's OpenAPI document.

    PYTHONPATH=. .venv/bin/python scripts/generate_client.py

`forager/client/api_models.py` has a class for each schema, `api_calls.py` a method for each call,
once to be called and once to be awaited. They are committed; a test proves that they are what this
writes.
"""

import keyword
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill, indent
from typing import Any

from pydantic import BaseModel

from ui.server.api.json_api import build_api

FOLDER = Path(__file__).resolve().parents[1] / "forager" / "client"
MADE = "Made by scripts/generate_client.py from the OpenAPI document; do not edit."
METHODS = ("get", "post", "put", "patch", "delete")
JSON, EVENTS, LINES = "application/json", "text/event-stream", "application/x-ndjson"
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
WIDTH = 92
PLAIN_NAME = re.compile(r"[a-z][a-z0-9_]*")

Schema = Mapping[str, Any]


def generate(document: Schema) -> dict[str, str]:
    """The text of each generated module, by its name."""
    return {
        "api_models.py": _format("\n".join(_write_models(document))),
        "api_calls.py": _format("\n".join(_write_calls(document))),
    }


def _format(text: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "format", "--stdin-filename", str(FOLDER / "made.py"), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


def _type_of(schema: Schema, place: str = "") -> str:  # noqa: PLR0911
    """The type of a value; `place` goes before the names of models."""
    if reference := schema.get("$ref"):
        return place + str(reference).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(map(repr, values))}]"
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " | ".join(dict.fromkeys(_type_of(each, place) for each in schema[choice]))
    kind = schema.get("type")
    if kind == "array":
        return _list_type(schema, place)
    if kind == "object":
        extra = schema.get("additionalProperties")
        return f"dict[str, {_type_of(extra, place) if isinstance(extra, dict) else 'Any'}]"
    if kind == "string" and schema.get("format") == "date-time":
        return "datetime"
    return SIMPLE.get(str(kind), "Any")


def _list_type(schema: Schema, place: str) -> str:
    """A list, or for parallel items tuples of each length that there can be."""
    items = schema.get("prefixItems")
    if items is None:
        return f"list[{_type_of(schema.get('items', {}), place)}]"
    least = schema.get("minItems", len(items))
    kinds = [_type_of(each, place) for each in items]
    lengths = range(least, len(kinds) + 1)
    return " | ".join(f"tuple[{', '.join(kinds[:length])}]" for length in lengths)


def _docstring(text: str, depth: int) -> str:
    """A docstring, with its quotes, at a depth of indentation."""
    paragraphs = [fill(" ".join(each.split()), WIDTH) for each in text.split("\n\n")]
    body = "\n\n".join(paragraphs).replace("\\", "\\\\")
    closing = "\n" if "\n" in body or len(body) > WIDTH - 6 else ""
    return indent(f'"""{body}{closing}"""', " " * 4 * depth)


def _write_models(document: Schema) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    yield f'"""The bodies of the API\'s requests and answers.\n\n{MADE}\n"""'
    yield "from __future__ import annotations\n"
    yield "from datetime import datetime\nfrom typing import Any, Literal\n"
    yield "from pydantic import BaseModel, ConfigDict, Field\n"
    for name, schema in schemas.items():
        if "properties" not in schema:
            yield f"{name} = {_type_of(schema)}\n"
    yield "class ApiModel(BaseModel):"
    yield '    """A body; members that a newer server adds are kept."""\n'
    yield "    model_config = ConfigDict(\n"
    yield '        allow_inf_nan=False, extra="allow", frozen=True, populate_by_name=True\n'
    yield "    )\n"
    for name, schema in schemas.items():
        if "properties" in schema:
            yield f"\nclass {name}(ApiModel):"
            yield _docstring(schema.get("description") or f"{name}.", 1) + "\n"
            yield from _write_fields(schema)


def _write_fields(schema: Schema) -> Iterator[str]:
    required = schema.get("required", ())
    for name, each in schema["properties"].items():
        kind, python = _type_of(each), _python_name(name)
        more = [f"alias={name!r}"] if python != name else []
        if name not in required:
            if "default" not in each:
                kind = kind if "None" in kind.split(" | ") else f"{kind} | None"
            more.insert(0, _default_of(each))
        value = f" = Field({', '.join(more)})" if more else ""
        if len(more) == 1 and more[0].startswith("default="):
            value = f" = {more[0].removeprefix('default=')}"
        yield f"    {python}: {kind}{value}"
        if description := each.get("description"):
            yield _docstring(description, 1)


def _default_of(schema: Schema) -> str:
    """The default of a member that may be left out."""
    default = schema.get("default")
    if default in ([], {}):
        return f"default_factory={type(default).__name__}"
    if isinstance(default, list | dict):
        kind = _type_of(schema)
        if kind.startswith("tuple["):
            return f"default={tuple(default)!r}"
        made = f"{kind}.model_validate({default!r})" if kind.isidentifier() else repr(default)
        return f"default_factory=lambda: {made}"
    return f"default={default!r}"


def _python_name(name: str) -> str:
    """A name that may be that of a member in Python."""
    plain = name.replace("-", "_").lower()
    taken = keyword.iskeyword(plain) or hasattr(BaseModel, plain)
    return f"{plain}_" if taken or not PLAIN_NAME.fullmatch(plain) else plain


def _write_calls(document: Schema) -> Iterator[str]:
    yield f'"""The calls of the API.\n\n{MADE}\n"""'
    yield "from collections.abc import AsyncIterator, Iterator\nfrom typing import Any, Literal\n"
    yield "from forager.client import api_models as models"
    yield "from forager.client.transport import AsyncTransport, Call, Transport\n"
    operations = [
        (method.upper(), path, methods[method])
        for path, methods in document["paths"].items()
        for method in METHODS
        if method in methods
    ]
    for awaited in (False, True):
        name = "AsyncCalls" if awaited else "Calls"
        yield f"class {name}({'AsyncTransport' if awaited else 'Transport'}):"
        yield f'    """Every call of the API{", to be awaited" if awaited else ""}."""\n'
        for method, path, about in operations:
            yield from _write_method(method, path, about, awaited=awaited)


def _write_method(method: str, path: str, about: Schema, *, awaited: bool) -> Iterator[str]:
    kind, reading, streams = _reading(about, awaited=awaited)
    define = "async def" if awaited and not streams else "def"
    wait = "await " if awaited and not streams else ""
    own, named, call = _arguments(method, path, about)
    stars = ["*", *named] if named else []
    yield f"    {define} {about['operationId']}({', '.join(['self', *own, *stars])}) -> {kind}:"
    yield _docstring(f"{about['summary']}.\n\n{about['description']}", 2)
    yield f"        call = {call}"
    if streams or kind in {"str", "bytes"}:
        yield f"        return {wait}self.{reading}\n"
        return
    yield f"        answer: {kind} = {wait}self.{reading}"
    yield "        return answer\n"


def _arguments(method: str, path: str, about: Schema) -> tuple[list[str], list[str], str]:
    """The arguments by place and by name, and the call that is made of them."""
    own: list[str] = []
    named: list[str] = []
    query: list[str] = []
    headers: list[str] = []
    for each in about.get("parameters", ()):
        python = _python_name(each["name"])
        if each["in"] == "path":
            own.append(f"{python}: {_type_of(each['schema'])}")
            continue
        kind = _type_of(each["schema"], "models.")
        kind = kind if "None" in kind.split(" | ") else f"{kind} | None"
        named.append(f"{python}: {kind} = None")
        (query if each["in"] == "query" else headers).append(f"{each['name']!r}: {python}")
    more = []
    if content := about.get("requestBody", {}).get("content"):
        if JSON in content:
            kind = _type_of(content[JSON]["schema"], "models.")
            need = "" if about["requestBody"].get("required") else " | None = None"
            own.append(f"body: {kind}{need}")
            more.append("body=body")
        else:
            own.append("content: bytes")
            more.append("content=content")
    if query:
        more.append(f"query={{{', '.join(query)}}}")
    if headers:
        more.append(f"headers={{{', '.join(headers)}}}")
    places = re.findall(r"\{(\w+)\}", path)
    if places:
        more.insert(0, f"places=({', '.join(map(_python_name, places))},)")
        path = re.sub(r"\{\w+\}", "{}", path)
    return own, named, f"Call({', '.join([repr(method), repr(path), *more])})"


def _reading(about: Schema, *, awaited: bool) -> tuple[str, str, bool]:
    """The type of the answer, how it is read, and whether it is a stream."""
    content = next(
        response["content"] for status, response in about["responses"].items() if status < "300"
    )
    iterator = "AsyncIterator" if awaited else "Iterator"
    if set(content) == {EVENTS}:
        kinds = _event_kinds(content[EVENTS]["itemSchema"])
        kind = " | ".join(f"models.{each}" for each in kinds.values())
        listed = ", ".join(f"{event!r}: models.{model}" for event, model in kinds.items())
        return f"{iterator}[{kind}]", f"read_events(call, {{{listed}}})", True
    if set(content) == {LINES}:
        return f"{iterator}[dict[str, Any]]", "read_lines(call)", True
    if JSON in content and set(content) <= {JSON, EVENTS}:
        kind = _type_of(content[JSON]["schema"], "models.")
        return kind, f"read_json(call, {kind})", False
    if all(each["schema"] == {"type": "string"} for each in content.values()):
        return "str", "read_text(call)", False
    return "bytes", "read_bytes(call)", False


def _event_kinds(schema: Schema) -> dict[str, str]:
    """The models of a stream's events by their names; of all others by an empty name.

    Faults are left out: they are raised.
    """
    found = {}
    for each in schema["oneOf"]:
        event = each["properties"]["event"].get("const", "")
        if event != "fault":
            found[event] = _type_of(each["properties"]["data"]["contentSchema"])
    return found


def main() -> None:
    """Write the modules."""
    for name, text in generate(build_api().openapi()).items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
