"""The Model port over chat models: renders a task, asks, mends, pays, and never lets a run die."""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, cast

from forager.adapters.models.chat_calls import Chat, Completion, Message, Request, Unusable
from forager.adapters.models.model_lines import OFFLINE, Choice, Choices
from forager.adapters.models.offline_model import OfflineModel
from forager.adapters.models.pictures import MATERIAL, picture
from forager.adapters.models.prices import Price, Prices, price
from forager.adapters.models.prompt import Prompt, clean, cut, draw_tag, render
from forager.adapters.models.reply_parser import Misfit, parse, spoken
from forager.adapters.models.reply_schema import describe, strict
from forager.budget import ModelCall, current_meter
from forager.domain.model_calls import Exchange, PromptMessage, record_exchange
from forager.domain.spend import Spend
from forager.errors import ContextError
from forager.ports import Embedder, Reply, RoleReply, Task
from forager.prompts.token_count import count_tokens

LAST = "answerer"
SMALLEST = 0.1
"""The share of its limits below which a prompt is not shrunk any further."""
USUAL_REPLY = 200
REMEMBERED = 20
"""Replies of a role whose lengths tell how long the next one will be."""
MARGIN = 1.25
"""How many times our count of a prompt's tokens the endpoint's may be."""
LONGER = 4
"""How many times its limit a reply may have that was cut off at it."""
ECHOED = 1000
"""Tokens of a reply that cannot be used that are shown when it is to be mended."""
CUT_OFF = frozenset({"length", "max_tokens", ""})
FORMAT = "Reply with one JSON object and nothing else. Its fields:"
MEND = "Your reply cannot be used: {why}\nReply once more with the whole JSON object, mended."
BRIEF = "It was cut off; be brief."
NOTHING = frozenset({"", "none", "no", "nothing", "n/a", "null", "empty", "-"})
"""What models write where they have nothing to report."""


class Try(NamedTuple, Generic[Reply]):
    """What a reply came to: itself, if it is one, and what is wrong with it."""

    reply: Reply | None
    wrong: list[str]


