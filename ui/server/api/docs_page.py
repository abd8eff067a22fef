"""The page at /docs: the OpenAPI document as one HTML page that loads nothing."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ui.server.api.api_errors import EXAMPLES, FIRST_ERROR, JSON
from ui.server.handbook.markdown_pages import INDEX, parse_page, render_pages
from ui.server.handbook.reference_pages import table_head, table_row

Schema = Mapping[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
REFERENCE = "#/components/schemas/"
MODEL = re.compile(rf"{REFERENCE}(\w+)")


def render_docs(document: Schema) -> str:
    """The HTML of an OpenAPI document."""
    markdown = "\n".join(_write_document(document)) + "\n"
    return render_pages({INDEX: parse_page(markdown)})["/"].decode()


def _write_document(document: Schema) -> Iterator[str]:
    about = document["info"]
    yield f"# {about['title']} API {about['version']}"
    yield from ("", about["description"])
    yield "The OpenAPI document for tools is at `/openapi.json`."
    for tag in document["tags"]:
        yield from ("", f"## {tag['name'].capitalize()}", "", tag["description"])
        for path, methods in document["paths"].items():
            for method in METHODS:
                if tag["name"] in methods.get(method, {}).get("tags", ()):
                    yield from _write_operation(method, path, methods[method])
    yield from _write_errors()
    yield from ("", "## Schemas")
    for name, schema in document["components"]["schemas"].items():
        yield from _write_schema(name, schema)


def _write_operation(method: str, path: str, operation: Schema) -> Iterator[str]:
    yield from ("", f"### {operation['summary']}", "", f"`{method.upper()} {path}`", "")
    yield operation.get("description", "")
    if parameters := operation.get("parameters"):
        yield from ("", *table_head("parameter", "in", "type", "meaning"))
        for each in parameters:
            required = "" if each["in"] == "path" or not each.get("required") else " (required)"
            kind = describe_type(each["schema"]) + required
            yield table_row(f"`{each['name']}`", each["in"], kind, each.get("description", ""))
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from ("", f"Body, `{media}`: {describe_type(content.get('schema', {}))}")
    yield from ("", *table_head("status", "meaning", "answer"))
    for status, response in operation["responses"].items():
        if int(status) < FIRST_ERROR:
            answers = (
                f"`{media}` {_describe_content(content)}"
                for media, content in response.get("content", {}).items()
            )
            yield table_row(status, response["description"], ", ".join(answers))
    errors = [status for status in operation["responses"] if int(status) >= FIRST_ERROR]
    if errors:
        yield table_row(", ".join(errors), "see Errors", "")


def _describe_content(content: Schema) -> str:
    """The type of a body; of a stream the models that its items may be."""
    if items := content.get("itemSchema"):
        models = dict.fromkeys(MODEL.findall(json.dumps(items)))
        return f"stream of {' or '.join(models)}"
    return describe_type(content.get("schema", {}))


def _write_errors() -> Iterator[str]:
    """What each status means, once for all calls."""
    yield from ("", "## Errors", "", *table_head("status", "meaning", "answer"))
    for status, (meaning, model, _) in EXAMPLES.items():
        yield table_row(str(status), meaning, f"`{JSON}` {model.__name__}")


def _write_schema(name: str, schema: Schema) -> Iterator[str]:
    yield from ("", f"### {name}", "", schema.get("description", ""))
    required = schema.get("required", ())
    if properties := schema.get("properties"):
        yield from ("", *table_head("member", "type", "meaning"))
        for member, each in properties.items():
            kind = describe_type(each) + ("" if member in required else ", optional")
            yield table_row(f"`{member}`", kind, each.get("description", ""))
    for example in schema.get("examples", ()):
        text = json.dumps(example, indent=2, ensure_ascii=False)
        yield from ("", "```json", text, "```")


def describe_type(schema: Schema) -> str:
    """A schema in a few words."""
    if reference := schema.get("$ref"):
        return str(reference).removeprefix(REFERENCE)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(map(describe_type, schema[choice])))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(json.dumps(value) for value in values)
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {describe_type(schema.get('items', {}))}"
    extra = schema.get("additionalProperties")
    if kind == "object" and isinstance(extra, dict):
        return f"object of {describe_type(extra)}"
    return str(kind)
