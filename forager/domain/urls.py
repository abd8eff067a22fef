"""Which addresses mean one page, and which belong to one site; all are canonical."""

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from w3lib.url import safe_url_string

from forager.domain.state import Page, State, Step
from forager.domain.url_rules import forbidding_entry
from forager.errors import AddressError

INDEX_PAGE = re.compile(r"/(?:index\.(?:x?html?|php|aspx?|jsp)|default\.(?:html?|aspx?))$")


@lru_cache(maxsize=65536)
def page_identity(url: str) -> str:
    """What the addresses of one page share: sorted parameters, an index page is its folder."""
    parts = urlsplit(url)
    if not parts.query:
        return urlunsplit(parts._replace(path=INDEX_PAGE.sub("/", parts.path)))
    return urlunsplit(parts._replace(query="&".join(sorted(parts.query.split("&")))))


def tried_pages(steps: Iterable[Step]) -> set[str]:
    """The identities of the pages that were opened, or could not be."""
    found = set()
    for step in steps:
        if step.action.kind == "visit":
            found.add(page_identity(step.action.target))
        if step.page:
            found.add(page_identity(step.page.url))
    return found


def pages_at_hand(state: State) -> tuple[Page, ...]:
    """The pages that are read again without a load: those of earlier turns, as they were then.

    Of earlier sessions those that their site's map has word for word as they were.
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
    """The identities of the pages that a run has tried, or has at hand."""
    return tried_pages(state.steps) | {page_identity(page.url) for page in pages_at_hand(state)}


@lru_cache(maxsize=65536)
def same_site(root: str, url: str) -> bool:
    """Same host, but for `www.`, and same port; http and https are one."""
    return site_host(root) == site_host(url)


@lru_cache(maxsize=65536)
def site_host(url: str) -> tuple[str, int | None]:
    """What the addresses of one site share: the host but for `www.`, and a port of its own."""
    parts = urlsplit(url)
    port = parts.port
    return (parts.hostname or "").removeprefix("www."), None if port in (80, 443) else port


def link_target(page: str, href: str) -> str:
    """Where a link of a page leads on the web; empty for a script, a mail, or no address at all."""
    try:
        there = urljoin(page, href)
        on_web = urlsplit(there).scheme in {"http", "https"} and bool(site_host(there)[0])
    except ValueError:
        return ""
    return there if on_web else ""


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
_FILE_ENDINGS = """
    7z apk atom avi bin bmp bz2 class css csv dat deb dmg doc docx eot epub exe flac gif gz ico iso
    jar jpeg jpg js json jsonl m4a m4v map mid mobi mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf
    pkg png ppt pptx ps rar rpm rss so svg swf tar tgz tif tiff ttf wasm wav webm webp whl wmv woff
    woff2 xls xlsx xz z zip zst
"""
NOT_PAGES = frozenset(_FILE_ENDINGS.split())


@lru_cache(maxsize=65536)
def canonical_url(url: str) -> str:
    """The address to fetch, in one spelling; idempotent.

    Without fragment, default port, credentials, dot segments, session and tracking parameters.
    Raises AddressError for what is not an http or https address.
    """
    try:
        parts = urlsplit(BLANKS.sub("", url.strip("\x00 \t\r\n\f")))
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


def _canonical_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        host = host.encode("idna").decode("ascii")
    if not host or re.search(r"[\s<>\"{}|\\^`%]", host):
        raise ValueError("the host name is not valid")
    port = parts.port
    return host if port in (None, DEFAULT_PORTS[parts.scheme.lower()]) else f"{host}:{port}"


def _percent_encode(text: str, before: str) -> str:
    """Percent-encoded, with escapes of unreserved characters undone and the others in capitals."""
    if not text:
        return ""
    safe = safe_url_string(f"http://h/{before}{text}")[len("http://h/") + len(before) :]
    if "%" in safe:
        safe = UNRESERVED.sub(lambda found: chr(int(found[1], 16)), safe)
        safe = LOWER_ESCAPE.sub(lambda found: found[0].upper(), safe)
    return safe


def _canonical_path(path: str) -> str:
    path = _percent_encode(SESSION_IN_PATH.sub("", path.replace("\\", "/")).lstrip("/"), "")
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
    """The identity of a page: canonical, parameters sorted, an index page folded into a folder."""
    return page_identity(canonical_url(url))


def resolve_link(base: str, href: str) -> str | None:
    """The canonical address of a link on a page with this base; None where it leaves the web."""
    href = href.partition("#")[0].strip("\x00 \t\r\n\f")
    whole = href[:1] in ("", "?")
    return _join_link(base if whole else base.partition("?")[0].rpartition("/")[0], href)


@lru_cache(maxsize=65536)
def _join_link(base: str, href: str) -> str | None:
    """`base` is the address for an empty link or a query, else the folder without its slash."""
    scheme = SCHEME.match(href)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return None
    if "\\" in href:
        path, mark, query = href.partition("?")
        href = path.replace("\\", "/") + mark + query
    try:
        return canonical_url(urljoin(base if href[:1] in ("", "?") else f"{base}/", href))
    except (ValueError, AddressError):
        return None


def folder_url(url: str) -> str:
    """The address up to the last slash of its path."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path.rpartition("/")[0] + "/", query=""))


@lru_cache(maxsize=65536)
def looks_like_page(url: str) -> bool:
    """Not an image, archive, medium or other file that holds no readable page; a PDF is a page."""
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() not in NOT_PAGES if "." in name else True
