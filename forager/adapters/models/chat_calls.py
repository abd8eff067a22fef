"""A request to a chat model and its completion, independent of the endpoint."""

from typing import Any, Literal, Protocol

from forager.adapters.models.pictures import Picture
from forager.domain.base import Frozen
from forager.prompts.token_count import count_tokens


class NoReplyError(Exception):
    """The model gives no usable reply to this task; the message says why."""


class ChatMessage(Frozen):
    """A message of the conversation, with its pictures."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: tuple[Picture, ...] = ()

    def estimate_tokens(self) -> int:
        """Estimate its tokens in the prompt."""
        return count_tokens(self.content) + sum(
            picture.estimate_tokens() for picture in self.pictures
        )


class ChatRequest(Frozen):
    """A request to a model; `fields` is the JSON Schema of the reply, empty for plain text.

    `tag` is the random tag of the fences in the messages, `limit` the most tokens of the reply.
    """

    role: str
    tag: str
    messages: tuple[ChatMessage, ...]
    fields: dict[str, Any]
    limit: int | None = None

    def has_pictures(self) -> bool:
        """Does any message have pictures?"""
        return any(message.pictures for message in self.messages)


class Completion(Frozen):
    """The reply of a model: its text, or the arguments of its tool call as text.

    `name` is the model as PROVIDER:NAME, `finish` the endpoint's finish reason (empty if the
    stream was cut off), `refusal` the message of a content filter.
    """

    text: str
    name: str = ""
    finish: str = "stop"
    refusal: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0


class Chat(Protocol):
    """A chat model behind an endpoint, or a recording of one."""

    name: str

    def model_for_role(self, role: str) -> str:
        """The model that a role's requests go to, as PROVIDER:NAME; empty if unknown."""

    async def complete(self, request: ChatRequest) -> Completion:
        """Send a request. Raises ContextError (prompt too long), ModelError and NoReplyError."""

    async def aclose(self) -> None:
        """Close connections and files."""
