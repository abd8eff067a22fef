"""Checks of questions by code: what is wrong with one, and how to mend it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bench.make_set.bm25_leak import Bm25Passages, find_leak
from bench.make_set.set_questions import Question
from bench.make_set.site_pages import SitePages
from forager.text.tokens import keywords, tokenize
from forager.util.suggest import did_you_mean
from graphs.experiments.scoring import fold_text, missing_gold

KINDS: Mapping[str, int] = {
    "single": 1,
    "multi": 2,
    "cross": 2,
    "table": 1,
    "number": 1,
    "yesno": 1,
    "howto": 1,
    "abstain": 0,
}
"""The number of pages that a question of each kind has at least."""
MAX_QUOTE = 600
MIN_TOPIC_WORDS = 2
MIN_ANSWER = 2
"""An answer has so many characters, or is a number."""
MIN_GIVEN = 5
"""A question must not contain an answer of as many characters."""


class Fault(NamedTuple):
    """What is wrong with a question, and how to mend it."""

    where: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what} {self.mend}"


@dataclass
class SetChecker:
    """Checks questions about some sites; each site is indexed when first asked about."""

    sites: Mapping[str, SitePages]
    _passages: dict[tuple[str, ...], Bm25Passages] = field(default_factory=dict)

    def check_all(self, questions: Sequence[Question]) -> list[Fault]:
        """The faults of all questions, repeated ids and questions included."""
        found: list[Fault] = []
        seen: dict[str, Question] = {}
        for one in questions:
            for key in (one.id, fold_text(one.question)):
                if key in seen:
                    found.append(Fault(one.where, f"{seen[key].where} is the same.", "Change one."))
                seen[key] = one
            found += self.check(one)
        return found

    def check(self, one: Question) -> list[Fault]:
        """The faults of a question; BM25 is asked if there is no other."""
        faults = [Fault(one.where, *each) for each in self._faults(one)]
        return faults or [Fault(one.where, *each) for each in self._leaks(one)]

    def _faults(self, one: Question) -> Iterator[tuple[str, str]]:
        if one.type not in KINDS:
            hint = did_you_mean(one.type, KINDS) if one.type else ""
            yield f"The type {one.type!r} is unknown.", hint or f"Use one of: {', '.join(KINDS)}."
            return
        if not re.fullmatch("[a-z]{2}", one.lang):
            yield f"The language {one.lang!r} is no code.", "Use two letters, such as en."
        unknown = [name for name in one.sites if name not in self.sites]
        unknown += [page.site for page in one.pages if page.site not in self.sites]
        if unknown:
            yield f"No package is called {unknown[0]!r}.", did_you_mean(unknown[0], self.sites)
            return
        yield from self._page_faults(one)
        yield from self._abstain_faults(one) if one.type == "abstain" else _answer_faults(one)

    def _page_faults(self, one: Question) -> Iterator[tuple[str, str]]:
        for page in one.pages:
            known = self.sites[page.site].pages
            if page.path not in known:
                hint = did_you_mean(page.path, known) or "Name a page that links lead to."
                yield f"{page.site} has no page {page.path!r}.", hint
                continue
            text = known[page.path].text
            if " ".join(page.quote.split()) not in " ".join(text.split()):
                yield (
                    f"The quote is not on {page.path}: {page.quote[:60]!r}.",
                    "Copy it from the text of the page; white space alone may differ.",
                )
            if len(page.quote) > MAX_QUOTE:
                yield (
                    f"The quote has {len(page.quote)} characters.",
                    f"Quote the passage that answers, at most {MAX_QUOTE}.",
                )
            if one.type == "table" and not _is_in_table(text, page.quote):
                yield "The quote is in no table.", "Quote a row with its | marks, or use single."

    def _abstain_faults(self, one: Question) -> Iterator[tuple[str, str]]:
        """An abstention is on the site's topic, and names words that no passage has together."""
        if one.answer or one.pages:
            yield "It has an answer or a quote.", "Remove them, or change the type."
        if not one.rare:
            yield "No rare words are named.", "List in `rare` what no passage says."
            return
        asked = fold_text(one.question)
        for term in one.rare:
            if fold_text(term) not in asked:
                yield f"The question does not have {term!r}.", "Name words of the question."
        terms = [fold_text(term) for term in one.rare]
        for passage in self._indexed(one).passages:
            if all(term in fold_text(passage.text) for term in terms):
                yield (
                    f"{passage.path} has the rare words: {passage.text[:80]!r}.",
                    "Name others, or ask for what this passage says.",
                )
                break
        rare = set(tokenize(" ".join(one.rare)))
        topic = [word for word in keywords(one.question) if word not in rare]
        of_site = {word for each in self._indexed(one).passages for word in tokenize(each.text)}
        shared = [word for word in topic if word in of_site]
        if len(shared) < MIN_TOPIC_WORDS:
            yield (
                f"It shares {len(shared)} words with the site besides the rare ones.",
                f"Ask about the site's topic, with {MIN_TOPIC_WORDS} of its words.",
            )

    def _leaks(self, one: Question) -> Iterator[tuple[str, str]]:
        leak = find_leak(one, self._indexed(one))
        if leak:
            yield (
                f"BM25 alone finds the answer, on {leak.path}: {leak.text[:100]!r}.",
                "Ask in other words than the page's.",
            )

    def _indexed(self, one: Question) -> Bm25Passages:
        if one.sites not in self._passages:
            self._passages[one.sites] = Bm25Passages([self.sites[name] for name in one.sites])
        return self._passages[one.sites]


