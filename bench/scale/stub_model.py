"""A stand-in for a language model on loopback: it answers each role by shared words, after a while.

It speaks OpenAI's protocol, so that a run does all that it does with a real model.
"""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from bench.browser.loopback import serve_handler
from bench.prompt_sections import prompt_sections

MODEL = "openai:stub"
LATENCY_SECONDS = 0.5
ROLE = re.compile(r"You are the (\w+) of")
MARK = re.compile(r"\[\[(material|end) \w+\]\]")
"""The marks around material have a number drawn for each call."""
WORD = re.compile(r"\w{3,}")
LINK = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
ENTRY = re.compile(r"^\[(\w+)\] .*\n((?:> .*\n?)+)", re.MULTILINE)
SENTENCE = re.compile(r"[^\n.!?]{20,}[.!?]?")
COMMON = {"the", "and", "for", "was", "what", "which", "how", "does", "did", "many", "have", "had"}
ENOUGH = 0.5
Json = dict[str, Any]
Prompt = Mapping[str, str]


@dataclass
class StubModel:
    """The calls so far, by role, and how often each was asked word for word."""

    latency: float = LATENCY_SECONDS
    url: str = ""
    roles: Counter[str] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    tokens: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def repeated(self) -> int:
        """Calls that were asked before, word for word."""
        return self.asked.total() - len(self.asked)

    def reply(self, body: Json) -> str:
        """The text of a reply, after the latency."""
        time.sleep(self.latency)
        texts = [_text_of(message) for message in body["messages"]]
        found = ROLE.search(texts[0])
        role = found[1] if found else ""
        with self.lock:
            self.roles[role] += 1
            self.asked[hash(MARK.sub(r"\1", "\n".join(texts)))] += 1
            self.tokens += sum(map(len, texts)) // 4
        return json.dumps(ROLES[role](prompt_sections(texts[1]))) if role in ROLES else "{}"


@contextmanager
def serve_stub_model(latency: float = LATENCY_SECONDS) -> Iterator[StubModel]:
    """Serve a model in threads of this process."""
    model = StubModel(latency)
    with serve_handler(_make_handler(model)) as root:
        model.url = f"{root}/v1"
        yield model


def _make_handler(model: StubModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send("application/json", json.dumps({"data": [{"id": "stub"}]}))

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            if len(sent := self.rfile.read(size)) < size:
                return  # its client was killed
            body = json.loads(sent)
            text = model.reply(body)
            if not body.get("stream"):
                self._send("application/json", json.dumps(_completion(body, text)))
                return
            chunk = _completion(body, text, streamed=True)
            self._send("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")

        def _send(self, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def handle(self) -> None:
            with suppress(ConnectionError):
                super().handle()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing: standard error shows the progress."""

    return Handler


def _completion(body: Json, text: str, *, streamed: bool = False) -> Json:
    said = {"role": "assistant", "content": text}
    asked, told = sum(len(_text_of(each)) for each in body["messages"]) // 4, len(text) // 4
    return {
        "id": "stub",
        "object": "chat.completion.chunk" if streamed else "chat.completion",
        "created": int(time.time()),
        "model": body.get("model", "stub"),
        "choices": [
            {"index": 0, "finish_reason": "stop", "delta" if streamed else "message": said}
        ],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": told,
            "total_tokens": asked + told,
        },
    }


def _text_of(message: Json) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _words(text: str) -> set[str]:
    return {word for word in WORD.findall(text.lower()) if word not in COMMON}


def _overlap(asked: str, text: str) -> float:
    wanted = _words(asked)
    return len(wanted & _words(text)) / (len(wanted) or 1)


def _plan(prompt: Prompt) -> Json:
    ask = {"ask": prompt["Question"], "search": "", "needs": 0, "row": "", "column": ""}
    return {"asks": [ask], "context": ""}


def _choose(prompt: Prompt) -> Json:
    links = LINK.findall(prompt.get("Its links", ""))
    best = max(links, key=lambda link: _overlap(prompt["Still open"], link[1]), default=None)
    choice = int(best[0]) if best and _overlap(prompt["Still open"], best[1]) else -2
    return {"choice": choice, "reason": "it shares most words with what is open"}


def _copy(prompt: Prompt) -> Json:
    parts = [line[2:].split(": ", 1) for line in prompt["Parts"].splitlines()]
    sentences = [found[0].strip() for found in SENTENCE.finditer(prompt["Text"])]
    passages: list[Json] = []
    for part, asked in parts:
        best = max(sentences, key=lambda each: _overlap(asked, each), default="")
        if share := _overlap(asked, best):
            passages.append({"part": part, "quote": best, "confidence": share})
    return {"passages": passages}


def _edit(prompt: Prompt) -> Json:
    count = len(ENTRY.findall(prompt["New passages"]))
    known = f"{prompt['Ledger']}\n{prompt['New passages']}"
    parts = [line[2:] for line in prompt["Parts"].splitlines()]
    return {
        "edits": [{"op": "ADD", "passage": at, "entry": ""} for at in range(1, count + 1)],
        "open": [part for part in parts if not _strong(part.partition(": ")[2], known)],
    }


def _judge(prompt: Prompt) -> Json:
    strong = _strong(prompt["Look-up"], prompt["Quotes"])
    ids = [line[2:].partition(":")[0] for line in prompt["Its ids"].splitlines()]
    return {"quotes": strong, "covered": ids if strong else [], "reason": ""}


def _reflect(prompt: Prompt) -> Json:
    return {"outcome": "partial", "lesson": "Look elsewhere."}


def _write(prompt: Prompt) -> Json:
    entries = {id: text.replace("> ", "").strip() for id, text in ENTRY.findall(prompt["Quotes"])}
    best = max(entries, key=lambda id: _overlap(prompt["Question"], entries[id]), default="")
    if not best:
        return {"text": "", "open": [prompt["Question"]]}
    return {"text": f"{' '.join(entries[best].split())} [{best}]", "open": []}


def _strong(asked: str, quotes: str) -> list[str]:
    return [id for id, text in ENTRY.findall(quotes) if _overlap(asked, text) >= ENOUGH]


ROLES: dict[str, Callable[[Prompt], Json]] = {
    "surveyor": _plan,
    "navigator": _choose,
    "extractor": _copy,
    "aggregator": _edit,
    "critic": _judge,
    "reflector": _reflect,
    "answerer": _write,
}
