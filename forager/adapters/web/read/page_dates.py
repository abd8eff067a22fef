"""Finds the date that a page states for itself: its last change, or else its publication.

Dates are ISO 8601, YYYY-MM-DD or YYYY-MM. Sources are JSON-LD, `meta`, `time` elements in a header
or byline, and lines such as "Last updated on 31 May 2024" at the top, at the end or in the footer.
Dates within the text belong to events; copyright years and HTTP's Last-Modified are ignored. If a
source gives several dates of the same kind, it is ignored, too.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.text.dates import PartialDate, find_dates

FIRST_YEAR = 1990
"""The year of the first web pages."""
EDGE_LINES = 12
"""Lines searched for a date at the top and at the end of a page's text."""
MAX_LINE_LENGTH = 160
MONTHS = 12


def _split_words(line: str) -> frozenset[str]:
    return frozenset(line.split())


MODIFIED = _split_words(
    "article:modified_time og:updated_time last-modified last_modified lastmod lastmodified "
    "modified datemodified date-modified dcterms.modified dc.date.modified dc.modified revised "
    "last-updated last_updated docbuild:last-update"
)
PUBLISHED = _split_words(
    "article:published_time og:published_time date pubdate publishdate publish-date publish_date "
    "datepublished publication_date dcterms.issued dcterms.created dcterms.date dc.date dc.created "
    "dc.date.issued dc.date.created citation_date citation_publication_date citation_online_date "
    "parsely-pub-date sailthru.date"
)
PAGE_TYPE = re.compile(r"Page$")
ARTICLE_TYPE = re.compile(r"(?:Article|Posting|Report|HowTo|Recipe|CreativeWork|Dataset)$")
CHANGE_WORD = re.compile(r"modif|updat|revis|chang", re.IGNORECASE)
BYLINE = re.compile(
    r"byline|dateline|pub-?date|(?:post|entry|article|page)-?(?:date|meta|info)|published|"
    r"timestamp|updated|modified",
    re.IGNORECASE,
)
FOREIGN_NAMES = re.compile(r"comment|repl(?:y|ies)|related|teaser|card|widget|event", re.IGNORECASE)
DATE_HOLDERS = frozenset({"header", "footer", "address", "hgroup"})
FOREIGN_TAGS = frozenset({"aside", "nav", "li", "td", "blockquote"})
MAX_ANCESTORS = 4
"""Ancestors of a `time` element that are examined."""
ISO = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?![\d-])")
NUMERIC = re.compile(
    r"(?<![\d./-])(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?P<left>\d{1,2})(?P<mark>[./-])(?P<right>\d{1,2})(?P=mark)(?P<last>\d{4}))(?![\d./-]\d|\d)"
)
_SUBJECT = r"(?:this |the )?(?:page|document|site|article|file|manual|entry|content|website|text)?"
_PARTICIPLE = r"(?:updated|modified|changed|revised|edited|reviewed|amended)"
_LEAD = (
    rf"{_SUBJECT} ?(?:was |has been |is )?(?:last|latest|most recently|recently) "
    rf"(?:{_PARTICIPLE}|update|change|revision|modification|edit|review)(?: date| time)?"
    r"|date of (?:the )?last (?:update|change|revision|modification)|updated|revised|modified"
    r"|stand(?: der informationen)?|(?:diese seite wurde )?zuletzt (?:am|aktualisiert|geändert|"
    r"bearbeitet|überarbeitet)|letzte (?:änderung|aktualisierung|bearbeitung)(?: am)?|aktualisiert"
    r"|dernière (?:mise à jour|modification)(?: de cette page a été faite)?|mis(?:e)? à jour"
    r"|(?:页面|本页|本文|此页)?(?:面)?(?:最后|最近|上次)(?:更新|修改|修订|编辑)(?:日期|时间|于|在)?|更新(?:日期|时间|于)|最終更新(?:日)?"
)
_PUBLISHED = (
    rf"{_SUBJECT} ?(?:was )?(?:first )?(?:published|posted)|publication date"
    r"|date published|veröffentlicht|publiée?|发布(?:日期|时间|于)|公開日"
)
_JOINT = r"\s*(?:(?:on|at|am|le|date|in|by the author)\b)?\s*[:：|]?\s*(?:on |am |le )?"
_BREAK = r"(?:^|\s[|·•–—-]\s|[.;。]\s|[()\[\]]|,\s)"
CHANGED_PHRASE = re.compile(rf"{_BREAK}(?:{_LEAD}){_JOINT}(?=\w)", re.IGNORECASE)
PUBLISHED_PHRASE = re.compile(rf"{_BREAK}(?:{_PUBLISHED}){_JOINT}(?=\w)", re.IGNORECASE)
WEEKDAY = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag,?\s+(?:den\s+)?|mittwoch,?\s+(?:den\s+)?",
    re.IGNORECASE,
)
TIME_BEFORE_YEAR = re.compile(r"\s\d{1,2}:\d\d(?::\d\d)?(?:\s[A-Z]{2,5})?(?=\s\d{4}\b)")


