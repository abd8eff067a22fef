"""A chat model at an endpoint: adapts to the features it supports and retries temporary faults."""

import json
import logging
import re
import time
from typing import Any
from urllib.parse import urlsplit

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
from forager.adapters.models.endpoint_trials import last_fault_of, note_trial
from forager.adapters.models.model_lines import OPENAI_URL, ModelChoice
from forager.adapters.models.model_list import DENIED, describe_denial
from forager.adapters.models.replies.parser import holds_object
from forager.budget import current_meter
from forager.errors import ModelError
from forager.settings import Settings

MAX_PAUSE = 30.0


class RetryPolicy:
    """When to retry one call. Time counts from the call's first turn, not from its place in line.

    `short` means that the question's remaining time is the limit.
    """

    def __init__(self, settings: Settings, left: float | None) -> None:
        """`left` is the question's remaining time in seconds, if it is limited."""
        first = settings.model_pause
        self.short = left is not None and left < settings.model_patience
        self._seconds = left if left is not None and self.short else settings.model_patience
        self._growing = wait_exponential_jitter(multiplier=first, max=MAX_PAUSE, jitter=first)
        self._apart = wait_random(0, first)
        self._began: float | None = None

    def begin(self) -> None:
        """Start the clock at the call's first turn."""
        if self._began is None:
            self._began = time.monotonic()

    def seconds_spent(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began if self._began is not None else 0.0

    def seconds_retried(self) -> float | None:
        """Seconds since it began; None where nothing is retried."""
        return self.seconds_spent() if self._seconds else None

    def next_pause(self, state: RetryCallState) -> float:
        """The pause the endpoint asks for, or one that grows; with jitter."""
        asked = last_fault(state).wait
        return self._growing(state) if asked is None else asked + self._apart(state)

    def is_exhausted(self, state: RetryCallState) -> bool:
        """Would another attempt exceed the time?"""
        return self.seconds_spent() + state.upcoming_sleep > self._seconds


def last_fault(state: RetryCallState) -> EndpointFault:
    """The fault of the last attempt."""
    error = state.outcome.exception() if state.outcome else None
    return error.fault if isinstance(error, PassingFaultError) else EndpointFault("passing", "")


PICTURE_WORDS = re.compile(
    r"\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj|content type|expected `?text`?",
    re.IGNORECASE,
)
REFUSAL_STATUSES = frozenset({400, 404, 415, 422, 500, 501})


def is_picture_refusal(fault: EndpointFault) -> bool:
    """Was a request refused because of its pictures?"""
    return fault.status in REFUSAL_STATUSES and bool(PICTURE_WORDS.search(fault.words))


def picture_error(fault: EndpointFault, role: str, name: str, address: str) -> ModelError:
    """The error for a model that takes no pictures."""
    return ModelError(
        f"{name} at {address} takes no pictures: it answered {fault.description}.",
        f"Choose a vision model for this role (--model {role}=PROVIDER:NAME), or a graph whose "
        f"{role} works without pictures.",
    )


LOG = logging.getLogger(__name__)
TOOL_NAME = "reply"
FILTERED_REASONS = frozenset({"content_filter", "safety", "refusal"})


class EndpointChat:
    """The Chat port over LangChain; remembers which features the endpoint supports."""

    def __init__(self, choice: ModelChoice, settings: Settings, limiter: Limiter) -> None:
        """Create a chat for one model; connections open on first use."""
        self.name = choice.name
        self._choice = choice
        self._settings = settings
        self._limiter = limiter
        self._client = ModelClient(choice, settings)
        endpoint = (
            resolve_endpoint(choice, settings) if is_compatible(choice) else (choice.provider, None)
        )
        self._address, self._key = endpoint
        self._features = _first_features(choice, self._address)
        self._failed = bool(last_fault_of(self._address, self._key, settings))

    def model_for_role(self, role: str) -> str:
        """The same model for all roles."""
        return self.name

    async def complete(self, request: ChatRequest) -> Completion:
        """Send a request, with retries. Raises ModelError and NoReplyError."""
        policy = RetryPolicy(self._settings, current_meter().seconds_left())
        try:
            async for attempt in AsyncRetrying(
                retry=retry_if_exception_type(PassingFaultError),
                wait=policy.next_pause,
                stop=policy.is_exhausted,
                before_sleep=self._warn_of_retry,
                reraise=True,
            ):
                with attempt:
                    return await self._ask_adapting(request, policy)
        except PassingFaultError as error:
            error_away = away_error(error.fault, self.name, self._address, policy.seconds_retried())
            if policy.short:
                raise NoReplyError(f"the question's time is up; {error_away.what}") from error
            raise error_away from error.__cause__
        raise AssertionError("a retry loop ends with a result or an error")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _warn_of_retry(self, state: RetryCallState) -> None:
        fault = last_fault(state).description
        await current_meter().warn(
            f"{self.name}: {fault}; retrying in {state.upcoming_sleep:.1f} s"
        )

    async def _ask_adapting(self, request: ChatRequest, policy: RetryPolicy) -> Completion:
        """Ask with fewer and fewer features until the endpoint accepts the request."""
        first = self._features
        while True:
            features = self._features
            try:
                return await self._ask_once(request, features, policy)
            except UnfitFaultError as error:
                fixed = self._choice.structure != "auto"
                reduced = features.without_refused(error.fault.words, fixed=fixed)
                if reduced is None:
                    self._features = first  # dropping features did not help
                    raise self._final_error(error.fault) from error.__cause__
                if self._features == features:
                    self._features = reduced

    async def _ask_once(
        self, request: ChatRequest, features: EndpointFeatures, policy: RetryPolicy
    ) -> Completion:
        bound = _bind_reply_shape(
            self._client.get_model(features, request.limit), request, features
        )
        messages = [_convert_message(message) for message in request.messages]
        async with self._limiter.wait_turn():
            policy.begin()
            start = time.monotonic()
            try:
                message = await bound.ainvoke(messages)
            except self._client.errors as error:
                fault = classify_error(error).without_key(self._key)
                if fault.kind == "filtered":
                    return Completion(text="", name=self.name, refusal=fault.words)
                if request.has_pictures() and is_picture_refusal(fault):
                    raise picture_error(fault, request.role, self.name, self._address) from error
                raise self._error_for_fault(fault) from error
        if self._failed:
            self._note_trial("")
        completion = _read_completion(message).model_copy(update={"name": self.name})
        tokens = completion.tokens_in, completion.tokens_out
        took = time.monotonic() - start
        LOG.info("asked %s, %s: %d + %d tokens, %.1f s", self.name, request.role, *tokens, took)
        if not completion.finish and not _is_complete(completion.text):
            raise PassingFaultError(EndpointFault("passing", "the reply was cut off"))
        return completion

    def _error_for_fault(self, fault: EndpointFault) -> Exception:
        if fault.kind == "passing":
            return PassingFaultError(fault)
        if fault.kind == "unfit":
            return UnfitFaultError(fault)
        if fault.status in DENIED:
            place = urlsplit(self._address).netloc or self._address
            self._note_trial(describe_denial(place, has_key=self._key is not None))
        return lasting_error(fault, self.name, self._address)

    def _note_trial(self, fault: str) -> None:
        note_trial(self._address, self._key, self._settings, fault)
        self._failed = bool(fault)

    def _final_error(self, fault: EndpointFault) -> Exception:
        """The error for a request refused with all features; a server error may be temporary."""
        if fault.status == BROKEN:
            return PassingFaultError(fault)
        return lasting_error(fault, self.name, self._address)


def _convert_message(message: ChatMessage) -> tuple[str, str | list[Any]]:
    """Convert a message to LangChain's format."""
    if not message.pictures:
        return message.role, message.content
    text = {"type": "text", "text": message.content}
    return message.role, [text, *(picture.to_message_part() for picture in message.pictures)]


def _first_features(choice: ModelChoice, address: str) -> EndpointFeatures:
    """The features of the first request to an endpoint."""
    first = STRUCTURES[0] if is_compatible(choice) else STRUCTURES[1]
    structure = first if choice.structure == "auto" else choice.structure
    return EndpointFeatures(
        structure, limit="max_completion_tokens" if address == OPENAI_URL else "max_tokens"
    )


def _bind_reply_shape(model: Any, request: ChatRequest, features: EndpointFeatures) -> Any:
    """Bind the schema of the reply to a model, if it is to have one."""
    if not request.fields:
        return model
    if features.structure == "schema":
        shape = {"name": TOOL_NAME, "strict": True, "schema": request.fields}
        asked = {"response_format": {"type": "json_schema", "json_schema": shape}}
        # Sent in extra_body: with the option, LangChain parses replies and fails on invalid ones.
        return model.bind(extra_body={**(getattr(model, "extra_body", None) or {}), **asked})
    if features.structure == "tool":
        tool = {
            "name": TOOL_NAME,
            "description": "Hand in the reply.",
            "parameters": request.fields,
        }
        return model.bind_tools([{"type": "function", "function": tool}], tool_choice=TOOL_NAME)
    return model


def _read_completion(message: AIMessage) -> Completion:
    usage = message.usage_metadata
    cached = usage.get("input_token_details", {}).get("cache_read") if usage else 0
    meta = message.response_metadata
    finish = str(meta.get("finish_reason") or meta.get("stop_reason") or "").lower()
    refusal = str(message.additional_kwargs.get(REFUSAL) or "")
    return Completion(
        text=_reply_text(message).encode("utf-8", "replace").decode(),
        finish=finish,
        refusal=refusal or ("It was filtered." if finish in FILTERED_REASONS else ""),
        tokens_in=usage["input_tokens"] if usage else 0,
        tokens_out=usage["output_tokens"] if usage else 0,
        tokens_cached=cached or 0,
    )


def _reply_text(message: AIMessage) -> str:
    if arguments := message.additional_kwargs.get(ARGUMENTS):
        return str(arguments)
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    if message.invalid_tool_calls:
        return str(message.invalid_tool_calls[0]["args"])
    return str(message.text)


def _is_complete(text: str) -> bool:
    """Is a text a complete reply: with a whole object, or prose without any?"""
    return holds_object(text) or bool(text.strip() and "{" not in text)
