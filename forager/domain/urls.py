"""URLs: their canonical form, which ones denote the same page or site, and which are forbidden."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from w3lib.url import safe_url_string

from forager.domain.state import Page, State, Step
from forager.errors import AddressError

INDEX_PAGE = re.compile(r"/(?:index\.(?:x?html?|php|aspx?|jsp)|default\.(?:html?|aspx?))$")


@lru_cache(maxsize=65536)
def page_identity(url: str) -> str:
    """A key shared by all URLs of a page: parameters sorted, an index page as its folder."""
    parts = urlsplit(url)
    if not parts.query:
        return urlunsplit(parts._replace(path=INDEX_PAGE.sub("/", parts.path)))
    return urlunsplit(parts._replace(query="&".join(sorted(parts.query.split("&")))))


def tried_pages(steps: Iterable[Step]) -> set[str]:
    """The identities of all pages that the steps opened or tried to open."""
    found = set()
    for step in steps:
        if step.action.kind == "visit":
            found.add(page_identity(step.action.target))
        if step.page:
            found.add(page_identity(step.page.url))
    return found


def pages_at_hand(state: State) -> tuple[Page, ...]:
    """The recalled pages that can be read again without a request.

    These are pages of earlier turns, and pages of earlier sessions that are unchanged in their
    site's map. Forbidden ones are left out.
    """
    turns = {page_identity(page.url) for turn in state.past for page in turn.pages}
    same = {(page_identity(arm.url), arm.blob) for arm in state.arms}
    return tuple(
        page
        for page in state.recall.pages
        if (page_identity(page.url) in turns or (page_identity(page.url), page.blob) in same)
        and not forbidding_entry(state.question.forbidden, page.url)
    )


def tried_or_at_hand(state: State) -> set[str]:
    """The identities of the pages that a run has tried or can read without a request."""
    return tried_pages(state.steps) | {page_identity(page.url) for page in pages_at_hand(state)}


@lru_cache(maxsize=65536)
def same_site(root: str, url: str) -> bool:
    """Do two URLs have the same host (ignoring `www.`) and port? http and https count as equal."""
    return site_host(root) == site_host(url)


@lru_cache(maxsize=65536)
def site_host(url: str) -> tuple[str, int | None]:
    """A key shared by all URLs of a site: the host without `www.`, and a non-default port."""
    parts = urlsplit(url)
    port = parts.port
    return (parts.hostname or "").removeprefix("www."), None if port in (80, 443) else port


def link_target(page: str, href: str) -> str:
    """The absolute URL of a link; empty for scripts, mail addresses and invalid links."""
    try:
        target = urljoin(page, href)
        on_web = urlsplit(target).scheme in {"http", "https"} and bool(site_host(target)[0])
    except ValueError:
        return ""
    return target if on_web else ""


DEFAULT_PORTS = {"http": 80, "https": 443}
SESSION_PARAMETER = re.compile(
    r"phpsessid|jsessionid|aspsessionid\w*|session_?id|cfid|cftoken|oscsid|zenid", re.I
)
TRACKING_PARAMETER = re.compile(
    r"utm_\w+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl", re.I
)
LONG_SESSION_ID = re.compile(r"(?:sid|s|session)=[0-9a-z]{16,}", re.I)
SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.I)
UNRESERVED = re.compile(r"%([46][1-9A-Fa-f]|[57][0-9Aa]|3[0-9]|2[DdEe]|5[Ff]|7[Ee])")
LOWER_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
BLANKS = re.compile(r"[\t\r\n]")
MAX_LENGTH = 2000
PLAIN = re.compile(r"[\w.~/-]*", re.ASCII)
"""Characters of a path that need no escape."""
CANONICAL = re.compile(
    r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?!80/|443/)[1-9]\d{1,3})?"
    r"/(?!/)[\w~/-]*(?:\.[\w~-][\w~/-]*)*",
    re.ASCII,
)
"""The most frequent form of canonical URLs, which is known without taking them apart."""
_FILE_ENDINGS = """
    7z apk atom avi bin bmp bz2 class css csv dat deb dmg doc docx eot epub exe flac gif gz ico iso
    jar jpeg jpg js json jsonl m4a m4v map mid mobi mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf
    pkg png ppt pptx ps rar rpm rss so svg swf tar tgz tif tiff ttf wasm wav webm webp whl wmv woff
    woff2 xls xlsx xz z zip zst
