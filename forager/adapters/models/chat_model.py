"""The Model port over chat models: renders a task, asks, mends, pays, and never lets a run die."""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, cast

from forager.adapters.models.chat_calls import (
    Chat,
    ChatMessage,
    ChatRequest,
    Completion,
    NoReplyError,
)
from forager.adapters.models.model_lines import OFFLINE, ModelChoice, ModelChoices
from forager.adapters.models.offline_model import OfflineModel
from forager.adapters.models.pictures import PICTURE_NOTE, make_picture
from forager.adapters.models.prices import Price, Prices, find_price
from forager.adapters.models.prompt import Prompt, clean_text, cut_text, draw_tag, render_prompt
from forager.adapters.models.reply_parser import MisfitError, parse_reply, remove_thinking
from forager.adapters.models.reply_schema import describe_fields, strict_schema
from forager.budget import ModelCall, current_meter
from forager.domain.model_calls import Exchange, PromptMessage, record_exchange
from forager.domain.spend import Spend
from forager.errors import ContextError
from forager.ports import Embedder, Reply, RoleReply, Task
from forager.prompts.token_count import count_tokens

LAST_ROLE = "answerer"
MIN_SCALE = 0.1
"""The share of its limits below which a prompt is not shrunk any further."""
USUAL_REPLY = 200
REMEMBERED_REPLIES = 20
"""Replies of a role whose lengths tell how long the next one will be."""
TOKEN_MARGIN = 1.25
"""How many times our count of a prompt's tokens the endpoint's may be."""
LONGER_FACTOR = 4
"""How many times its limit a reply may have that was cut off at it."""
MAX_ECHOED_TOKENS = 1000
"""Tokens of a reply that cannot be used that are shown when it is to be mended."""
CUT_OFF_REASONS = frozenset({"length", "max_tokens", ""})
FORMAT_PROMPT = "Reply with one JSON object and nothing else. Its fields:"
CORRECTION_PROMPT = (
    "Your reply cannot be used: {why}\nReply once more with the whole JSON object, mended."
)
BREVITY_PROMPT = "It was cut off; be brief."
NOTHING_REPORTED = frozenset({"", "none", "no", "nothing", "n/a", "null", "empty", "-"})
"""What models write where they have nothing to report."""


class ReadReply(NamedTuple, Generic[Reply]):
    """What a reply came to: itself, if it is one, and what is wrong with it."""

    reply: Reply | None
    wrong: list[str]


