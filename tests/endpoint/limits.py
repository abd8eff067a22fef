"""Faults that stand: what a model or a server cannot do, and in which words it says so."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tests.endpoint.counts import CHARACTERS, tokens
from tests.endpoint.errors import body, error
from tests.endpoint.faults import Fault, Serve
from tests.endpoint.request import Asked, Json
from tests.endpoint.wire import Answer

Server = Literal["openai", "vllm", "vllm-flat", "llama.cpp", "ollama"]


@dataclass(frozen=True)
class Overflow(Fault):
    """400 while the prompt is longer than so many characters; then it is served."""

    limit_chars: int
    server: Server = "openai"
    standing: ClassVar[bool] = True

    def applies(self, asked: Asked) -> bool:
        return len(asked.text) > self.limit_chars

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        used, limit = tokens(asked.text), self.limit_chars // CHARACTERS
        return error(400, _overflow(self.server, used, limit))


def _overflow(server: Server, used: int, limit: int) -> Json:
    length = f"This model's maximum context length is {limit} tokens. However, "
    match server:
        case "openai":
            text = f"{length}your messages resulted in {used} tokens. Please reduce the length."
            return body(text, "invalid_request_error", "messages", "context_length_exceeded")
        case "vllm" | "vllm-flat":
            text = f"{length}your request has {used} input tokens. Please reduce the length."
            return _vllm(text, flat=server == "vllm-flat")
        case "llama.cpp":
            text = "the request exceeds the available context size, try increasing it"
            fields = {"code": 400, "message": text, "type": "exceed_context_size_error"}
            return {"error": fields | {"n_prompt_tokens": used, "n_ctx": limit}}
        case "ollama":
            return body("the input length exceeds the context length", "api_error")


@dataclass(frozen=True)
class NoSchema(Fault):
    """400 for a response format with a JSON schema."""

    server: Literal["openai", "vllm-flat", "compatible"] = "openai"
    standing: ClassVar[bool] = True

    def applies(self, asked: Asked) -> bool:
        return asked.way == "schema"

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        if self.server == "openai":
            text = (
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with "
                "this model."
            )
            return error(400, body(text, "invalid_request_error"))
        if self.server == "vllm-flat":
            place = "'loc': ('body', 'response_format', 'type')"
            wish = "\"Input should be 'text' or 'json_object'\""
            text = f"[{{'type': 'literal_error', {place}, 'msg': {wish}, 'input': 'json_schema'}}]"
            return error(400, _vllm(text, flat=True))
        text = "invalid value: `json_schema`, supported values are: `json_object` and `text`."
        return error(400, body(text, "BadRequest", "response_format.type", "InvalidParameter"))


@dataclass(frozen=True)
class NoTools(Fault):
    """Tools are refused: with 400, by llama.cpp without templates with 500."""

    server: Literal["ollama", "vllm-flat", "llama.cpp"] = "ollama"
    standing: ClassVar[bool] = True

    def applies(self, asked: Asked) -> bool:
        return bool(asked.body.get("tools"))

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        match self.server:
            case "ollama":
                text = f"registry.ollama.ai/library/{asked.model} does not support tools"
                return error(400, body(text, "api_error"))
            case "vllm-flat":
                text = "tool choice requires --enable-auto-tool-choice and --tool-call-parser"
                return error(400, _vllm(text, flat=True))
            case "llama.cpp":
                text = "tools param requires --jinja flag"
                return error(500, {"error": {"code": 500, "message": text, "type": "server_error"}})


@dataclass(frozen=True)
class NoPictures(Fault):
    """Images are refused."""

    server: Literal["openai", "vllm", "llama.cpp", "ollama", "openrouter", "deepseek"] = "openai"
    standing: ClassVar[bool] = True

    def applies(self, asked: Asked) -> bool:
        return bool(asked.pictures)

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        status, text = {
            "openai": (400, "Invalid content type. image_url is only supported by certain models."),
            "vllm": (400, f"{asked.model} is not a multimodal model"),
            "llama.cpp": (500, "image input is not supported - hint: you may need the mmproj"),
            "ollama": (500, "this model is missing data required for image input"),
            "openrouter": (404, "No endpoints found that support image input"),
            "deepseek": (422, "unknown variant `image_url`, expected `text`"),
        }[self.server]
        return error(status, body(text, "invalid_request_error"))


@dataclass(frozen=True)
class NoStreamOptions(Fault):
    """400 for `stream_options`."""

    standing: ClassVar[bool] = True

    def applies(self, asked: Asked) -> bool:
        return "stream_options" in asked.body

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        text = "Unknown parameter: 'stream_options'."
        return error(
            400, body(text, "invalid_request_error", "stream_options", "unknown_parameter")
        )


def _vllm(text: str, *, flat: bool) -> Json:
    """Older versions put an error flat into the body."""
    fields = {"message": text, "type": "BadRequestError", "param": None, "code": 400}
    return {"object": "error"} | fields if flat else {"error": fields}
