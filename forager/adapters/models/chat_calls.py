"""One question to a chat model and its reply, as every endpoint takes and gives them."""

from typing import Any, Literal, Protocol

from forager.adapters.models.pictures import Picture
from forager.domain.base import Frozen
from forager.prompts.token_count import count_tokens


class NoReplyError(Exception):
    """No reply can be had of a model for this task; the message says why."""


class ChatMessage(Frozen):
    """A turn of the conversation, and the pictures beside it."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: tuple[Picture, ...] = ()

    def estimate_tokens(self) -> int:
        """An estimate of what it takes of the prompt."""
        return count_tokens(self.content) + sum(
            picture.estimate_tokens() for picture in self.pictures
        )


class ChatRequest(Frozen):
    """What a model is asked; `fields` is the JSON Schema that its reply is to fit.

    `tag` is the random mark of the fences in the messages.
    """

    role: str
    tag: str
    messages: tuple[ChatMessage, ...]
    fields: dict[str, Any]
    limit: int | None = None

    def has_pictures(self) -> bool:
        """Is there a picture in it?"""
        return any(message.pictures for message in self.messages)


class Completion(Frozen):
    """What came back: the text, or the arguments of the tool it was to call, as text.

    `name` is the PROVIDER:NAME that was asked, `finish` the endpoint's word for why it ended (empty
    if it broke off), `refusal` what a content filter said.
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
        """The PROVIDER:NAME that a role's requests go to; empty if that is not known."""

    async def complete(self, request: ChatRequest) -> Completion:
        """Ask once. Raises ContextError when the prompt is too long, ModelError, Unusable."""

    async def aclose(self) -> None:
        """Close connections and files."""