def _answer_faults(one: Question) -> Iterator[tuple[str, str]]:
    """Faults of a question that has an answer."""
    if not one.answer or not all(each.strip() for golds in one.golds for each in golds):
        yield "There is no answer, or an empty one.", "Write it, or use the type abstain."
        return
    yield from _place_faults(one)
    if one.type != "yesno":
        yield from _gold_faults(one)
    elif len(one.golds) > 1 or one.golds[0][0] not in {"yes", "no"}:
        yield f"The answer is {list(one.answer)}.", 'Write ["yes"] or ["no"], or ["no|nein"].'


def _place_faults(one: Question) -> Iterator[tuple[str, str]]:
    """Faults of the number of pages and sites."""
    places = {(page.site, page.path) for page in one.pages}
    sites = {page.site for page in one.pages}
    if len(places) < KINDS[one.type]:
        yield f"It quotes {len(places)} pages.", f"{one.type} needs {KINDS[one.type]}."
    if KINDS[one.type] == 1 and len(places) > 1:
        yield "It quotes several pages.", "Use the type multi or cross."
    if sites and sites != set(one.sites):
        yield f"It quotes {', '.join(sorted(sites))}.", "Name these in `sites`, and no others."
    if sites and (len(sites) > 1) != (one.type == "cross"):
        yield f"It quotes {len(sites)} packages.", "cross has two, the other types have one."


def _gold_faults(one: Question) -> Iterator[tuple[str, str]]:
    """Faults of an answer in words: it stands in the quotes and not in the question."""
    if one.type == "number" and not any(map(str.isdigit, "".join(one.answer))):
        yield "The answer has no digits.", "Write the number in digits, or use another type."
    asked = fold_text(one.question)
    for each in (each for golds in one.golds for each in golds):
        if len(each) < MIN_ANSWER and not each.isdigit():
            yield f"The answer {each!r} is in most texts.", "Write a longer one."
        if len(each) >= MIN_GIVEN and fold_text(each) in asked:
            yield f"The question has the answer {each!r} in it.", "Ask in other words."
    if one.derived:
        return
    quotes = "\n".join(page.quote for page in one.pages)
    for gold in missing_gold(quotes, one.answer, whole=True):
        yield (
            f"No quote has the answer {gold!r}.",
            "Quote its passage; of a computed answer, write derived = true.",
        )


def _is_in_table(text: str, quote: str) -> bool:
    """Is a quote of the row of a table, which the reader writes with | between the cells?"""
    folded = " ".join(quote.split())
    rows = (" ".join(line.split()) for line in text.splitlines() if " | " in line)
    return any(folded in row or row in folded for row in rows)