class ChatModel:
    """Each role asks the chat model chosen for it; what cannot be had, its offline rule answers."""

    def __init__(
        self, choices: Choices, open: Callable[[Choice], Chat], embedder: Embedder, prices: Prices
    ) -> None:
        self.name = choices.write()
        self._choices = choices
        self._open = open
        self._opened: dict[Choice, Chat] = {}
        self._offline = OfflineModel(embedder)
        self._embedder = embedder
        self._prices = prices
        self._replies: defaultdict[str, deque[int]] = defaultdict(
            lambda: deque([USUAL_REPLY], REMEMBERED)
        )

    async def ask(self, task: Task[Reply]) -> Reply:
        """The model's reply, or its rule's with a warning. Raises ModelError: try again later."""
        choice = self._choices.of(task.ROLE)
        if choice.name == OFFLINE:
            return await self._offline.ask(task)
        try:
            reply = await self._shrinking(task, choice)
        except Unusable as why:
            await current_meter().warn(f"{task.ROLE}: {why}; the built-in rule answered instead")
            return await asyncio.to_thread(task.offline, self._embedder)
        said = " ".join(reply.reported.split()) if isinstance(reply, RoleReply) else ""
        if said.lower().strip("\"'.") not in NOTHING:
            told = f"material that gives orders was not obeyed: “{said}”"
            await current_meter().warn(f"{task.ROLE}: {told}")
        return reply

    async def aclose(self) -> None:
        """Close what was opened."""
        while self._opened:
            _, chat = self._opened.popitem()
            await chat.aclose()

    async def _shrinking(self, task: Task[Reply], choice: Choice) -> Reply:
        """Ask with all that fits the sections' limits; with less while that is too long."""
        scale = 1.0
        while True:
            request = await asyncio.to_thread(self._request, task, choice, scale)
            try:
                return await self._mended(task, choice, request)
            except ContextError as error:
                scale /= 2
                if scale < SMALLEST:
                    raise Unusable(f"not even a short prompt fits: {error.what}") from error

    async def _mended(self, task: Task[Reply], choice: Choice, request: Request) -> Reply:
        """The reply; one that does not fit is sent back once with the reason."""
        said = await self._paid(choice, request)
        first = _read(task, said)
        if not first.wrong and first.reply is not None:
            return first.reply
        try:
            second = _read(task, await self._paid(choice, _again(request, said, first.wrong)))
        except (Unusable, ContextError):
            if first.reply is None:
                raise
            return first.reply
        better = min((second, first), key=lambda each: (each.reply is None, len(each.wrong)))
        if better.reply is None:
            raise Unusable(f"its reply did not fit twice: {' '.join(second.wrong)}")
        return better.reply

    async def _paid(self, choice: Choice, request: Request) -> Completion:
        """One call, if the budget allows it, and what it cost."""
        role, chat = request.role, self._chat(choice)
        sent = sum(message.tokens() for message in request.messages)
        name = chat.asks(role)
        expected, most = self._expected(request, sent, self._price(choice, name))
        async with current_meter().admit_call(expected, most, last=role == LAST) as allowed:
            if not allowed:
                current_meter().refused += 1
                raise Unusable("the budget allows no further call")
            began, clock = time.time(), time.monotonic()
            said = await chat.complete(request)
            tokens_in, tokens_out = (
                said.tokens_in or sent,
                said.tokens_out or count_tokens(said.text),
            )
            rate = self._price(choice, said.name or name)
            call = ModelCall(
                role=role,
                model=said.name or name,
                began=began,
                seconds=time.monotonic() - clock,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                tokens_cached=said.tokens_cached,
                usd=rate.usd(tokens_in, tokens_out, said.tokens_cached) if rate else 0.0,
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
            raise Unusable(f"the model would not answer: {said.refusal}")
        return said

    def _expected(self, request: Request, sent: int, rate: Price | None) -> tuple[Spend, Spend]:
        """What a call will use by what the role's last ones did, and what it may use."""
        replies = self._replies[request.role]
        usual = sum(replies) // len(replies)
        longest = max(usual, request.limit or max(replies))
        return _spend(sent, usual, rate), _spend(round(sent * MARGIN), longest, rate)

    def _price(self, choice: Choice, name: str) -> Price | None:
        return price(self._prices, name, choice.base_url)

    def _request(self, task: Task[Reply], choice: Choice, scale: float) -> Request:
        tag = draw_tag()
        return compose(task, render(task, tag, scale), tag, choice.limit)

    def _chat(self, choice: Choice) -> Chat:
        if choice not in self._opened:
            self._opened[choice] = self._open(choice)
        return self._opened[choice]


def compose(task: Task[Reply], prompt: Prompt, tag: str, limit: int | None = None) -> Request:
    """A task's prompt, and the reply that it asks for, as a request."""
    fields = strict(task.REPLY)
    system = f"{prompt.system}\n\n{FORMAT}\n{describe(fields)}"
    shown = tuple(picture(data) for data in task.pictures())
    user = f"{prompt.user}\n\n{MATERIAL}" if shown else prompt.user
    return Request(
        role=task.ROLE,
        tag=tag,
        messages=(
            Message(role="system", content=system),
            Message(role="user", content=user, pictures=shown),
        ),
        fields=fields,
        limit=limit,
    )


def _spend(tokens_in: int, tokens_out: int, rate: Price | None) -> Spend:
    usd = rate.usd(tokens_in, tokens_out) if rate else 0.0
    return Spend(model_calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)


def _read(task: Task[Reply], said: Completion) -> Try[Reply]:
    try:
        parsed = parse(said.text, task.REPLY)
    except Misfit as misfit:
        return Try(None, [f"{misfit} {BRIEF}" if said.finish in CUT_OFF else str(misfit)])
    reply = cast(Reply, parsed.reply)
    cut_off = [BRIEF] if said.finish in CUT_OFF and not parsed.whole else []
    return Try(reply, cut_off + task.faults(reply))


def _again(request: Request, said: Completion, wrong: list[str]) -> Request:
    """The request with the reply and what is wrong with it; a longer one if it was cut off."""
    turns = (
        Message(role="assistant", content=cut(clean(spoken(said.text)), ECHOED) or "(nothing)"),
        Message(role="user", content=MEND.format(why=" ".join(wrong))),
    )
    longer = LONGER if said.finish in CUT_OFF else 1
    limit = request.limit and request.limit * longer
    return request.model_copy(update={"messages": (*request.messages, *turns), "limit": limit})
