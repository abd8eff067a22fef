"""Fetches pages once, politely and within limits. Nothing here parses them."""

import asyncio
import logging
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.adapters.web.fetch.http_exchange import (
    REDIRECTS,
    AcceptsType,
    BrokenConnectionError,
    HttpResponse,
    accept_any_type,
    follow_redirects,
    open_client,
    send_request,
)
from forager.adapters.web.fetch.politeness import HostLimiter, Robots, RobotsRules, Sleep, Traffic
from forager.adapters.web.read.page_reader import is_readable
from forager.adapters.web.web_database import CachedResponse, PageCache
from forager.browsing.safety.address_verbs import link_side_effect
from forager.domain import urls
from forager.domain.actions import ApiRequest
from forager.domain.urls import check_allowed_now
from forager.errors import (
    AddressError,
    LoginRedirectError,
    RedirectLoopError,
    StatusError,
    WebError,
)
from forager.ports import Blobs
from forager.settings import Settings
from forager.text.page_words import leads_to_login
from forager.util import telemetry

STATUS_ADVICE = {
    401: "Forager reads public pages only; this one asks for a login.",
    403: "The site does not let programs read this page; try another page or another site.",
    404: "Check the address; the page may have moved.",
    407: "A proxy asks for a login.",
    410: "The page is gone for good.",
    429: "The site limits the request rate; try again later.",
}


def status_error(url: str, status: int, retry_after: float | None = None) -> StatusError:
    """The error for a response whose status is not a success."""
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "unknown status"
    mend = STATUS_ADVICE.get(
        status,
        "The site has a problem; try again later."
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR
        else "",
    )
    if retry_after:
        mend = f"The site asks to wait {retry_after:.0f} s; try again later."
    return StatusError(f"{url} answered {status} {phrase}.", mend, status=status)


