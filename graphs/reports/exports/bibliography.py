"""The pages behind a session as references: BibTeX, RIS and CSL-JSON."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from forager.domain.answers import Quote
from forager.errors import UsageError
from forager.text.unicode import escape_json
from graphs.reports.exports.document import Export
from graphs.reports.exports.markup import plain_line, web_address

DATE: Final = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
KEY_SIGNS: Final = re.compile(r"[^a-z0-9]+")
MAX_HOST: Final = 40
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""The macros that every BibTeX style has."""
TEX_SIGNS: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_"}
    | {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
"""What TeX would take for a command; braces as commands, since BibTeX counts escaped ones too."""
RIS_LINE: Final = "\r\n"
LOCAL: Final = "Served locally by Forager"
"""Of a page of a site that ships with it: its address is one of this machine."""


class Reference(NamedTuple):
    """A page: `dated` is its own date, year first, of one to three parts; `site` is its host.

    Of a site that ships with Forager, which was `local`ly served, `site` is its name, and `url` is
    empty: it leads nowhere elsewhere.
    """

    key: str
    title: str
    url: str
    site: str
    dated: tuple[int, ...]
    accessed: datetime | None
    lang: str
    local: bool = False


def as_bibtex(export: Export) -> str:
    """The pages as entries of the type `misc`, with BibLaTeX's fields for address and access."""
    return "\n".join(map(_bibtex_entry, _references(export)))


def as_ris(export: Export) -> str:
    """The pages as references of the type `ELEC`."""
    return "".join(
        f"{tag}  - {text}{RIS_LINE}"
        for page in _references(export)
        for tag, text in _ris_fields(page)
    )


def as_csl(export: Export) -> str:
    """The pages as items of the type `webpage`."""
    items = [_csl_item(page) for page in _references(export)]
    return escape_json(json.dumps(items, ensure_ascii=False, indent=2)) + "\n"


def _references(export: Export) -> tuple[Reference, ...]:
    """The pages, each once, in the order in which they are cited. Raises UsageError for none."""
    quotes: list[Quote] = []
    cited = {item.id for item in export.citations}
    if export.has("sources"):
        quotes += [item for turn in export.turns for item in turn.citations]
        quotes += export.citations
    if export.has("evidence"):
        quotes += [item for item in export.evidence if item.id not in cited]
    pages = {item.url: item for item in reversed(quotes)}
    ordered = dict.fromkeys(item.url for item in quotes)
    found = tuple(_reference(pages[url], export) for url in ordered)
    if not found:
        raise UsageError(
            f"No page is cited, so there are no references to export. {export.standing}.",
            "For the pages that were read, add the part evidence."
            if export.evidence and not export.has("evidence")
            else "Export it as Markdown to see what it has.",
        )
    return _with_unique_keys(found)


def _reference(item: Quote, export: Export) -> Reference:
    """The page of a quote; what the ledger knows of it is taken from there."""
    entries = [entry for entry in export.evidence if entry.url == item.url]
    times = [entry.fetched for entry in entries if entry.fetched] or [
        export.page_times[blob] for blob in _blobs(item) if blob in export.page_times
    ]
    dated = next((entry.dated for entry in entries if entry.dated), "")
    date = DATE.match(dated)
    name = export.site_names.get(urlsplit(web_address(item.url)).netloc, "")
    return Reference(
        key=_reference_key(item.url, name),
        title=plain_line(item.title) or plain_line(item.url),
        url="" if name else web_address(item.url),
        site=name or _site(item.url),
        dated=tuple(int(each) for each in date.groups() if each) if date else (),
        accessed=max(times, default=None),
        lang=next((plain_line(entry.lang) for entry in entries if entry.lang), ""),
        local=bool(name),
    )


def _blobs(item: Quote) -> Iterator[str]:
    if blob := getattr(item, "blob", ""):
        yield blob


def _site(url: str) -> str:
    address = web_address(url)
    return (urlsplit(address).hostname or "").removeprefix("www.") if address else ""


def _reference_key(url: str, name: str = "") -> str:
    """A key that the address alone makes, so that it is the same in every export.

    The port of a site with a name of its own may be another one next time.
    """
    site, page = (name, f"{name}{urlsplit(url).path}") if name else (_site(url), url)
    host = KEY_SIGNS.sub("-", site.lower()).strip("-")[:MAX_HOST].rstrip("-")
    host = host if host[:1].isalpha() else f"page-{host}".rstrip("-")
    return f"{host}-{hashlib.sha256(page.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _with_unique_keys(pages: Iterable[Reference]) -> tuple[Reference, ...]:
    """Two keys of eight digits that fall together are told apart by a number."""
    taken: dict[str, int] = {}
    unique = []
    for page in pages:
        taken[page.key] = number = taken.get(page.key, 0) + 1
        unique.append(page._replace(key=f"{page.key}-{number}") if number > 1 else page)
    return tuple(unique)


def _bibtex_entry(page: Reference) -> str:
    year, month = (*page.dated, 0, 0)[:2]
    date = "-".join(f"{part:02}" for part in page.dated)
    fields = {
        "title": f"{{{{{page.title.translate(TEX_SIGNS)}}}}}",
        "organization": f"{{{page.site.translate(TEX_SIGNS)}}}" if page.site else "",
        "year": f"{{{year}}}" if year else "",
        "month": MONTHS[month - 1] if 0 < month <= len(MONTHS) else "",
        "date": f"{{{date}}}" if date else "",
        "howpublished": _bibtex_publication(page),
        "url": f"{{{page.url}}}" if page.url else "",
        "urldate": f"{{{page.accessed:%Y-%m-%d}}}" if page.accessed else "",
    }
    lines = "".join(f"  {name} = {value},\n" for name, value in fields.items() if value)
    return f"@misc{{{page.key},\n{lines}}}\n"


def _bibtex_publication(page: Reference) -> str:
    if page.local:
        return f"{{{LOCAL}}}"
    return f"{{\\url{{{page.url}}}}}" if page.url else ""


def _ris_fields(page: Reference) -> Iterator[tuple[str, str]]:
    yield "TY", "ELEC"
    yield "ID", page.key
    yield "TI", page.title
    if page.site:
        yield "T2", page.site
    if page.dated:
        yield "PY", str(page.dated[0])
        yield "DA", "/".join([*(f"{part:02}" for part in page.dated), "", "", ""][:4])
    if page.accessed:
        yield "Y2", f"{page.accessed:%Y/%m/%d}/"
    if page.lang:
        yield "LA", page.lang
    if page.local:
        yield "N1", LOCAL
    if page.url:
        yield "UR", page.url
    yield "ER", ""


def _csl_item(page: Reference) -> dict[str, object]:
    accessed = page.accessed and (page.accessed.year, page.accessed.month, page.accessed.day)
    item = {
        "id": page.key,
        "type": "webpage",
        "title": page.title,
        "container-title": page.site,
        "URL": page.url,
        "issued": {"date-parts": [list(page.dated)]} if page.dated else None,
        "accessed": {"date-parts": [list(accessed)]} if accessed else None,
        "language": page.lang,
        "note": LOCAL if page.local else "",
    }
    return {name: value for name, value in item.items() if value}
