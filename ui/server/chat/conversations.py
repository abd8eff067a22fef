"""Which session a conversation belongs to, and what its last message asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forager.errors import UsageError
from forager.questions.named_sites import find_addresses, without_addresses
from graphs.sessions.service import SessionLine, Sessions
from ui.server.chat.chat_bodies import ChatMessage, ChatRequest
from ui.server.chat.chat_content import comparable
from ui.server.live.session_status import ENDED


class Exchange(NamedTuple):
    """A question of the conversation and the answer it was given."""

    question: str
    answer: str


@dataclass(frozen=True)
class Conversation:
    """The last question, the exchanges before it, and the addresses that the messages name."""

    question: str
    earlier: tuple[Exchange, ...]
    sites: tuple[str, ...]

    def belongs_to(self, line: SessionLine) -> bool:
        """Whether a session stands where the last exchange has left it."""
        if not self.earlier:
            return False
        last = self.earlier[-1]
        asked = {comparable(last.question), comparable(without_addresses(last.question))}
        if comparable(line.question) not in asked:
            return False
        return not line.answer or comparable(line.answer) == comparable(last.answer)


def read_conversation(request: ChatRequest) -> Conversation:
    """The conversation in a request. Raises UsageError for what cannot be answered."""
    _refuse_unknown(request)
    messages = request.messages
    if messages[-1].role != "user" or not messages[-1].words.strip():
        raise UsageError("The last message is not a question of the user.", "End with a question.")
    earlier = _exchanges(messages[:-1])
    question = messages[-1].words
    if earlier:
        return Conversation(question, earlier, ())
    instructions = [each.words for each in messages if each.role in ("system", "developer")]
    sites = request.sites or find_addresses([*instructions, question])
    return Conversation(without_addresses(question), earlier, sites)


async def find_session(sessions: Sessions, asked: Conversation, graph: str) -> str | None:
    """The session of this graph in which the conversation took place so far; None if there is none.

    Of several, the one with as many turns as the conversation, then the newest.
    """
    if not asked.earlier:
        return None
    lines = [each.line for each in await sessions.listing.search("", ENDED)]
    found = [line for line in lines if line.graph == graph and asked.belongs_to(line)]
    found.sort(key=lambda line: line.turn != len(asked.earlier))
    return found[0].id if found else None


def _exchanges(messages: Sequence[ChatMessage]) -> tuple[Exchange, ...]:
    """The questions that were answered, with their answers."""
    found: list[Exchange] = []
    question = ""
    for message in messages:
        if message.role == "user":
            question = message.words
        elif message.role == "assistant" and question and message.words.strip():
            found.append(Exchange(question, message.words))
            question = ""
    return tuple(found)


def _refuse_unknown(request: ChatRequest) -> None:
    """Refuse what would have to change the answer and cannot."""
    if request.n not in (None, 1):
        raise UsageError(f"n is {request.n}.", "Only one answer is given: leave n out.")
    form = request.response_format
    if form is not None and form.type != "text":
        raise UsageError(
            f"response_format is {form.type}.", "Answers are text: leave response_format out."
        )
    for message in request.messages:
        if isinstance(message.content, list):
            for part in message.content:
                if part.type != "text":
                    raise UsageError(
                        f"A message has a part of the type {part.type}.", "Send text alone."
                    )