class _PageDates(NamedTuple):
    """The dates of a page from one source, as ISO 8601."""

    changed: list[str]
    published: list[str]


def find_page_date(tree: LexborHTMLParser, text: str, footer: str, today: date) -> str:
    """Find the date of an HTML page; empty if there is none.

    `text` and `footer` are the visible text. Dates later than the day after `today`, which allows
    for time zones, are ignored.
    """
    lines = (*_edge_lines(text), *footer.splitlines())
    sources = (
        _json_ld_dates(tree),
        _meta_dates(tree),
        _line_dates(lines),
        _time_element_dates(tree),
    )
    return _first_consistent_date(sources, today)


def find_text_date(text: str, today: date) -> str:
    """Find the date at the top or the end of a plain text; empty if there is none."""
    return _first_consistent_date([_line_dates(_edge_lines(text))], today)


def _first_consistent_date(sources: Sequence[_PageDates], today: date) -> str:
    """The first source's only date of a change, or else of a publication."""
    for kind in (0, 1):
        for source in sources:
            found = {each for each in source[kind] if _is_possible_date(each, today)}
            if len(found) == 1:
                return found.pop()
    return ""


def _is_possible_date(iso: str, today: date) -> bool:
    year, month, *day = map(int, iso.split("-"))
    try:
        return year >= FIRST_YEAR and date(year, month, *(day or [1])) <= today + timedelta(days=1)
    except ValueError:
        return False


def _edge_lines(text: str) -> list[str]:
    """The short lines at the top and at the end."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [
        line
        for line in lines[:EDGE_LINES] + lines[EDGE_LINES:][-EDGE_LINES:]
        if len(line) <= MAX_LINE_LENGTH
    ]


def _json_ld_dates(tree: LexborHTMLParser) -> _PageDates:
    """The dates in JSON-LD of the page, or else of the articles on it."""
    items = list(_json_ld_items(tree))
    pages = [item for item in items if _has_type(item, PAGE_TYPE)]
    dated_pages = [item for item in pages if item.get("dateModified") or item.get("datePublished")]
    of = dated_pages or [item for item in items if _has_type(item, ARTICLE_TYPE)]
    return _PageDates(
        [iso for item in of for iso in _parse_iso_date(item.get("dateModified"))],
        [iso for item in of for iso in _parse_iso_date(item.get("datePublished"))],
    )


def _json_ld_items(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """The top-level objects of the page's JSON-LD and those in its graphs."""
    for script in tree.css('script[type="application/ld+json"]'):
        try:
            data = json.loads(script.text())
        except (ValueError, RecursionError):
            continue
        for top in data if isinstance(data, list) else [data]:
            if isinstance(top, dict):
                graph = top.get("@graph")
                inner = graph if isinstance(graph, list) else []
                yield from (item for item in (top, *inner) if isinstance(item, dict))


