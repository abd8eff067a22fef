"""A language model on loopback that gives each request the recorded reply to the nearest one.

With it a run is recorded anew after the words of a prompt have changed, and nothing that the
replies depend on.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple

from bench.browser.loopback import serve_handler
from forager.adapters.recording.model_recording import FILE
from forager.adapters.recording.tape import PlayedTape

CHARACTERS_A_TOKEN = 4


class KeptReply(NamedTuple):
    """The lines of a recorded request, and its reply."""

    lines: frozenset[str]
    text: str


def read_replies(folder: Path) -> list[KeptReply]:
    """The replies of all recordings in a folder. Raises UsageError."""
    tapes = [PlayedTape(path) for path in sorted(folder.glob(f"*/{FILE}"))]
    return [
        KeptReply(_request_lines(tape.asked[key]["messages"]), reply["text"])
        for tape in tapes
        for key, replies in tape.replies.items()
        for reply in replies
        if "text" in reply
    ]


@contextmanager
def serve_replies(replies: Sequence[KeptReply]) -> Iterator[str]:
    """Serve recorded replies as an OpenAI-compatible endpoint; its address, up to /v1."""
    with serve_handler(partial(_ReplyHandler, replies=replies)) as address:
        yield f"{address}/v1"


def nearest_reply(replies: Sequence[KeptReply], messages: Sequence[Mapping[str, Any]]) -> str:
    """The reply to the request that shares most of its lines with these messages."""
    asked = _request_lines(messages)
    return max(replies, key=lambda one: len(one.lines & asked) / len(one.lines | asked)).text


def _request_lines(messages: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(line for message in messages for line in str(message["content"]).splitlines())


def _estimate_tokens(written: object) -> int:
    """The tokens of messages; no tokenizer counts them here."""
    return len(json.dumps(written)) // CHARACTERS_A_TOKEN


class _ReplyHandler(BaseHTTPRequestHandler):
    def __init__(self, *args: Any, replies: Sequence[KeptReply]) -> None:
        self._replies = replies
        super().__init__(*args)

    def do_POST(self) -> None:
        """Answer a chat completion as a stream of one piece."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = nearest_reply(self._replies, body["messages"])
        delta = {"role": "assistant", "content": text}
        asked, given = _estimate_tokens(body["messages"]), _estimate_tokens(delta)
        tokens = {
            "prompt_tokens": asked,
            "completion_tokens": given,
            "total_tokens": asked + given,
        }
        chunk = {
            "id": "kept",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": body["model"],
            "choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}],
            "usage": tokens,
        }
        stream = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(stream)))
        self.end_headers()
        self.wfile.write(stream)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not logged."""
