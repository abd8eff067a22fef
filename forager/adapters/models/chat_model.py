"""The Model port over chat models: renders prompts, corrects replies and keeps the budget.

If a model gives no usable reply, the task's offline rule answers.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Generic, NamedTuple, cast

from pydantic import BaseModel

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
from forager.adapters.models.replies.parser import MisfitError, parse_reply, remove_thinking
from forager.adapters.models.replies.schema import bare_schema, describe_fields, strict_schema
from forager.budget import ModelCall, current_meter, has_allowance, pay_allowance
from forager.domain.model_calls import Exchange, PromptMessage, record_exchange
from forager.domain.spend import Spend
from forager.errors import ContextError
from forager.ports import Embedder, Reply, Task
from forager.prompts.injections import find_injection
from forager.prompts.token_count import count_tokens
from forager.util import telemetry

LAST_ROLE = "answerer"
MIN_SCALE = 0.1
"""The smallest share of the sections' limits to which a prompt is shrunk."""
USUAL_REPLY = 200
REMEMBERED_REPLIES = 20
"""Replies of a role whose lengths predict the next one's."""
TOKEN_MARGIN = 1.25
"""The largest ratio of the endpoint's token count to our estimate."""
SMALL_REPLY_TOKENS = 400
"""The most tokens of a small model's reply: one that writes more goes on for ever."""
LONGER_FACTOR = 4
"""The factor by which the limit of a truncated reply is raised."""
MAX_ECHOED_TOKENS = 1000
"""Tokens of an invalid reply that are repeated in the request to correct it."""
CUT_OFF_REASONS = frozenset({"length", "max_tokens", ""})
FORMAT_PROMPT = "Reply with one JSON object and nothing else. Its fields:"
CORRECTION_PROMPT = (
    "Your reply cannot be used: {why}\nReply once more with the whole JSON object, mended."
)
BREVITY_PROMPT = "It was cut off; be brief."


class ReadReply(NamedTuple, Generic[Reply]):
    """A parsed reply, None if it cannot be parsed, its faults, and what was left out of it."""

    reply: Reply | None
    wrong: list[str]
    left_out: str = ""