"""
NOT_PAGES = frozenset(_FILE_ENDINGS.split())


@lru_cache(maxsize=65536)
def canonical_url(url: str) -> str:
    """The canonical form of a URL to fetch; idempotent.

    Fragment, default port, credentials, dot segments, and session and tracking parameters are
    removed. Raises AddressError if it is not an http or https URL.
    """
    if len(url) <= MAX_LENGTH and CANONICAL.fullmatch(url):
        return url
    try:
        parts = urlsplit(_with_slashes(BLANKS.sub("", url.strip("\x00 \t\r\n\f"))))
        if parts.scheme.lower() not in DEFAULT_PORTS or not parts.hostname:
            raise AddressError(
                f"{url[:200]!r} is not a web address.", "Write it as https://host/path."
            )
        if len(url) > MAX_LENGTH:
            raise AddressError(f"The address {url[:80]}… is longer than {MAX_LENGTH} characters.")
        query = _canonical_query(_percent_encode(parts.query, "?"))
        return urlunsplit(
            (parts.scheme.lower(), _canonical_host(parts), _canonical_path(parts.path), query, "")
        )
    except ValueError as error:
        raise AddressError(
            f"{url[:200]!r} is not a web address: {error}.", "Check the spelling."
        ) from error


def _with_slashes(url: str) -> str:
    """The URL with slashes for backslashes before its query and fragment, as browsers read it."""
    place = re.search("[?#]", url)
    end = place.start() if place else len(url)
    return url[:end].replace("\\", "/") + url[end:]


def _canonical_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        host = host.encode("idna").decode("ascii")
    if not host or re.search(r"[\x00-\x20\x7f<>\"{}|\\^`%]", host):
        raise ValueError("the host name is not valid")
    port = parts.port
    return host if port in (None, DEFAULT_PORTS[parts.scheme.lower()]) else f"{host}:{port}"


def _percent_encode(text: str, before: str) -> str:
    """Percent-encode; unreserved characters are unescaped, other escapes are in upper case."""
    if PLAIN.fullmatch(text):
        return text
    safe = safe_url_string(f"http://h/{before}{text}")[len("http://h/") + len(before) :]
    if "%" in safe:
        safe = UNRESERVED.sub(lambda found: chr(int(found[1], 16)), safe)
        safe = LOWER_ESCAPE.sub(lambda found: found[0].upper(), safe)
    return safe


def _canonical_path(path: str) -> str:
    path = _percent_encode(SESSION_IN_PATH.sub("", path).lstrip("/"), "")
    if "./" in f"{path}/":
        folder = path.endswith(("/", "/.", "/..")) or path in (".", "..")
        path = posixpath.normpath(f"/{path}").lstrip("/")
        path += "/" if folder and path else ""
    return f"/{path}"


def _canonical_query(query: str) -> str:
    if not query:
        return ""
    return "&".join(pair for pair in query.split("&") if pair and not _is_noise(pair))


def _is_noise(pair: str) -> bool:
    name = pair.partition("=")[0]
    return bool(
        SESSION_PARAMETER.fullmatch(name)
        or TRACKING_PARAMETER.fullmatch(name)
        or LONG_SESSION_ID.fullmatch(pair)
    )


@lru_cache(maxsize=65536)
def page_key(url: str) -> str:
    """The page identity of a URL in any form; see `canonical_url` and `page_identity`."""
    return page_identity(canonical_url(url))


def resolve_link(base: str, href: str) -> str | None:
    """The canonical URL of a link on a page with this base; None if it is not http or https."""
    href = href.partition("#")[0].strip("\x00 \t\r\n\f")
    whole = href[:1] in ("", "?")
    return _join_link(base if whole else base.partition("?")[0].rpartition("/")[0], href)


@lru_cache(maxsize=65536)
def _join_link(base: str, href: str) -> str | None:
    """`base` is the whole URL for an empty link or a query, else its folder without the slash."""
    scheme = SCHEME.match(href)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return None
    href = _with_slashes(href)
    try:
        return canonical_url(urljoin(base if href[:1] in ("", "?") else f"{base}/", href))
    except (ValueError, AddressError):
        return None


def folder_url(url: str) -> str:
    """The URL up to the last slash of its path."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path.rpartition("/")[0] + "/", query=""))


@lru_cache(maxsize=65536)
def looks_like_page(url: str) -> bool:
    """Does the URL look like a readable page (or PDF), not an image, archive or other file?"""
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() not in NOT_PAGES if "." in name else True


ADDRESS_ENDS = ("", "/", "?", "#")
_forbidden_now: ContextVar[tuple[str, ...]] = ContextVar("forbidden", default=())


def forbidding_entry(entries: Iterable[str], url: str) -> str:
    """The first entry that forbids the URL, or empty."""
    return next((entry for entry in entries if _entry_forbids(entry, url)), "")


def check_allowed(entries: Iterable[str], url: str) -> None:
    """Raise AddressError if the URL is forbidden."""
    if entry := forbidding_entry(entries, url):
        raise AddressError(f"{url} is not read: {entry} was forbidden.")


@contextmanager
def forbid_addresses(entries: Iterable[str]) -> Iterator[None]:
    """Forbid these addresses to all requests in the body, including tasks it starts."""
    token = _forbidden_now.set(tuple(entries))
    try:
        yield
    finally:
        _forbidden_now.reset(token)


def check_allowed_now(url: str) -> None:
    """Raise AddressError if the URL is forbidden in the current context."""
    check_allowed(_forbidden_now.get(), url)


@lru_cache(maxsize=65536)
def _entry_forbids(entry: str, url: str) -> bool:
    if "://" not in entry:
        return _same_host(entry, url)
    prefix, address = (_without_scheme(text) for text in (entry, url))
    if not address.startswith(prefix):
        return False
    return prefix.endswith("/") or address[len(prefix) : len(prefix) + 1] in ADDRESS_ENDS


def _same_host(entry: str, url: str) -> bool:
    try:
        parts, entry_parts = urlsplit(url), urlsplit(f"//{entry}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        if entry_parts.port and entry_parts.port != port:
            return False
    except ValueError:
        return False
    host, name = ((each.hostname or "").removeprefix("www.") for each in (parts, entry_parts))
    return host == name or host.endswith(f".{name}")


def _without_scheme(url: str) -> str:
    """The URL without scheme and `www.`; a bare host gets a slash."""
    rest = url.partition("://")[2].removeprefix("www.")
    return rest if "/" in rest else f"{rest}/"
