"""A chat model behind an endpoint: asked in the way it understands, and again when it is busy."""

import json
import logging
import re
import time
from typing import Any

from langchain_core.messages import AIMessage
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type
from tenacity.wait import wait_exponential_jitter, wait_random

from forager.adapters.models.addresses import address, compatible
from forager.adapters.models.chat_calls import Completion, Message, Request, Unusable
from forager.adapters.models.chat_clients import ARGUMENTS, REFUSAL, Client
from forager.adapters.models.endpoint_errors import (
    BROKEN,
    Fault,
    PassingFault,
    UnfitFault,
    away,
    classify,
    lasting,
)
from forager.adapters.models.endpoint_features import LADDER, Limiter, Manners
from forager.adapters.models.model_lines import OPENAI, Choice
from forager.adapters.models.reply_parser import holds_object
from forager.budget import current_meter
from forager.errors import ModelError
from forager.settings import Settings

LONGEST_PAUSE = 30.0


class Patience:
    """One call's: counted from when it first got its turn, not from when it began to wait for it.

    `short` is set where it is what is left of the question's time that ends it.
    """

    def __init__(self, settings: Settings, left: float | None) -> None:
        """`left` is what the question's budget leaves, in seconds."""
        first = settings.model_pause
        self.short = left is not None and left < settings.model_patience
        self._seconds = left if left is not None and self.short else settings.model_patience
        self._growing = wait_exponential_jitter(multiplier=first, max=LONGEST_PAUSE, jitter=first)
        self._apart = wait_random(0, first)
        self._began: float | None = None

    def begin(self) -> None:
        """The call has its turn."""
        if self._began is None:
            self._began = time.monotonic()

    def spent(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began if self._began is not None else 0.0

    def pause(self, state: RetryCallState) -> float:
        """As long as the endpoint asks for, or ever longer; never quite the same for two calls."""
        asked = fault(state).wait
        return self._growing(state) if asked is None else asked + self._apart(state)

    def enough(self, state: RetryCallState) -> bool:
        """Would it take too long to ask once more?"""
        return self.spent() + state.upcoming_sleep > self._seconds


def fault(state: RetryCallState) -> Fault:
    """What the last attempt met with."""
    error = state.outcome.exception() if state.outcome else None
    return error.fault if isinstance(error, PassingFault) else Fault("passing", "")


BLIND = re.compile(
    r"\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj|content type|expected `?text`?",
    re.IGNORECASE,
)
REFUSING = frozenset({400, 404, 415, 422, 500, 501})


def blind(met: Fault) -> bool:
    """Is a request with pictures refused because of them?"""
    return met.status in REFUSING and bool(BLIND.search(met.words))


def unseeing(met: Fault, role: str, name: str, address: str) -> ModelError:
    """The error for a model that cannot be shown a picture."""
    return ModelError(
        f"{name} at {address} takes no pictures: it answered {met.told}.",
        f"Choose a vision model for this role (--model {role}=PROVIDER:NAME), or a graph whose "
        f"{role} works without pictures.",
    )


LOG = logging.getLogger(__name__)
TOOL = "reply"
FILTERED = frozenset({"content_filter", "safety", "refusal"})


class Endpoint:
    """The Chat port over LangChain; keeps what the endpoint was found to understand."""

    def __init__(self, choice: Choice, settings: Settings, limiter: Limiter) -> None:
        """Raises UsageError when the provider's library is missing."""
        self.name = choice.name
        self._choice = choice
        self._settings = settings
        self._limiter = limiter
        self._client = Client(choice, settings)
        ours = address(choice, settings) if compatible(choice) else (choice.provider, None)
        self._address, self._key = ours
        self._manners = _manners(choice, self._address)

    def asks(self, role: str) -> str:
        """One model for all roles."""
        return self.name

    async def complete(self, request: Request) -> Completion:
        """Ask, wait and ask again while it is worth it. Raises ModelError, and Unusable."""
        patience = Patience(self._settings, current_meter().seconds_left())
        try:
            async for attempt in AsyncRetrying(
                retry=retry_if_exception_type(PassingFault),
                wait=patience.pause,
                stop=patience.enough,
                before_sleep=self._tell,
                reraise=True,
            ):
                with attempt:
                    return await self._fitting(request, patience)
        except PassingFault as error:
            gone = away(error.fault, self.name, self._address, patience.spent())
            if patience.short:
                raise Unusable(f"the question's time is up; {gone.what}") from error
            raise gone from error.__cause__
        raise AssertionError("a retry loop ends with a result or an error")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _tell(self, state: RetryCallState) -> None:
        said = f"{self.name}: {fault(state).told}; again in {state.upcoming_sleep:.1f} s"
        await current_meter().warn(said)

    async def _fitting(self, request: Request, patience: Patience) -> Completion:
        """Ask in ever humbler ways until one is understood."""
        first = self._manners
        while True:
            manners = self._manners
            try:
                return await self._once(request, manners, patience)
            except UnfitFault as error:
                fixed = self._choice.structure != "auto"
                humbler = manners.humbler(error.fault.words, fixed=fixed)
                if humbler is None:
                    self._manners = first  # which were not to blame
                    raise self._hopeless(error.fault) from error.__cause__
                if self._manners == manners:
                    self._manners = humbler

    async def _once(self, request: Request, manners: Manners, patience: Patience) -> Completion:
        bound = _bound(self._client.model(manners, request.limit), request, manners)
        messages = [_turn(message) for message in request.messages]
        async with self._limiter.turn():
            patience.begin()
            start = time.monotonic()
            try:
                said = await bound.ainvoke(messages)
            except self._client.errors as error:
                met = classify(error).without(self._key)
                if met.kind == "filtered":
                    return Completion(text="", name=self.name, refusal=met.words)
                if request.shows() and blind(met):
                    raise unseeing(met, request.role, self.name, self._address) from error
                raise self._sorted(met) from error
        completion = _completion(said).model_copy(update={"name": self.name})
        tokens = completion.tokens_in, completion.tokens_out
        took = time.monotonic() - start
        LOG.info("asked %s, %s: %d + %d tokens, %.1f s", self.name, request.role, *tokens, took)
        if not completion.finish and not _whole(completion.text):
            raise PassingFault(Fault("passing", "the reply broke off"))
        return completion

    def _sorted(self, met: Fault) -> Exception:
        if met.kind == "passing":
            return PassingFault(met)
        if met.kind == "unfit":
            return UnfitFault(met)
        return lasting(met, self.name, self._address)

    def _hopeless(self, met: Fault) -> Exception:
        """The error for what is refused however it is put; a server's own error may yet pass."""
        if met.status == BROKEN:
            return PassingFault(met)
        return lasting(met, self.name, self._address)


def _turn(message: Message) -> tuple[str, str | list[Any]]:
    """A turn as LangChain takes it."""
    if not message.pictures:
        return message.role, message.content
    text = {"type": "text", "text": message.content}
    return message.role, [text, *(picture.part() for picture in message.pictures)]


def _manners(choice: Choice, address: str) -> Manners:
    """How an endpoint is asked first."""
    first = LADDER[0] if compatible(choice) else LADDER[1]
    way = first if choice.structure == "auto" else choice.structure
    return Manners(way, limit="max_completion_tokens" if address == OPENAI else "max_tokens")


def _bound(model: Any, request: Request, manners: Manners) -> Any:
    """The model with the reply's shape bound to it."""
    if manners.way == "schema":
        shape = {"name": TOOL, "strict": True, "schema": request.fields}
        asked = {"response_format": {"type": "json_schema", "json_schema": shape}}
        # In the body as it is: as an option LangChain parses replies itself, and fails on bad ones.
        return model.bind(extra_body={**(getattr(model, "extra_body", None) or {}), **asked})
    if manners.way == "tool":
        tool = {"name": TOOL, "description": "Hand in the reply.", "parameters": request.fields}
        return model.bind_tools([{"type": "function", "function": tool}], tool_choice=TOOL)
    return model


def _completion(said: AIMessage) -> Completion:
    usage = said.usage_metadata
    cached = usage.get("input_token_details", {}).get("cache_read") if usage else 0
    meta = said.response_metadata
    finish = str(meta.get("finish_reason") or meta.get("stop_reason") or "").lower()
    refusal = str(said.additional_kwargs.get(REFUSAL) or "")
    return Completion(
        text=_text(said).encode("utf-8", "replace").decode(),
        finish=finish,
        refusal=refusal or ("It was filtered." if finish in FILTERED else ""),
        tokens_in=usage["input_tokens"] if usage else 0,
        tokens_out=usage["output_tokens"] if usage else 0,
        tokens_cached=cached or 0,
    )


def _text(said: AIMessage) -> str:
    if arguments := said.additional_kwargs.get(ARGUMENTS):
        return str(arguments)
    if said.tool_calls:
        return json.dumps(said.tool_calls[0]["args"], ensure_ascii=False)
    if said.invalid_tool_calls:
        return str(said.invalid_tool_calls[0]["args"])
    return str(said.text)


def _whole(text: str) -> bool:
    """May this be all that there was to say: an object that is complete, or words without one?"""
    return holds_object(text) or bool(text.strip() and "{" not in text)