LOG = logging.getLogger(__name__)
ATTEMPTS = 3
FIRST_WAIT = 0.5
MAX_WAIT = 30.0
ACCEPTED_OF_APIS = "application/json, text/html;q=0.9, text/*;q=0.8"
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A cached response; `data` is its body if it was downloaded just now."""

    entry: CachedResponse
    cached: bool
    data: bytes | None = None


class Fetcher:
    """Fetches from all hosts; pages younger than `survey_age_seconds` come from the cache."""

    def __init__(
        self,
        settings: Settings,
        cache: PageCache,
        blobs: Blobs,
        sleep: Sleep = asyncio.sleep,
        traffic: Traffic | None = None,
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._blobs = blobs
        self._sleep = sleep
        self._guard = AddressGuard(settings.allow_private)
        self._traffic = traffic or Traffic()
        self._robots = Robots(settings.user_agent, self._load_side_file, self._traffic)
        self._hosts: dict[str, HostLimiter] = {}
        self._client: httpx2.AsyncClient | None = None
        self.threads = ThreadPoolExecutor(4, "forager-web")

    async def get(self, url: str, since: float | None = None, renew: bool = False) -> FetchedPage:
        """Get a page from the cache if it is recent or was fetched after `since` (epoch, s).

        With `renew` the cache is ignored. Raises WebError and StoreError.
        """
        url = urls.canonical_url(url)
        check_allowed_now(url)
        key = urls.page_key(url)
        lock = self._traffic.pages.setdefault(key, asyncio.Lock())
        async with lock:
            entry = None if renew else self._cache.find_response(key)
            if entry and self._is_fresh(entry, since):
                telemetry.count("forager.pages", cached="yes")
                return FetchedPage(entry, cached=True)
            with telemetry.span("fetch", url__full=url.partition("?")[0]) as told:
                page = await self._follow_redirects(url, entry, since)
                told.tell(forager__cached=page.cached)
            telemetry.count("forager.pages", cached="yes" if page.cached else "no")
            return page

    def _is_fresh(self, entry: CachedResponse, since: float | None) -> bool:
        young = time.time() - entry.fetched < self._settings.survey_age_seconds
        return young or (since is not None and entry.fetched >= since)

    async def _follow_redirects(
        self, url: str, entry: CachedResponse | None, since: float | None
    ) -> FetchedPage:
        seen: set[tuple[str, frozenset[str]]] = set()
        hop, login, without = url, "", self._cookies()
        while len(seen) <= self._settings.max_redirects:
            cookies = self._cookies()
            if (hop, cookies) in seen:
                kept = " although its cookies were kept" if cookies - without else ""
                raise RedirectLoopError(f"{url} redirects in a loop{kept}.", "Check the address.")
            seen.add((hop, cookies))
            check_allowed_now(hop)
            known = self._cache.find_response(urls.page_key(hop)) if hop != url else entry
            if known and hop != url and self._is_fresh(known, since):
                self._cache.put(known, [urls.page_key(url)])
                return FetchedPage(known, cached=True)
            login = login or hop if leads_to_login(url, hop) else login
            try:
                answer = await self._fetch_hop(url, hop, known)
                if answer.status not in REDIRECTS or not answer.headers.get("location"):
                    return await self._store_answer(url, hop, answer, known)
            except WebError as error:
                if not login:
                    raise
                raise LoginRedirectError(
                    f"{url} redirects to {login}, which asks for a login: {error.what}",
                    STATUS_ADVICE[HTTPStatus.UNAUTHORIZED],
                ) from error
            hop = _redirect_target(url, hop, answer.headers["location"])
            _refuse_change(url, hop)
        raise RedirectLoopError(
            f"{url} redirects more than {len(seen) - 1} times.", "Check the address."
        )

    def _cookies(self) -> frozenset[str]:
        """The cookies that sites have set in this run; they are sent back to those sites alone."""
        jar = self._client.cookies.jar if self._client else ()
        return frozenset(f"{each.domain} {each.name}={each.value}" for each in jar)

    async def _fetch_hop(self, url: str, hop: str, known: CachedResponse | None) -> HttpResponse:
        headers = known.conditional_headers() if known and known.url == hop else {}
        try:
            await self._admit(hop)
            return await self._fetch_with_retries(hop, headers, is_readable)
        except AddressError as error:
            if hop == url:
                raise
            raise AddressError(f"{url} redirects to {hop}: {error.what}", error.mend) from error

    async def _admit(self, url: str) -> HostLimiter:
        """The limits of its host, if the guard and robots.txt allow the URL. Raises WebError."""
        self._guard.check_url(url)
        host = self._host_limiter(url)
        rules = await self._robots.check_permission(url, host.lifted)
        host.set_least_pause(rules.crawl_delay())
        return host

    async def _fetch_with_retries(
        self, url: str, headers: Mapping[str, str], accepts: AcceptsType
    ) -> HttpResponse:
        """Send a request, and retry it after temporary faults."""
        host = self._host_limiter(url)
        for attempt in range(1, ATTEMPTS + 1):
            wait = FIRST_WAIT * 2 ** (attempt - 1)
            try:
                answer = await self._send_request(
                    host, ApiRequest(url=url, headers=headers), accepts
                )
            except BrokenConnectionError:
                if attempt == ATTEMPTS:
                    raise
            else:
                wait = max(wait, _retry_after(answer) or 0.0)
                if answer.status not in RETRIED_STATUSES or attempt == ATTEMPTS or wait > MAX_WAIT:
                    return answer
            await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _send_request(
        self, host: HostLimiter, request: ApiRequest, accepts: AcceptsType
    ) -> HttpResponse:
        settings, url = self._settings, request.url
        if self._client is None:
            self._client = open_client(settings, self._guard)
        async with host.wait_turn():
            start = time.monotonic()
            answer = await send_request(self._client, request, settings, accepts)
        took = time.monotonic() - start
        await host.observe(took, answer.status, _retry_after(answer) or 0.0)
        size = len(answer.body)
        LOG.info("fetched %s: %d, %d B, %.2f s", urlsplit(url).netloc, answer.status, size, took)
        LOG.debug("fetched %s", url)
        return answer

    async def _store_answer(
        self, url: str, hop: str, answer: HttpResponse, known: CachedResponse | None
    ) -> FetchedPage:
        """Store a response under the requested URL and the URL after redirects."""
        keys = list(dict.fromkeys((urls.page_key(url), urls.page_key(hop))))
        if answer.status == HTTPStatus.NOT_MODIFIED and known:
            entry = replace(known, fetched=time.time())
            self._cache.put(entry, keys)
            return FetchedPage(entry, cached=True)
        if answer.status != HTTPStatus.OK:
            raise status_error(hop, answer.status, _retry_after(answer))
        headers = answer.headers
        entry = CachedResponse(
            key=keys[0],
            url=hop,
            content_type=headers.get("content-type", ""),
            etag=headers.get("etag", ""),
            modified=headers.get("last-modified", ""),
            fetched=time.time(),
            body="",
        )
        loop = asyncio.get_running_loop()
        entry = await loop.run_in_executor(
            self.threads, self._store_response, entry, keys, answer.body, known
        )
        return FetchedPage(entry, cached=False, data=answer.body)

    def _store_response(
        self, entry: CachedResponse, keys: list[str], body: bytes, known: CachedResponse | None
    ) -> CachedResponse:
        digest = self._blobs.put(body, "response")
        same = known is not None and known.body == digest and known.url == entry.url
        read = (known.document, known.reader) if known and same else ("", 0)
        entry = replace(entry, body=digest, document=read[0], reader=read[1])
        self._cache.put(entry, keys)
        return entry

    async def send(self, request: ApiRequest) -> HttpResponse:
        """Send a request to an API and return its reply, which is not cached. Raises WebError.

        Redirects of a GET are followed, on the same site if it has headers of its own.
        """
        url = urls.canonical_url(request.url)

        async def ask(hop: str) -> HttpResponse:
            if request.headers and not urls.same_site(url, hop):
                raise AddressError(f"{url} redirects to {hop}, which must not get its headers.")
            _refuse_change(url, hop)
            return await self._send_to_api(request.model_copy(update={"url": hop}))

        if request.method != "GET":
            return await ask(url)
        return await follow_redirects(url, ask, self._settings.max_redirects)

    async def _send_to_api(self, request: ApiRequest) -> HttpResponse:
        """Send one request, within the rules that hold for pages; a GET is sent again if it fails
        for a while."""
        url = request.url
        check_allowed_now(url)
        host = await self._admit(url)
        typed = {"Content-Type": "application/json"} if request.body else {}
        headers = {"Accept": ACCEPTED_OF_APIS, **typed, **request.headers}
        if request.method == "GET":
            return await self._fetch_with_retries(url, headers, accept_any_type)
        request = request.model_copy(update={"headers": headers})
        return await self._send_request(host, request, accept_any_type)

    async def _load_side_file(self, url: str) -> tuple[int, bytes]:
        """Fetch the status and body of robots.txt or a sitemap, following redirects."""

        async def ask(hop: str) -> HttpResponse:
            _refuse_change(url, hop)
            return await self._fetch_with_retries(hop, {}, accept_any_type)

        answer = await follow_redirects(url, ask, self._settings.max_redirects)
        return answer.status, answer.body

    async def fetch_sitemap(self, url: str) -> bytes:
        """Fetch a sitemap without caching it; empty if there is none. Raises WebError."""
        await self._robots.check_permission(url, self._host_limiter(url).lifted)
        status, body = await self._load_side_file(url)
        return body if status == HTTPStatus.OK else b""

    async def robots_rules(self, url: str) -> RobotsRules:
        """The robots.txt rules for the host of a URL. Raises WebError."""
        return await self._robots.load_rules(url, self._host_limiter(url).lifted)

    def _host_limiter(self, url: str) -> HostLimiter:
        name = urlsplit(url).netloc
        if name not in self._hosts:
            host = HostLimiter(
                name,
                self._settings.politeness_seconds,
                lifted=self._guard.is_url_allowed(url),
                sleep=self._sleep,
                crawls=self._traffic.crawls,
            )
            self._hosts[name] = self._traffic.hosts.setdefault(name, host)
        return self._hosts[name]

    async def aclose(self) -> None:
        """Close every connection and thread."""
        self.threads.shutdown(wait=True, cancel_futures=True)
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _refuse_change(url: str, hop: str) -> None:
    """Raise AddressError if a redirect may change something that its own address did not tell."""
    if (why := link_side_effect(hop)) and not link_side_effect(url):
        raise AddressError(f"{url} redirects to {hop}, which may change something: {why}.")


def _redirect_target(url: str, hop: str, location: str) -> str:
    target = urls.resolve_link(hop, location)
    if target is None:
        raise AddressError(f"{url} redirects to {location[:80]}, which is not a web address.")
    return target


def _retry_after(answer: HttpResponse) -> float | None:
    """The seconds in a Retry-After header, given as a number or a date."""
    value = answer.headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
