"""A chat model behind an endpoint: asked in the way it understands, and again when it is busy."""

import json
import logging
import re
import time
from typing import Any

from langchain_core.messages import AIMessage
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type
from tenacity.wait import wait_exponential_jitter, wait_random

from forager.adapters.models.addresses import is_compatible, resolve_endpoint
from forager.adapters.models.chat_calls import ChatMessage, ChatRequest, Completion, NoReplyError
from forager.adapters.models.chat_clients import ARGUMENTS, REFUSAL, ModelClient
from forager.adapters.models.endpoint_errors import (
    BROKEN,
    EndpointFault,
    PassingFaultError,
    UnfitFaultError,
    away_error,
    classify_error,
    lasting_error,
)
from forager.adapters.models.endpoint_features import STRUCTURES, EndpointFeatures, Limiter
from forager.adapters.models.model_lines import OPENAI_URL, ModelChoice
from forager.adapters.models.reply_parser import holds_object
from forager.budget import current_meter
from forager.errors import ModelError
from forager.settings import Settings

MAX_PAUSE = 30.0


class RetryPolicy:
    """One call's: counted from when it first got its turn, not from when it began to wait for it.

    `short` is set where it is what is left of the question's time that ends it.
    """

    def __init__(self, settings: Settings, left: float | None) -> None:
        """`left` is what the question's budget leaves, in seconds."""
        first = settings.model_pause
        self.short = left is not None and left < settings.model_patience
        self._seconds = left if left is not None and self.short else settings.model_patience
        self._growing = wait_exponential_jitter(multiplier=first, max=MAX_PAUSE, jitter=first)
        self._apart = wait_random(0, first)
        self._began: float | None = None

    def begin(self) -> None:
        """The call has its turn."""
        if self._began is None:
            self._began = time.monotonic()

    def seconds_spent(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began if self._began is not None else 0.0

    def next_pause(self, state: RetryCallState) -> float:
        """As long as the endpoint asks for, or ever longer; never quite the same for two calls."""
        asked = last_fault(state).wait
        return self._growing(state) if asked is None else asked + self._apart(state)

    def is_exhausted(self, state: RetryCallState) -> bool:
        """Would it take too long to ask once more?"""
        return self.seconds_spent() + state.upcoming_sleep > self._seconds


def last_fault(state: RetryCallState) -> EndpointFault:
    """What the last attempt met with."""
    error = state.outcome.exception() if state.outcome else None
    return error.fault if isinstance(error, PassingFaultError) else EndpointFault("passing", "")


PICTURE_WORDS = re.compile(
    r"\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj|content type|expected `?text`?",
    re.IGNORECASE,
)
REFUSAL_STATUSES = frozenset({400, 404, 415, 422, 500, 501})


def is_picture_refusal(met: EndpointFault) -> bool:
    """Is a request with pictures refused because of them?"""
    return met.status in REFUSAL_STATUSES and bool(PICTURE_WORDS.search(met.words))


def picture_error(met: EndpointFault, role: str, name: str, address: str) -> ModelError:
    """The error for a model that cannot be shown a picture."""
    return ModelError(
        f"{name} at {address} takes no pictures: it answered {met.description}.",
        f"Choose a vision model for this role (--model {role}=PROVIDER:NAME), or a graph whose "
        f"{role} works without pictures.",
    )


LOG = logging.getLogger(__name__)
TOOL_NAME = "reply"
FILTERED_REASONS = frozenset({"content_filter", "safety", "refusal"})


class EndpointChat:
    """The Chat port over LangChain; keeps what the endpoint was found to understand."""

    def __init__(self, choice: ModelChoice, settings: Settings, limiter: Limiter) -> None:
        """Raises UsageError when the provider's library is missing."""
        self.name = choice.name
        self._choice = choice
        self._settings = settings
        self._limiter = limiter
        self._client = ModelClient(choice, settings)
        ours = (
            resolve_endpoint(choice, settings) if is_compatible(choice) else (choice.provider, None)
        )
        self._address, self._key = ours
        self._manners = _first_features(choice, self._address)

    def model_for_role(self, role: str) -> str:
        """One model for all roles."""
        return self.name

    async def complete(self, request: ChatRequest) -> Completion:
        """Ask, wait and ask again while it is worth it. Raises ModelError, and Unusable."""
        patience = RetryPolicy(self._settings, current_meter().seconds_left())
        try:
            async for attempt in AsyncRetrying(
                retry=retry_if_exception_type(PassingFaultError),
                wait=patience.next_pause,
                stop=patience.is_exhausted,
                before_sleep=self._warn_of_retry,
                reraise=True,
            ):
                with attempt:
                    return await self._ask_adapting(request, patience)
        except PassingFaultError as error:
            gone = away_error(error.fault, self.name, self._address, patience.seconds_spent())
            if patience.short:
                raise NoReplyError(f"the question's time is up; {gone.what}") from error
            raise gone from error.__cause__
        raise AssertionError("a retry loop ends with a result or an error")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _warn_of_retry(self, state: RetryCallState) -> None:
        fault = last_fault(state).description
        await current_meter().warn(
            f"{self.name}: {fault}; retrying in {state.upcoming_sleep:.1f} s"
        )

    async def _ask_adapting(self, request: ChatRequest, patience: RetryPolicy) -> Completion:
        """Ask in ever humbler ways until one is understood."""
        first = self._manners
        while True:
            manners = self._manners
            try:
                return await self._ask_once(request, manners, patience)
            except UnfitFaultError as error:
                fixed = self._choice.structure != "auto"
                humbler = manners.without_refused(error.fault.words, fixed=fixed)
                if humbler is None:
                    self._manners = first  # which were not to blame
                    raise self._final_error(error.fault) from error.__cause__
                if self._manners == manners:
                    self._manners = humbler

    async def _ask_once(
        self, request: ChatRequest, manners: EndpointFeatures, patience: RetryPolicy
    ) -> Completion:
        bound = _bind_reply_shape(self._client.get_model(manners, request.limit), request, manners)
        messages = [_convert_message(message) for message in request.messages]
        async with self._limiter.wait_turn():
            patience.begin()
            start = time.monotonic()
            try:
                said = await bound.ainvoke(messages)
            except self._client.errors as error:
                met = classify_error(error).without_key(self._key)
                if met.kind == "filtered":
                    return Completion(text="", name=self.name, refusal=met.words)
                if request.has_pictures() and is_picture_refusal(met):
                    raise picture_error(met, request.role, self.name, self._address) from error
                raise self._error_for_fault(met) from error
        completion = _read_completion(said).model_copy(update={"name": self.name})
        tokens = completion.tokens_in, completion.tokens_out
        took = time.monotonic() - start
        LOG.info("asked %s, %s: %d + %d tokens, %.1f s", self.name, request.role, *tokens, took)
        if not completion.finish and not _is_complete(completion.text):
            raise PassingFaultError(EndpointFault("passing", "the reply was cut off"))
        return completion

    def _error_for_fault(self, met: EndpointFault) -> Exception:
        if met.kind == "passing":
            return PassingFaultError(met)
        if met.kind == "unfit":
            return UnfitFaultError(met)
        return lasting_error(met, self.name, self._address)

    def _final_error(self, met: EndpointFault) -> Exception:
        """The error for what is refused however it is put; a server's own error may yet pass."""
        if met.status == BROKEN:
            return PassingFaultError(met)
        return lasting_error(met, self.name, self._address)


def _convert_message(message: ChatMessage) -> tuple[str, str | list[Any]]:
    """A turn as LangChain takes it."""
    if not message.pictures:
        return message.role, message.content
    text = {"type": "text", "text": message.content}
    return message.role, [text, *(picture.to_message_part() for picture in message.pictures)]


def _first_features(choice: ModelChoice, address: str) -> EndpointFeatures:
    """How an endpoint is asked first."""
    first = STRUCTURES[0] if is_compatible(choice) else STRUCTURES[1]
    way = first if choice.structure == "auto" else choice.structure
    return EndpointFeatures(
        way, limit="max_completion_tokens" if address == OPENAI_URL else "max_tokens"
    )


def _bind_reply_shape(model: Any, request: ChatRequest, manners: EndpointFeatures) -> Any:
    """The model with the reply's shape bound to it."""
    if manners.structure == "schema":
        shape = {"name": TOOL_NAME, "strict": True, "schema": request.fields}
        asked = {"response_format": {"type": "json_schema", "json_schema": shape}}
        # In the body as it is: as an option LangChain parses replies itself, and fails on bad ones.
        return model.bind(extra_body={**(getattr(model, "extra_body", None) or {}), **asked})
    if manners.structure == "tool":
        tool = {
            "name": TOOL_NAME,
            "description": "Hand in the reply.",
            "parameters": request.fields,
        }
        return model.bind_tools([{"type": "function", "function": tool}], tool_choice=TOOL_NAME)
    return model


def _read_completion(said: AIMessage) -> Completion:
    usage = said.usage_metadata
    cached = usage.get("input_token_details", {}).get("cache_read") if usage else 0
    meta = said.response_metadata
    finish = str(meta.get("finish_reason") or meta.get("stop_reason") or "").lower()
    refusal = str(said.additional_kwargs.get(REFUSAL) or "")
    return Completion(
        text=_reply_text(said).encode("utf-8", "replace").decode(),
        finish=finish,
        refusal=refusal or ("It was filtered." if finish in FILTERED_REASONS else ""),
        tokens_in=usage["input_tokens"] if usage else 0,
        tokens_out=usage["output_tokens"] if usage else 0,
        tokens_cached=cached or 0,
    )


def _reply_text(said: AIMessage) -> str:
    if arguments := said.additional_kwargs.get(ARGUMENTS):
        return str(arguments)
    if said.tool_calls:
        return json.dumps(said.tool_calls[0]["args"], ensure_ascii=False)
    if said.invalid_tool_calls:
        return str(said.invalid_tool_calls[0]["args"])
    return str(said.text)


def _is_complete(text: str) -> bool:
    """May this be all that there was to say: an object that is complete, or words without one?"""
    return holds_object(text) or bool(text.strip() and "{" not in text)