class ChatModel:
    """Each role asks the chat model chosen for it; what cannot be had, its offline rule answers."""

    def __init__(
        self,
        choices: ModelChoices,
        open: Callable[[ModelChoice], Chat],
        embedder: Embedder,
        prices: Prices,
    ) -> None:
        self.name = choices.to_line()
        self._choices = choices
        self._open = open
        self._opened: dict[ModelChoice, Chat] = {}
        self._offline = OfflineModel(embedder)
        self._embedder = embedder
        self._prices = prices
        self._replies: defaultdict[str, deque[int]] = defaultdict(
            lambda: deque([USUAL_REPLY], REMEMBERED_REPLIES)
        )

    async def ask(self, task: Task[Reply]) -> Reply:
        """The model's reply, or its rule's with a warning. Raises ModelError: try again later."""
        choice = self._choices.for_role(task.ROLE)
        if choice.name == OFFLINE:
            return await self._offline.ask(task)
        try:
            reply = await self._ask_shrinking(task, choice)
        except NoReplyError as why:
            await current_meter().warn(f"{task.ROLE}: {why}; the built-in rule answered instead")
            return await asyncio.to_thread(task.offline, self._embedder)
        said = " ".join(reply.reported.split()) if isinstance(reply, RoleReply) else ""
        if said.lower().strip("\"'.") not in NOTHING_REPORTED:
            told = f"instructions in web pages were ignored: “{said}”"
            await current_meter().warn(f"{task.ROLE}: {told}")
        return reply

    async def aclose(self) -> None:
        """Close what was opened."""
        while self._opened:
            _, chat = self._opened.popitem()
            await chat.aclose()

    async def _ask_shrinking(self, task: Task[Reply], choice: ModelChoice) -> Reply:
        """Ask with all that fits the sections' limits; with less while that is too long."""
        scale = 1.0
        while True:
            request = await asyncio.to_thread(self._compose_request, task, choice, scale)
            try:
                return await self._ask_with_correction(task, choice, request)
            except ContextError as error:
                scale /= 2
                if scale < MIN_SCALE:
                    raise NoReplyError(f"not even a short prompt fits: {error.what}") from error

    async def _ask_with_correction(
        self, task: Task[Reply], choice: ModelChoice, request: ChatRequest
    ) -> Reply:
        """The reply; one that does not fit is sent back once with the reason."""
        said = await self._complete_within_budget(choice, request)
        first = _read_reply(task, said)
        if not first.wrong and first.reply is not None:
            return first.reply
        try:
            second = _read_reply(
                task,
                await self._complete_within_budget(
                    choice, _correction_request(request, said, first.wrong)
                ),
            )
        except (NoReplyError, ContextError):
            if first.reply is None:
                raise
            return first.reply
        better = min((second, first), key=lambda each: (each.reply is None, len(each.wrong)))
        if better.reply is None:
            raise NoReplyError(f"both of its replies were invalid: {' '.join(second.wrong)}")
        return better.reply

    async def _complete_within_budget(
        self, choice: ModelChoice, request: ChatRequest
    ) -> Completion:
        """One call, if the budget allows it, and what it cost."""
        role, chat = request.role, self._open_chat(choice)
        sent = sum(message.estimate_tokens() for message in request.messages)
        name = chat.model_for_role(role)
        expected, most = self._expected_spend(request, sent, self._price_of(choice, name))
        async with current_meter().admit_call(expected, most, last=role == LAST_ROLE) as allowed:
            if not allowed:
                current_meter().refused += 1
                raise NoReplyError("the budget allows no further call")
            began, clock = time.time(), time.monotonic()
            said = await chat.complete(request)
            tokens_in, tokens_out = (
                said.tokens_in or sent,
                said.tokens_out or count_tokens(said.text),
            )
            rate = self._price_of(choice, said.name or name)
            call = ModelCall(
                role=role,
                model=said.name or name,
                began=began,
                seconds=time.monotonic() - clock,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                tokens_cached=said.tokens_cached,
                usd=rate.cost_in_usd(tokens_in, tokens_out, said.tokens_cached) if rate else 0.0,
            )
            current_meter().model_calls += 1
            current_meter().calls.append(call)
            parts = [
                PromptMessage(role=each.role, text=each.content, pictures=len(each.pictures))
                for each in request.messages
            ]
            record_exchange(
                Exchange(model=call.model, sent=tuple(parts), said=said.refusal or said.text)
            )
        self._replies[role].append(tokens_out)
        if said.refusal:
            raise NoReplyError(f"the model refused to answer: {said.refusal}")
        return said

    def _expected_spend(
        self, request: ChatRequest, sent: int, rate: Price | None
    ) -> tuple[Spend, Spend]:
        """What a call will use by what the role's last ones did, and what it may use."""
        replies = self._replies[request.role]
        usual = sum(replies) // len(replies)
        longest = max(usual, request.limit or max(replies))
        return _make_spend(sent, usual, rate), _make_spend(
            round(sent * TOKEN_MARGIN), longest, rate
        )

    def _price_of(self, choice: ModelChoice, name: str) -> Price | None:
        return find_price(self._prices, name, choice.base_url)

    def _compose_request(self, task: Task[Reply], choice: ModelChoice, scale: float) -> ChatRequest:
        tag = draw_tag()
        return compose_request(task, render_prompt(task, tag, scale), tag, choice.limit)

    def _open_chat(self, choice: ModelChoice) -> Chat:
        if choice not in self._opened:
            self._opened[choice] = self._open(choice)
        return self._opened[choice]


def compose_request(
    task: Task[Reply], prompt: Prompt, tag: str, limit: int | None = None
) -> ChatRequest:
    """A task's prompt, and the reply that it asks for, as a request."""
    fields = strict_schema(task.REPLY)
    system = f"{prompt.system}\n\n{FORMAT_PROMPT}\n{describe_fields(fields)}"
    shown = tuple(make_picture(data) for data in task.pictures())
    user = f"{prompt.user}\n\n{PICTURE_NOTE}" if shown else prompt.user
    return ChatRequest(
        role=task.ROLE,
        tag=tag,
        messages=(
            ChatMessage(role="system", content=system),
            ChatMessage(role="user", content=user, pictures=shown),
        ),
        fields=fields,
        limit=limit,
    )


def _make_spend(tokens_in: int, tokens_out: int, rate: Price | None) -> Spend:
    usd = rate.cost_in_usd(tokens_in, tokens_out) if rate else 0.0
    return Spend(model_calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)


def _read_reply(task: Task[Reply], said: Completion) -> ReadReply[Reply]:
    try:
        parsed = parse_reply(said.text, task.REPLY)
    except MisfitError as misfit:
        return ReadReply(
            None, [f"{misfit} {BREVITY_PROMPT}" if said.finish in CUT_OFF_REASONS else str(misfit)]
        )
    reply = cast(Reply, parsed.reply)
    cut_off = [BREVITY_PROMPT] if said.finish in CUT_OFF_REASONS and not parsed.whole else []
    return ReadReply(reply, cut_off + task.faults(reply))


def _correction_request(request: ChatRequest, said: Completion, wrong: list[str]) -> ChatRequest:
    """The request with the reply and what is wrong with it; a longer one if it was cut off."""
    turns = (
        ChatMessage(
            role="assistant",
            content=cut_text(clean_text(remove_thinking(said.text)), MAX_ECHOED_TOKENS)
            or "(nothing)",
        ),
        ChatMessage(role="user", content=CORRECTION_PROMPT.format(why=" ".join(wrong))),
    )
    longer = LONGER_FACTOR if said.finish in CUT_OFF_REASONS else 1
    limit = request.limit and request.limit * longer
    return request.model_copy(update={"messages": (*request.messages, *turns), "limit": limit})
