"""The HTTP API of a search provider: JSON requests, and errors that never show the key."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2
from pydantic import JsonValue, SecretStr
from pydantic_core import from_json

from forager.adapters.search.provider import ResultRows
from forager.adapters.search.refusals import find_reason, retry_delay, suggest_mend
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.adapters.web.fetch.http_exchange import (
    GuardedTransport,
    HttpResponse,
    read_body,
    translate_errors,
)
from forager.adapters.web.fetch.politeness import Sleep
from forager.domain import urls
from forager.errors import AddressError, SearchError, WebError
from forager.settings import Settings

JsonObject = dict[str, JsonValue]


@dataclass(frozen=True)
class ProviderAccess:
    """A provider's name, URL and key, and the names of the settings that hold them."""

    name: str
    url: str
    url_setting: str
    key: SecretStr | None = None
    key_setting: str = ""
    refused: str = ""
    """What to do if a provider without a key refuses a request."""

    @classmethod
    def from_settings(cls, name: str, settings: Settings, refused: str = "") -> "ProviderAccess":
        """Read the settings whose names begin with the provider's name."""
        key = f"{name}_key" if f"{name}_key" in Settings.model_fields else ""
        return cls(
            name=name,
            url=getattr(settings, f"{name}_url"),
            url_setting=f"FORAGER_{name}_URL".upper(),
            key=getattr(settings, key) if key else None,
            key_setting=f"FORAGER_{key}".upper() if key else "",
            refused=refused,
        )


class ProviderApi:
    """Connects on first use, and only to the configured host."""

    def __init__(
        self, access: ProviderAccess, settings: Settings, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._access = access
        self._settings = settings
        self._sleep = sleep
        self._opened: GuardedTransport | None = None

    @property
    def key(self) -> str:
        """The key to send. Raises SearchError if it is missing or invalid."""
        access = self._access
        key = access.key.get_secret_value().strip() if access.key else ""
        if not key:
            raise SearchError(
                f"{access.name} needs a key.",
                f"Set {access.key_setting}, or leave {access.name} out of FORAGER_SEARCH.",
            )
        if not (key.isascii() and key.isprintable()):
            raise self._search_error("has a key with invalid characters", "Correct it.")
        return key

    async def get(
        self, path: str, params: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> JsonObject:
        """Send a GET request and return the JSON object. Raises SearchError."""
        url = httpx2.URL(self._base_url() + path, params=dict(params))
        return await self._send_with_retry(
            httpx2.Request("GET", url, headers=self._request_headers(headers))
        )

    async def post(self, path: str, body: JsonObject, headers: Mapping[str, str]) -> JsonObject:
        """Send a POST request and return the JSON object. Raises SearchError."""
        url = self._base_url() + path
        return await self._send_with_retry(
            httpx2.Request("POST", url, headers=self._request_headers(headers), json=body)
        )

    def get_list(self, reply: JsonObject, *path: str, needed: bool = True) -> list[JsonValue]:
        """Return the list at a path of a reply; a missing list is empty unless it is `needed`.

        Raises SearchError.
        """
        value: JsonValue = reply
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, list):
            return value
        if value is None and not needed:
            return []
        raise self._search_error(f"answered without {'.'.join(path)}", "Its API may have changed.")

    async def aclose(self) -> None:
        """Close every connection."""
        if self._opened is not None:
            await self._opened.aclose()
            self._opened = None

    def _request_headers(self, more: Mapping[str, str] | None) -> dict[str, str]:
        agent = {"User-Agent": self._settings.user_agent, "Accept": "application/json"}
        return agent | {"Accept-Encoding": "gzip, deflate"} | dict(more or {})

    def _base_url(self) -> str:
        access = self._access
        if not access.url.strip():
            raise SearchError(
                f"{access.name} has no address.",
                f"Set {access.url_setting}, or leave {access.name} out of FORAGER_SEARCH.",
            )
        try:
            return urls.canonical_url(access.url).rstrip("/")
        except AddressError as error:
            raise self._search_error(
                f"cannot be queried: {error.what}", f"Correct {access.url_setting}."
            ) from error

    async def _send_with_retry(self, request: httpx2.Request) -> JsonObject:
        answer = await self._send_request(request)
        if wait := retry_delay(answer):
            await self._sleep(wait)
            answer = await self._send_request(request)
        if answer.status != HTTPStatus.OK:
            raise self._refusal_error(answer)
        try:
            reply = from_json(answer.body)
        except ValueError:
            raise self._unreadable_error(answer.body) from None
        if not isinstance(reply, dict):
            raise self._search_error(
                "answered with JSON that is not an object", self._address_advice()
            )
        return reply

    async def _send_request(self, request: httpx2.Request) -> HttpResponse:
        """Send a request without httpx2's client, which would log the URL with the key."""
        settings, base = self._settings, self._base_url()
        request.extensions["timeout"] = httpx2.Timeout(settings.request_seconds).as_dict()
        try:
            async with translate_errors(base, settings.request_seconds):
                response = await self._open_transport(base).handle_async_request(request)
                try:
                    body = await read_body(response, base, settings.max_bytes)
                finally:
                    await response.aclose()
        except WebError as error:
            mend = error.mend or "Try again later."
            raise self._search_error(f"could not be queried: {error.what}", mend) from error
        return HttpResponse(response.status_code, dict(response.headers), body)

    def _open_transport(self, base: str) -> GuardedTransport:
        """Open a transport for HTTP/1.1 only: the HTTP/2 library would log headers with the key."""
        if self._opened is None:
            parts = urlsplit(base)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            self._opened = GuardedTransport(AddressGuard([f"{parts.hostname}:{port}"]), http2=False)
        return self._opened

    def _refusal_error(self, answer: HttpResponse) -> SearchError:
        status = answer.status
        phrase = f" {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else ""
        why = find_reason(answer.body)
        message = f"answered {status}{phrase}" + (f": {why}" if why else "")
        if location := answer.headers.get("location", "").partition("?")[0]:
            return self._search_error(message, f"Set {self._access.url_setting} to {location}.")
        setting = self._access.key_setting or self._access.url_setting
        check = self._access.refused or f"Check {setting}."
        return self._search_error(message, suggest_mend(status, why, check))

    def _unreadable_error(self, body: bytes) -> SearchError:
        if body.lstrip()[:1] == b"<":
            return self._search_error(
                "answered with a web page instead of JSON", self._address_advice()
            )
        if not body.strip():
            return self._search_error("answered with an empty body", self._address_advice())
        return self._search_error("answered with invalid JSON", "Try again later.")

    def _address_advice(self) -> str:
        return f"Check {self._access.url_setting}; a login page or a captcha may be in the way."

    def _search_error(self, message: str, mend: str) -> SearchError:
        message = f"{self._access.name} {message.rstrip('.')}."
        return SearchError(self._hide_key(message), self._hide_key(mend))

    def _hide_key(self, text: str) -> str:
        key = self._access.key.get_secret_value().strip() if self._access.key else ""
        return text.replace(key, "***") if key else text


class HttpProvider(ABC):
    """The base of providers with an HTTP API; `refused` is as in ProviderAccess."""

    name: str
    crawled = False
    refused = ""

    def __init__(self, settings: Settings, sleep: Sleep = asyncio.sleep) -> None:
        self._settings = settings
        self._api = ProviderApi(
            ProviderAccess.from_settings(self.name, settings, self.refused), settings, sleep
        )

    @abstractmethod
    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()
