"""LangChain chat models for OpenAI-compatible endpoints, and for others with an extra package."""

import logging
import ssl
import sys
import warnings
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

import httpx2
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient, Timeout
from pydantic import SecretStr

from forager.adapters.models.addresses import is_compatible, resolve_endpoint
from forager.adapters.models.endpoint_errors import ENDPOINT_ERRORS
from forager.adapters.models.endpoint_features import EndpointFeatures
from forager.adapters.models.model_lines import OPENAI_URL, ModelChoice
from forager.errors import UsageError
from forager.settings import Settings

CONNECT_SECONDS = 10.0
NO_KEY = "none"
REFUSAL, ARGUMENTS = "refusal", "arguments"
"""Keys in a message's additional_kwargs."""

# Faults are reported as events, with advice.
logging.getLogger("langchain_openai").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", module=r"langchain_openai\.")


class CompatibleChat(ChatOpenAI):
    """ChatOpenAI that keeps refusals and the original tool arguments of a stream.

    LangChain completes truncated arguments, so that they look valid.
    """

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        generation = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if generation is not None:
            for choice in chunk.get("choices") or ():
                generation.message.additional_kwargs |= _kept_pieces(choice.get("delta") or {})
        return generation


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    """The system's certificates, loaded once because loading is slow."""
    return httpx2.create_ssl_context()


def _kept_pieces(delta: Mapping[str, Any]) -> dict[str, str]:
    """The refusal and tool arguments in a chunk, which LangChain appends to earlier ones."""
    called = [call for call in delta.get("tool_calls") or () if not call.get("index")]
    pieces = {
        REFUSAL: delta.get("refusal"),
        ARGUMENTS: "".join((call.get("function") or {}).get("arguments") or "" for call in called),
    }
    return {key: piece for key, piece in pieces.items() if piece}


class ModelClient:
    """The LangChain models of a choice, with a shared connection pool."""

    def __init__(self, choice: ModelChoice, settings: Settings) -> None:
        """Create a client; connections open on first use."""
        self._choice = choice
        self._settings = settings
        self._http: DefaultAsyncHttpxClient | None = None
        self._made: dict[tuple[object, ...], BaseChatModel] = {}

    @property
    def errors(self) -> tuple[type[BaseException], ...]:
        """The exceptions of a call: OpenAI's, the provider's, and httpx's if it is loaded."""
        places = ((self._choice.provider, "APIError"), ("httpx", "HTTPError"))
        loaded = (getattr(sys.modules.get(module), error, None) for module, error in places)
        return (*ENDPOINT_ERRORS, *(error for error in loaded if error))

    def get_model(self, features: EndpointFeatures, limit: int | None) -> BaseChatModel:
        """The model with these features and reply limit; retries are left to the caller.

        Raises UsageError if the provider's package is missing.
        """
        key = (features.temperature, features.limit, features.stream, features.usage, limit)
        if key not in self._made:
            make = self._make_compatible if is_compatible(self._choice) else self._make_other
            self._made[key] = make(features, limit)
        return self._made[key]

    async def aclose(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.aclose()
        self._http = None
        self._made.clear()

    def _make_compatible(self, features: EndpointFeatures, limit: int | None) -> BaseChatModel:
        seconds = self._settings.model_seconds
        base, key = resolve_endpoint(self._choice, self._settings)
        if self._http is None:
            self._http = DefaultAsyncHttpxClient(
                verify=_tls_context(),
                proxy=self._settings.proxy_for(base),
                trust_env=False,
                follow_redirects=False,  # what is sent is for this endpoint alone
            )
        model = CompatibleChat(
            model_name=self._choice.model,
            openai_api_base=base,
            openai_api_key=key or SecretStr(NO_KEY),
            openai_proxy=None,
            temperature=self._choice.temperature if features.temperature else None,
            extra_body={features.limit: limit} if limit and features.limit else None,
            streaming=features.stream,
            stream_usage=features.usage,
            stream_chunk_timeout=seconds,
            request_timeout=Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            max_retries=0,
            use_responses_api=False,
            http_async_client=self._http,
            http_client=DefaultHttpxClient(
                verify=_tls_context(), trust_env=False
            ),  # unused, but it would make its own
        )
        if base != OPENAI_URL:  # LangChain reads them from OpenAI's variables for all endpoints
            model.root_async_client.organization = model.root_async_client.project = None
        return model

    def _make_other(self, features: EndpointFeatures, limit: int | None) -> BaseChatModel:
        options: dict[str, Any] = {"max_retries": 0, "timeout": self._settings.model_seconds}
        if limit and features.limit:
            options["max_tokens"] = limit
        if features.temperature:
            options["temperature"] = self._choice.temperature
        if self._choice.base_url:
            options["base_url"] = self._choice.base_url
        try:
            chat: BaseChatModel = import_module("langchain.chat_models").init_chat_model(
                self._choice.name, **options
            )
        except (ImportError, ValueError) as error:
            raise UsageError(
                f"{self._choice.name} cannot be opened: {error}",
                f"Install what {self._choice.provider} needs beside the extra `providers`.",
            ) from error
        return chat
