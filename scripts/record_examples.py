"""Records the examples of answers that the API's OpenAPI document shows, from a real server.

    PYTHONPATH=. .venv/bin/python scripts/record_examples.py

Calls that answer with a body whose class has an example of its own need none. The answers are cut
short, and addresses of this machine are replaced.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forager.settings import Settings
from tests.ui.conftest import PAGES
from tests.ui.server.api.contract import find_operation
from tests.ui.server.api_client import Caller, called
from ui.server.api.api_errors import FIRST_ERROR
from ui.server.handbook.handbook_site import HOST, serve_pages
from ui.server.people.account_bodies import AccountLine, TokenLine

FILE = Path(__file__).resolve().parents[1] / "ui" / "server" / "api" / "response_examples.json"
SITE, DATA = "https://lights.example.org", "/home/ada/.local/share/forager"
PYTHON = "/home/ada/forager/.venv"
WRITTEN: dict[str, Any] = {
    "list_requests": [
        {
            "id": "3f2a91c0",
            "time": 1795000000.0,
            "plea": {
                "kind": "approve",
                "what": "press “Apply”",
                "why": "It sends a form by POST.",
                "url": f"{SITE}/register",
                "picture": "",
            },
            "answer": None,
        }
    ],
    "list_recipes": [
        {"number": 1, "kept": 1795000000.0, "site": f"{SITE}/", "question": "Who built it?"}
    ],
    "show_screenshot": {
        "kind": "image/png",
        "time": 1795000000.0,
        "what": "press “Apply”",
        "url": f"{SITE}/register",
        "image": "iVBORw0KGgo=",
    },
    "list_accounts": AccountLine.model_config["json_schema_extra"]["examples"],
    "list_tokens": TokenLine.model_config["json_schema_extra"]["examples"],
}
"""What the recorded session has nothing of."""
SHARED = {
    "show_shared_session": "show_session",
    "show_shared_graph": "show_graph",
    "copy_shared_graph": "copy_graph",
}
"""Calls of accounts that answer as one of one's own things does."""
LONGEST = 160
KEPT = 2
"""So many items of a list, and of a graph's nodes, are kept."""
WIDE = frozenset({"nodes", "positions", "prompts", "parameters", "params", "apart"})
QUESTION = "Which engineer built the Skarn lighthouse, and when?"

Asked = tuple[str, str, object]
"""The method, the path and the body of a call."""


def record() -> dict[str, Any]:
    """The examples by the names of their calls."""
    pages = {path: page.encode() for path, page in PAGES.items()}
    with tempfile.TemporaryDirectory() as folder, serve_pages(pages) as root:
        settings = Settings(data=Path(folder), allow_private=(HOST,))
        with called(settings) as server:
            _prepare(server, root)
            found = dict(_record(server))
    text = json.dumps(found, ensure_ascii=False)
    for here, there in ((root.rstrip("/"), SITE), (folder, DATA), (sys.prefix, PYTHON)):
        text = text.replace(here, there)
    replaced: dict[str, Any] = {**json.loads(text), **WRITTEN}
    replaced |= {name: replaced[own] for name, own in SHARED.items()}
    return {name: cut(replaced[name]) for name in sorted(replaced)}


def _prepare(server: Caller, root: str) -> None:
    """A session, a batch, a trial and a saved graph."""
    server.ask("/api/sessions", {"question": QUESTION, "sites": [root], "session": "q07"})
    server.seen("q07", "answered")
    server.ask("/api/graphs/mine/copy", {"source": "mango"})


def _record(server: Caller) -> Iterator[tuple[str, Any]]:
    for method, path, body in _calls(server):
        answer = server.ask(path, body, method)
        operation = find_operation(method, path)
        if not operation or answer.status >= FIRST_ERROR:
            raise SystemExit(f"{method} {path}: {answer.status} {answer.body.decode()}")
        yield operation.about["operationId"], answer.json()


def _calls(server: Caller) -> Iterator[Asked]:
    session = "/api/sessions/q07"
    report = server.ask(session).json()
    site = report["evidence"][0]["url"].rpartition("/")[0]
    for part in ("", "/events", "/pleas", "/history", "/history/3", "/way", "/nodes/extract"):
        yield "GET", session + part, None
    for part in ("/state", "/map", "/spending", "/screenshot", "/draws", "/export?format=json"):
        yield "GET", session + part, None
    yield "GET", f"{session}/quotes/{report['evidence'][0]['id']}", None
    yield "POST", f"{session}/moving", {"graph": "mango", "checkpoint": 2}
    yield "POST", f"{session}/try/extract", {}
    rows = f"question,sites\n{QUESTION},{site}\n".replace(QUESTION, f'"{QUESTION}"').encode()
    yield "POST", "/api/batches?file=questions.csv", rows
    [batch] = server.ask("/api/batches").json()
    path = f"/api/batches/{batch['batch']}"
    server.ask(f"{path}/start", {})
    while server.ask(path).json()["state"] != "done":
        pass
    yield "GET", "/api/batches", None
    yield "GET", path, None
    yield "GET", f"{path}/rows", None
    asked = {"question": QUESTION, "sites": [site], "answer": "Lindqvist"}
    wanted = {"graph": "forager", "other": "webwalker", "questions": [asked]}
    trial = server.ask("/api/graphs/try", wanted).json()
    yield "GET", f"/api/graphs/try/{trial['file']}?wait=60", None
    yield "GET", "/api/graphs", None
    yield "POST", "/api/graphs/check", _broken_graph(server)
    yield "POST", "/api/graphs/diff", {"old": "forager", "new": "mango"}
    text = server.ask("/api/graphs/mine/export").body
    yield "POST", "/api/graphs/import?name=ours", text
    yield "GET", "/api/graphs/mine", None
    yield "PUT", "/api/graphs/mine", {"text": text.decode() + "\n# x\n", "base": 1}
    yield "GET", "/api/graphs/mine/versions", None
    yield "POST", "/api/graphs/mine/restore", {"version": 1}
    yield "POST", "/api/graphs/other/copy", {"source": "mine"}
    yield "PATCH", "/api/graphs/other", {"name": "another"}
    for each in ("memory", "recipes", f"search?query=lighthouse&site={site}", "cache", "doctor"):
        yield "GET", f"/api/{each}", None
    yield "DELETE", "/api/cache", None
    yield "GET", "/v1/models", None
    said = [{"role": "user", "content": QUESTION}]
    yield "POST", "/v1/chat/completions", {"model": "forager", "messages": said, "sites": [site]}


def _broken_graph(server: Caller) -> object:
    """A graph in which an edge leads nowhere."""
    spec = server.ask("/api/graphs/mango").json()["spec"]
    return {"graph": {**spec, "edges": spec["edges"][:-1]}}


def cut(value: Any, name: str = "") -> Any:
    """A value with few items in its lists, and with short texts."""
    if isinstance(value, dict):
        items = list(value.items())[: KEPT if name in WIDE else None]
        return {each: cut(inner, each) for each, inner in items}
    if isinstance(value, list):
        most = 1 if value and isinstance(value[0], dict) else KEPT
        return [cut(each, name) for each in value[:most]]
    if isinstance(value, str) and len(value) > LONGEST:
        return value[: LONGEST - 1] + "…"
    return value


if __name__ == "__main__":
    FILE.write_text(json.dumps(record(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