def _has_type(item: dict[str, Any], kind: re.Pattern[str]) -> bool:
    types = item.get("@type")
    named = types if isinstance(types, list) else [types]
    return any(isinstance(name, str) and kind.search(name) for name in named)


def _meta_dates(tree: LexborHTMLParser) -> _PageDates:
    """The dates in `meta` elements."""
    dates = _PageDates([], [])
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        named = (attributes.get(key) for key in ("name", "property", "itemprop", "http-equiv"))
        names = {(name or "").strip().lower() for name in named}
        kind = dates.changed if names & MODIFIED else dates.published if names & PUBLISHED else None
        if kind is not None:
            content = attributes.get("content")
            kind += _parse_iso_date(content) or _parse_written_date(content or "")
    return dates


def _time_element_dates(tree: LexborHTMLParser) -> _PageDates:
    """The dates in `time` elements that describe the page itself."""
    dates = _PageDates([], [])
    for node in islice(tree.css("time[datetime]"), 100):
        names = _class_and_property(node)
        around = list(islice(_ancestors(node), MAX_ANCESTORS))
        marks = names + "".join(_class_and_property(each) for each in around[:2])
        above = {each.tag for each in around}
        if above & FOREIGN_TAGS or any(
            FOREIGN_NAMES.search(_class_and_property(each)) for each in (node, *around)
        ):
            continue
        if not (above & DATE_HOLDERS or BYLINE.search(marks)):
            continue
        before = (around[0].text() if around else "").strip()[:40]
        kind = dates.changed if CHANGE_WORD.search(f"{marks} {before}") else dates.published
        kind += _parse_iso_date(node.attributes.get("datetime"))
    return dates


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    while parent is not None and parent.tag not in ("body", "html"):
        yield parent
        parent = parent.parent


def _class_and_property(node: LexborNode) -> str:
    attributes = node.attributes
    return f" {attributes.get('class') or ''} {attributes.get('itemprop') or ''}"


def _line_dates(lines: Iterable[str]) -> _PageDates:
    """The dates after words such as "Last updated", at the start of a line or of a part of it."""
    dates = _PageDates([], [])
    for line in lines:
        words = line.strip("#-*_> ")
        for kind, phrase in ((dates.changed, CHANGED_PHRASE), (dates.published, PUBLISHED_PHRASE)):
            ends = (found.end() for found in phrase.finditer(words))
            kind.extend(iso for end in ends for iso in _parse_written_date(words[end:]))
    return dates


def _parse_iso_date(value: object) -> list[str]:
    found = ISO.match(value.strip()) if isinstance(value, str) else None
    return ["-".join(part for part in found.groups() if part)] if found else []


def _parse_written_date(words: str) -> list[str]:
    """Parse the date at the start of a text; ambiguous dates such as 3/4/2024 are skipped."""
    words = TIME_BEFORE_YEAR.sub("", WEEKDAY.sub("", words.strip(), count=1), count=1)
    if found := NUMERIC.match(words):
        return [day] if (day := _parse_numeric_date(found)) else []
    first = next(find_dates(words[:60]), None)
    if first is None or first.start > 0 or not first.day.month:
        return []
    return [_format_date(first.day)]


def _parse_numeric_date(found: re.Match[str]) -> str:
    if found["year"]:
        return _format_date(PartialDate(int(found["year"]), int(found["month"]), int(found["day"])))
    left, right, year = int(found["left"]), int(found["right"]), int(found["last"])
    if found["mark"] == "." or left > MONTHS or left == right:
        return _format_date(PartialDate(year, right, left))
    return _format_date(PartialDate(year, left, right)) if right > MONTHS else ""


def _format_date(day: PartialDate) -> str:
    return f"{day.year:04}-{day.month:02}" + (f"-{day.day:02}" if day.day else "")