class ChatModel:
    """Asks the chat model chosen for each role, or its offline rule if there is no reply."""

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
        self._small_replies: dict[str, BaseModel] = {}
        self._injections: set[str] = set()
        self._replies: defaultdict[str, deque[int]] = defaultdict(
            lambda: deque([USUAL_REPLY], REMEMBERED_REPLIES)
        )

    async def ask(self, task: Task[Reply]) -> Reply:
        """The model's reply, or with a warning the offline rule's.

        Raises ModelError if the endpoint fails for good or stays unavailable.
        """
        choice = self._choices.for_role(task.ROLE)
        if choice.name == OFFLINE:
            return await self._offline.ask(task)
        if choice.profile == "small":
            return await self._ask_small(task, choice)
        if (known := task.unasked()) is not None:
            return known
        try:
            reply = await self._ask_shrinking(task, choice)
        except NoReplyError as why:
            await _warn_of_rule(task.ROLE, why)
            return await asyncio.to_thread(task.offline, self._embedder)
        return reply

    async def ask_text(self, role: str, messages: Sequence[ChatMessage]) -> str:
        """The model's reply to messages as they stand, as plain text, without its thinking.

        Raises ModelError, and NoReplyError if the model refuses or the budget allows no call.
        """
        request = ChatRequest(role=role, tag="", messages=tuple(messages), fields={})
        completion = await self._complete_within_budget(self._choices.for_role(role), request)
        return remove_thinking(completion.text)

    async def aclose(self) -> None:
        """Close the opened models."""
        while self._opened:
            _, chat = self._opened.popitem()
            await chat.aclose()

    async def _ask_small(self, task: Task[Reply], choice: ModelChoice) -> Reply:
        """The rule's reply; what a small model can judge of it, the model has judged."""
        draft = await asyncio.to_thread(task.offline, self._embedder)
        small = task.small_task(draft)
        if small is None:
            return draft
        known = f"{small.ROLE} {small.model_dump_json()}"
        try:
            if known not in self._small_replies:
                self._small_replies[known] = await self._ask_shrinking(small, choice)
        except NoReplyError as why:
            await _warn_of_rule(task.ROLE, why)
            return draft
        return task.with_small_reply(draft, small, self._small_replies[known])

    async def _ask_shrinking(self, task: Task[Reply], choice: ModelChoice) -> Reply:
        """Ask with full sections, then with shorter ones while the prompt is too long."""
        await self._warn_of_injections(task)
        scale = 1.0
        while True:
            request = await asyncio.to_thread(self._compose_request, task, choice, scale)
            try:
                return await self._ask_with_correction(task, choice, request)
            except ContextError as error:
                scale /= 2
                if scale < MIN_SCALE:
                    raise NoReplyError(f"not even a short prompt fits: {error.what}") from error

    async def _warn_of_injections(self, task: Task[Reply]) -> None:
        """Warn once of each order to a model in the material."""
        for order in await asyncio.to_thread(_list_injections, task):
            if order not in self._injections:
                self._injections.add(order)
                warning = f"instructions in web pages were ignored: “{order}”"
                await current_meter().warn(f"{task.ROLE}: {warning}")

    async def _ask_with_correction(
        self, task: Task[Reply], choice: ModelChoice, request: ChatRequest
    ) -> Reply:
        """Ask, and return an invalid reply once to the model for correction."""
        completion = await self._complete_within_budget(choice, request)
        first = _read_reply(task, completion)
        if not first.wrong and first.reply is not None:
            return first.reply
        try:
            second = _read_reply(
                task,
                await self._complete_within_budget(
                    choice, _correction_request(request, completion, first.wrong, choice.limit)
                ),
            )
        except (NoReplyError, ContextError):
            if first.reply is None:
                raise
            second = first
        better = min((second, first), key=lambda each: (each.reply is None, len(each.wrong)))
        if better.reply is None:
            raise NoReplyError(f"both of its replies were invalid: {' '.join(second.wrong)}")
        if better.left_out:
            await current_meter().warn(f"{task.ROLE}: left out of its reply: {better.left_out}")
        return better.reply

    async def _complete_within_budget(
        self, choice: ModelChoice, request: ChatRequest
    ) -> Completion:
        """Make a call if the budget allows it, and record its cost."""
        role, chat = request.role, self._open_chat(choice)
        sent = sum(message.estimate_tokens() for message in request.messages)
        name = chat.model_for_role(role)
        expected, most = self._expected_spend(request, sent, self._price_of(choice, name))
        async with current_meter().admit_call(expected, most, last=role == LAST_ROLE) as allowed:
            if not allowed or not await has_allowance():
                current_meter().refused += 1
                raise NoReplyError("the budget allows no further call")
            began, clock = time.time(), time.monotonic()
            with _call_span(role, name) as told:
                completion = await chat.complete(request)
                tokens_in, tokens_out = (
                    completion.tokens_in or sent,
                    completion.tokens_out or count_tokens(completion.text),
                )
                told.tell(gen_ai__usage__input_tokens=tokens_in)
                told.tell(gen_ai__usage__output_tokens=tokens_out)
            rate = self._price_of(choice, completion.name or name)
            call = ModelCall(
                role=role,
                model=completion.name or name,
                began=began,
                seconds=time.monotonic() - clock,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                tokens_cached=completion.tokens_cached,
                usd=rate.cost_in_usd(tokens_in, tokens_out, completion.tokens_cached)
                if rate
                else 0.0,
            )
            await pay_allowance(call.usd)
            _count_call(call)
            current_meter().model_calls += 1
            current_meter().calls.append(call)
            parts = [
                PromptMessage(role=each.role, text=each.content, pictures=len(each.pictures))
                for each in request.messages
            ]
            record_exchange(
                Exchange(
                    model=call.model, sent=tuple(parts), said=completion.refusal or completion.text
                )
            )
        self._replies[role].append(tokens_out)
        if completion.refusal:
            raise NoReplyError(f"the model refused to answer: {completion.refusal}")
        return completion

    def _expected_spend(
        self, request: ChatRequest, sent: int, rate: Price | None
    ) -> tuple[Spend, Spend]:
        """The expected spend of a call, by the role's last replies, and the largest possible."""
        replies = self._replies[request.role]
        usual = sum(replies) // len(replies)
        longest = max(usual, request.limit or max(replies))
        largest = _make_spend(round(sent * TOKEN_MARGIN), longest, rate)
        return _make_spend(sent, usual, rate), largest

    def _price_of(self, choice: ModelChoice, name: str) -> Price | None:
        return find_price(self._prices, name, choice.base_url)

    def _compose_request(self, task: Task[Reply], choice: ModelChoice, scale: float) -> ChatRequest:
        tag = draw_tag()
        small = choice.profile == "small"
        limit = min(choice.limit, SMALL_REPLY_TOKENS) if small else choice.limit
        return compose_request(task, render_prompt(task, tag, scale), tag, limit)

    def _open_chat(self, choice: ModelChoice) -> Chat:
        if choice not in self._opened:
            self._opened[choice] = self._open(choice)
        return self._opened[choice]


