"""The bodies of chat completions, in OpenAI's shapes."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from forager.domain.spend import Budget
from ui.server.api.request_models import Addresses, GraphName, Text

MOST_MESSAGES = 1_000


class ChatBody(BaseModel):
    """A body whose members are described by their docstrings."""

    model_config: ClassVar[ConfigDict] = ConfigDict(use_attribute_docstrings=True)


class ContentPart(ChatBody):
    """A part of a message; only texts can be read."""

    type: str
    """`text`; anything else is refused."""
    text: Text = ""
    """The text."""


class ChatMessage(ChatBody):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    """Who wrote it."""
    content: Text | Annotated[list[ContentPart], Field(max_length=100)] | None = None
    """What it says."""

    @property
    def words(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(ChatBody):
    """Options of a stream."""

    include_usage: bool = False
    """Whether the last chunk tells the usage."""


class ResponseFormat(ChatBody):
    """The format of the answer."""

    type: str = "text"
    """Only `text` can be written."""


class ChatRequest(ChatBody):
    """A conversation whose last message is a question; OpenAI's other options change nothing."""

    model_config = ConfigDict(
        use_attribute_docstrings=True,
        allow_inf_nan=False,
        json_schema_extra={
            "examples": [
                {
                    "model": "forager",
                    "messages": [
                        {
                            "role": "user",
                            "content": "Which engineer built the Skarn lighthouse? "
                            "https://lights.example.org/",
                        }
                    ],
                }
            ]
        },
    )
    model: GraphName = "forager"
    """A graph: a preset, a saved graph, or a version of one."""
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    """The conversation; the last message is the user's."""
    stream: bool = False
    """Whether the answer is sent as server-sent events."""
    stream_options: StreamOptions | None = None
    """Options of the stream."""
    n: int | None = None
    """How many answers; only 1 is possible."""
    seed: int | None = None
    """The seed of every random draw."""
    response_format: ResponseFormat | None = None
    """Only text is possible."""
    sites: Addresses = ()
    """The front pages of the sites to read. Without it, the addresses in the messages are."""
    budget: Budget | None = None
    """Limits of this question."""


class UrlCitation(ChatBody):
    """Where a mark of the answer leads, and the quote behind it."""

    start_index: int
    """Where the mark begins in the content, in characters."""
    end_index: int
    """Where it ends."""
    url: str
    title: str
    quote: str
    """The words of the page; OpenAI has no such member."""


class Annotation(ChatBody):
    """A citation of the answer."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class AnswerMessage(ChatBody):
    """The answer."""

    role: Literal["assistant"] = "assistant"
    content: str
    """The text; its marks, such as `[[1]](https://…)`, are links to what it cites."""
    refusal: None = None
    annotations: list[Annotation]
    """The citations, in the order of their marks."""


class Choice(ChatBody):
    """The only choice."""

    index: Literal[0] = 0
    message: AnswerMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class Usage(ChatBody):
    """Tokens of the language models behind the answer; none without one."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletion(ChatBody):
    """A whole answer."""

    id: str
    """`chatcmpl-`, the session and its turn."""
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    """Seconds since the epoch."""
    model: str
    choices: list[Choice]
    usage: Usage
    session: str
    """The session that answered; OpenAI has no such member."""
    status: str
    """answered, partial or abstained; OpenAI has no such member."""


class ChunkDelta(ChatBody):
    """What a chunk adds: a part of the answer, its citations, or a step on the way to it."""

    role: Literal["assistant"] | None = None
    content: str | None = None
    reasoning_content: str | None = None
    """A step of the run; these come before the answer."""
    annotations: list[Annotation] | None = None
    """The citations, after the whole text."""


class ChunkChoice(ChatBody):
    """The only choice of a chunk."""

    index: Literal[0] = 0
    delta: ChunkDelta
    finish_reason: Literal["stop"] | None = None


class ChatChunk(ChatBody):
    """A part of an answer, as the data of a server-sent event; the last data is `[DONE]`."""

    id: str
    """`chatcmpl-`, the session and its turn; the same in all chunks."""
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    """Seconds since the epoch."""
    model: str
    choices: list[ChunkChoice]
    """None in the chunk with the usage."""
    usage: Usage | None = None
    """In a chunk of its own before the end, if `stream_options` asks for it."""


class ChatModel(ChatBody):
    """A graph as a model."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"id": "forager", "object": "model", "created": 0, "owned_by": "forager"}]
        },
        use_attribute_docstrings=True,
    )
    id: str
    """The graph's name."""
    object: Literal["model"] = "model"
    created: int
    """When its newest version was saved, in seconds since the epoch; 0 for a preset."""
    owned_by: str
    """`forager` for a preset, else whoever saved it."""


class ChatModels(ChatBody):
    """All graphs as models."""

    object: Literal["list"] = "list"
    data: list[ChatModel]


def chunk_of(id: str, created: int, model: str, delta: dict[str, Any]) -> dict[str, Any]:
    """A chunk of a stream that adds `delta` to the message."""
    choice = {"index": 0, "delta": delta, "finish_reason": None, "logprobs": None}
    return {
        "id": id,
        "object": "chat.completion.chunk",
        "created": created,
        "model": model,
        "choices": [choice],
    }
