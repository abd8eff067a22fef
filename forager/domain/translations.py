"""Translations of a page: known from its `hreflang` links, or from a language in its path."""

import re
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from forager.domain.state import Page, State
from forager.domain.urls import page_identity, pages_at_hand

LANGUAGES: Final = frozenset(
    [
        "ar",
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "en",
        "eo",
        "es",
        "et",
        "eu",
        "fa",
        "fi",
        "fr",
        "gl",
        "he",
        "hi",
        "hr",
        "hu",
        "hy",
        "id",
        "it",
        "ja",
        "ka",
        "ko",
        "lt",
        "lv",
        "mk",
        "ms",
        "nb",
        "nl",
        "nn",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sq",
        "sr",
        "sv",
        "th",
        "tr",
        "uk",
        "vi",
        "zh",
    ]
)
TAG: Final = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}))?", re.I)
NAME_MARK: Final = re.compile(r"[._]([a-z]{2}(?:[-_][a-z]{2,4})?)(?=\.[a-z]+$)", re.I)


def twin_key(url: str) -> str:
    """The page identity of a URL without the language in its path: /de/a, /a.de.html → /a."""
    parts = urlsplit(url)
    *folders, name = parts.path.split("/")
    kept = [folder for folder in folders if not _names_language(folder)]
    mark = NAME_MARK.search(name)
    if mark and _names_language(mark[1]):
        name = name[: mark.start()] + name[mark.end() :]
    path = "/".join([*kept, name])
    return page_identity(urlunsplit(parts._replace(path=path or "/")))


def read_twins(pages: Iterable[Page]) -> set[str]:
    """Keys of the pages that were read, and of all their translations."""
    return {twin_key(url) for page in pages for url in (page.url, *page.twins)}


def pages_read(state: State) -> list[Page]:
    """The pages that a run has opened, or can read without a request."""
    return [*(step.page for step in state.steps if step.page), *pages_at_hand(state)]


def without_repeats(pages: Sequence[Page], read: Iterable[Page]) -> list[Page]:
    """The pages of a wave, each once, and none that only translates one that was read."""
    if len(pages) == 1:
        return list(pages)
    wave = {page.blob for page in pages}
    known = read_twins(page for page in read if page.blob not in wave)
    kept: dict[str, Page] = {}
    for page in pages:
        if page.blob not in kept and read_twins([page]).isdisjoint(known):
            kept[page.blob] = page
            known |= read_twins([page])
    return list(kept.values()) or list(pages[:1])


def _names_language(word: str) -> bool:
    found = TAG.fullmatch(word)
    return found is not None and found[1].lower() in LANGUAGES