def compose_request(
    task: Task[Reply], prompt: Prompt, tag: str, limit: int | None = None
) -> ChatRequest:
    """Make the request for a task: its prompt, its pictures and the schema of its reply."""
    fields = strict_schema(task.REPLY, task.idle)
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
        fields=bare_schema(fields),
        limit=limit,
    )


def _list_injections(task: Task[Reply]) -> list[str]:
    material = (item for part in task.sections() if part.material for item in part.items)
    return list(filter(None, (find_injection(item.text) for item in material)))


async def _warn_of_rule(role: str, why: NoReplyError) -> None:
    current_meter().unanswered += 1
    await current_meter().warn(f"{role}: {why}; the built-in rule answered instead")


def _call_span(role: str, name: str) -> AbstractContextManager[telemetry.OpenSpan]:
    provider, _, model = name.partition(":")
    about = {"gen_ai__operation__name": "chat", "gen_ai__provider__name": provider}
    return telemetry.span(
        f"chat {model}", **about, gen_ai__request__model=model, forager__role=role
    )


def _count_call(call: ModelCall) -> None:
    labels = {"model": call.model, "role": call.role}
    telemetry.count("forager.model.calls", 1, **labels)
    telemetry.count("forager.tokens", call.tokens_in, **labels, direction="in")
    telemetry.count("forager.tokens", call.tokens_out, **labels, direction="out")
    telemetry.count("forager.dollars", call.usd, **labels)


def _make_spend(tokens_in: int, tokens_out: int, rate: Price | None) -> Spend:
    usd = rate.cost_in_usd(tokens_in, tokens_out) if rate else 0.0
    return Spend(model_calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)


def _read_reply(task: Task[Reply], completion: Completion) -> ReadReply[Reply]:
    try:
        parsed = parse_reply(completion.text, task.REPLY)
    except MisfitError as misfit:
        wrong = (
            f"{misfit} {BREVITY_PROMPT}" if completion.finish in CUT_OFF_REASONS else str(misfit)
        )
        if misfit.salvaged is None:
            return ReadReply(None, [wrong])
        kept, left_out = misfit.salvaged
        return ReadReply(cast(Reply, kept), [wrong], left_out)
    reply = cast(Reply, parsed.reply)
    brief = [BREVITY_PROMPT] if completion.finish in CUT_OFF_REASONS and not parsed.whole else []
    return ReadReply(reply, brief + task.faults(reply))


def _correction_request(
    request: ChatRequest, completion: Completion, wrong: list[str], usual: int
) -> ChatRequest:
    """The request with the reply and its faults added; a higher limit if it was truncated.

    A request with less than the `usual` limit keeps it.
    """
    turns = (
        ChatMessage(
            role="assistant",
            content=cut_text(clean_text(remove_thinking(completion.text)), MAX_ECHOED_TOKENS)
            or "(nothing)",
        ),
        ChatMessage(role="user", content=CORRECTION_PROMPT.format(why=" ".join(wrong))),
    )
    short = request.limit is not None and request.limit < usual
    longer = LONGER_FACTOR if completion.finish in CUT_OFF_REASONS and not short else 1
    limit = request.limit and request.limit * longer
    return request.model_copy(update={"messages": (*request.messages, *turns), "limit": limit})
