"""Checks claim by claim, without a model, that the cited quotes support an answer.

A claim is a sentence. Its numbers must be in the quotes it cites or in the question, or follow from
them by one step of arithmetic; its names must be in the quotes, the question, or a title or address
of the ledger. If another quote has what these lack, it is cited too. Facts without any quote are
reported as doubts. A sentence without citations is removed if no quote supports it; it may rest on
those that the next sentence of its line cites. (For checks of this kind see ALCE, Gao et al. 2023,
citation recall, and RARR, Gao et al. 2023.)
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from forager.answers.arithmetic import Formulas
from forager.domain.answers import Doubt
from forager.domain.state import Evidence
from forager.prompts.sections import CITATION_MARK
from forager.text.languages import detect_language
from forager.text.numbers import (
    computed_results,
    derived_numbers,
    digit_numbers,
    proper_names,
    spelled_numbers,
)
from forager.text.quotes import split_sentences
from forager.text.tokens import WORD, keywords

EVIDENCE_ID = re.compile(r"e\d+")
CITATION_GROUP = re.compile(r"(?:\s*\[e\d+\])+[.。!?]?")
IMAGE_OR_LINK = re.compile(r"!?\[([^\]\n]*)\]\(\s*<?([^)\s>]*)>?[^)\n]*\)")
ADDRESS = re.compile(r"\b(?:https?|ftp|data|javascript):[^\s\])>\"'”]+", re.IGNORECASE)
UNKNOWN_URL = "(an address that no quote has)"
UNCITED = "It cites no quote, and no quote supports it: removed."
ROW_COUNT = re.compile(r"(\d+) rows?\b")
"""A number that the claim itself shows: the count of the quotes it cites."""
SUPPORTING_SHARE = 0.6
"""The share of a claim's words that a quote must contain to support it."""
MOST_ADDED = 3
MAX_LEAD_WORDS = 1
"""A sentence of at most this many content words, such as "Yes, both.", needs no own quote."""
QUOTED = re.compile(r"“[^”]*”")
MAX_OPERANDS = 8
"""Of more numbers than that, some pair gives nearly any result."""


class CheckedText(NamedTuple):
    """A text in which all citations exist, the ids that it cites in order, and its doubts."""

    text: str
    cited: tuple[str, ...]
    doubts: tuple[Doubt, ...]


class _Claim(NamedTuple):
    """A sentence, the ids and the text of its citations, and the ids cited next in its line."""

    words: str
    ids: tuple[str, ...]
    end: str
    next_ids: tuple[str, ...] = ()


class _Context(NamedTuple):
    """The question, and the words of the question, the titles and the sites, in lower case."""

    question: str
    words: frozenset[str]


def check_citations(
    text: str, ledger: Iterable[Evidence], question: str, formulas: Formulas | None = None
) -> CheckedText:
    """Check and complete the citations of a text, and fill in its formulas.

    Claims that no quote supports are removed. The text is empty if nothing in it can be cited.
    """
    ledger = tuple(ledger)
    sources = {item.id: _Source(item) for item in ledger}
    context = _Context(question, _words_about(question, ledger))
    known = _remove_unknown_urls(text, " ".join(source.text for source in sources.values()))
    known = CITATION_MARK.sub(lambda found: _existing_citations(found[1], sources), known)
    doubts: list[Doubt] = []
    formulas = formulas or Formulas()
    lines = [_check_line(line, sources, context, formulas, doubts) for line in known.split("\n")]
    body = formulas.fill_in("\n".join(line for line in lines if line is not None).strip())
    cited = tuple(dict.fromkeys(EVIDENCE_ID.findall(" ".join(CITATION_GROUP.findall(body)))))
    return CheckedText(body if cited else "", cited, tuple(doubts))


def unsupported_facts(words: str, cited: Iterable[Evidence], question: str) -> set[str]:
    """The numbers and names of a claim that none of the cited quotes contains."""
    cited = tuple(cited)
    facts = _facts_of(words, _Context(question, _words_about(question, cited)), set())
    return set.intersection(*(_Source(item).missing_facts(facts) for item in cited))


class _Source:
    """A quote with the facts that it contains."""

    def __init__(self, item: Evidence) -> None:
        passage = item.passage
        self.text = f"{passage.title}\n{passage.section}\n{passage.text}\n{passage.url}"
        self.numbers = digit_numbers(f": {' '.join(self.text.split())}") | spelled_numbers(
            self.text
        )
        self.terms = set(keywords(passage.text))
        self.place_terms = set(keywords(f"{passage.title} {passage.section}"))
        self.language = detect_language(passage.text)
        self._lower = " ".join(self.text.lower().split())

    def missing_facts(self, claim: "_Facts") -> set[str]:
        """The facts of a claim that the quote does not contain."""
        named = {name for name in claim.names if name.lower() not in self._lower}
        return {number for number in claim.numbers if number not in self.numbers} | named


class _Facts(NamedTuple):
    numbers: set[str]
    names: set[str]


def _check_line(
    line: str,
    sources: Mapping[str, _Source],
    context: _Context,
    formulas: Formulas,
    doubts: list[Doubt],
) -> str | None:
    """A line with citations for all its claims; None if nothing is left of it."""
    if not line.strip():
        return line
    kept: list[str] = []
    for claim in _split_claims(line):
        resting = _cite_formulas(claim, formulas, doubts)
        cited = _cite_claim(resting, sources, context, formulas, doubts)
        if cited is not None:
            kept.append(cited)
    said = "".join(kept).strip()
    return said or None


def _split_claims(line: str) -> Iterator[_Claim]:
    """Split a line into sentences; a group of citations belongs to the sentence that it ends."""
    done = 0
    for group in CITATION_GROUP.finditer(line):
        ids = tuple(EVIDENCE_ID.findall(group[0]))
        *before, last = _split_sentences(line[done : group.start()])
        for words in before:
            yield _Claim(words, (), "", ids)
        yield _Claim(last, ids, group[0])
        done = group.end()
    if line[done:].strip():
        for words in _split_sentences(line[done:]):
            yield _Claim(f" {words.strip()}", (), "")


def _split_sentences(text: str) -> list[str]:
    """The sentences with the space before them, at least one; those of a quotation stay one."""
    quoted = [found.span() for found in QUOTED.finditer(text)]
    pieces: list[str] = []
    done = 0
    for _, end in split_sentences(text):
        within = any(start < end < stop for start, stop in quoted)
        if not within and WORD.search(text[done:end].lstrip(" 0123456789.")):
            pieces.append(text[done:end])
            done = end
    if not pieces or text[done:].strip():
        return [*pieces, text[done:]]
    pieces[-1] += text[done:]
    return pieces


def _cite_formulas(claim: _Claim, formulas: Formulas, doubts: list[Doubt]) -> _Claim:
    """Cite the quotes of a claim's formulas; a formula that failed becomes a doubt."""
    for why in formulas.failure_reasons(claim.words):
        sentence = formulas.fill_in(" ".join(claim.words.split()))
        doubts.append(Doubt(sentence=sentence, why=why))
    ids = formulas.cited_quotes(claim.words)
    if claim.ids or not ids:
        return claim
    end = "" if formulas.refers_to_worked(claim.words) else " " + "".join(f"[{id}]" for id in ids)
    return _Claim(claim.words, ids, end)


def _cite_claim(
    claim: _Claim,
    sources: Mapping[str, _Source],
    context: _Context,
    formulas: Formulas,
    doubts: list[Doubt],
) -> str | None:
    words = formulas.fill_in(" ".join(claim.words.split()))
    facts = _facts_of(formulas.remove_references(claim.words), context, formulas.results)
    if counted := ROW_COUNT.match(words):
        facts.numbers.difference_update({counted[1]} & {str(len(claim.ids))})
    if not claim.ids:
        if _needs_no_quote(claim, words, facts, sources):
            return claim.words
        carrier = _supporting_quote(words, facts, sources)
        if carrier is None:
            doubts.append(Doubt(sentence=words, why=UNCITED))
            return None
        return f"{claim.words} [{carrier}]"
    added, missing = _further_citations(claim.ids, facts, sources)
    operands = _operands(words, (*claim.ids, *added), sources)
    missing -= derived_numbers(missing & facts.numbers, operands)
    if missing:
        why = f"The cited quotes do not say: {', '.join(sorted(missing))}."
        doubts.append(Doubt(sentence=words, why=why))
    extra = "".join(f"[{id}]" for id in added)
    return f"{claim.words}{_insert_citations(claim.end, extra)}"


def _needs_no_quote(
    claim: _Claim, words: str, facts: "_Facts", sources: Mapping[str, _Source]
) -> bool:
    """Does a sentence only lead on, or do the quotes that its line cites next support it?

    The words of a quote in another language are not compared.
    """
    if words.endswith(":") and not facts.numbers:
        return True
    if not claim.next_ids:
        return False
    near = [sources[id] for id in claim.next_ids]
    if set.intersection(*(source.missing_facts(facts) for source in near)):
        return False
    terms = set(keywords(words))
    if len(terms) <= MAX_LEAD_WORDS and not facts.numbers | facts.names:
        return True
    if all(source.language != detect_language(words, source.language) for source in near):
        return True
    held = set[str]().union(*(source.terms | source.place_terms for source in near))
    return len(terms & held) >= SUPPORTING_SHARE * len(terms)


def _operands(words: str, ids: Iterable[str], sources: Mapping[str, _Source]) -> set[str]:
    """The numbers that a result may follow from: those the claim cites, else those of its quotes.

    Empty if they are so many that some of them would give nearly any result.
    """
    quoted = set[str]().union(*(sources[id].numbers for id in ids))
    shown = digit_numbers(words) & quoted
    chosen = shown if len(shown) > 1 else quoted
    return chosen if len(chosen) <= MAX_OPERANDS else set()


def _words_about(question: str, ledger: Iterable[Evidence]) -> frozenset[str]:
    """The words of the question, and of the titles and sites of a ledger, in lower case."""
    places = (f"{item.passage.title} {item.passage.url}" for item in ledger)
    return frozenset(WORD.findall(" ".join((question, *places)).lower()))


def _facts_of(words: str, context: _Context, results: set[str]) -> _Facts:
    asked = context.question.lower()
    words = " ".join(words.split())
    return _Facts(
        digit_numbers(words) - digit_numbers(context.question) - computed_results(words) - results,
        {
            name
            for name in proper_names(words)
            if name.lower() not in asked and not _is_word_about(name, context)
        },
    )


def _is_word_about(name: str, context: _Context) -> bool:
    """Is each word of a capitalised name in the question, a title or a site?"""
    return name.replace(" ", "").isalpha() and context.words.issuperset(name.lower().split())


def _supporting_quote(words: str, facts: _Facts, sources: Mapping[str, _Source]) -> str | None:
    """The id of the quote with all facts and most words of a claim, or None."""
    terms = set(keywords(words))
    shares = {
        id: len(terms & source.terms) / (len(terms) or 1)
        for id, source in sources.items()
        if not source.missing_facts(facts)
    }
    best = max(shares, key=lambda id: shares[id], default=None)
    return best if best is not None and shares[best] >= SUPPORTING_SHARE else None


def _further_citations(
    ids: tuple[str, ...], facts: _Facts, sources: Mapping[str, _Source]
) -> tuple[list[str], set[str]]:
    """Further quotes with facts that the cited ones lack, and the facts that no quote has."""
    missing = set.intersection(*(sources[id].missing_facts(facts) for id in ids))
    added: list[str] = []
    while missing and len(added) < MOST_ADDED:
        left = {
            id: missing & source.missing_facts(facts)
            for id, source in sources.items()
            if id not in ids
        }
        best = min(left, key=lambda id: len(left[id]), default=None)
        if best is None or len(left[best]) == len(missing):
            break
        missing = left[best]
        added.append(best)
    return added, missing


def _insert_citations(end: str, extra: str) -> str:
    """Insert more citations after those of a claim, before a final full stop."""
    closing = end[-1:] if end[-1:] in ".。!?" else ""
    return f"{end.removesuffix(closing)}{extra}{closing}"


def _existing_citations(ids: str, sources: Mapping[str, _Source]) -> str:
    found = [id for id in EVIDENCE_ID.findall(ids) if id in sources]
    return " " + "".join(f"[{id}]" for id in found) if found else ""


def _remove_unknown_urls(text: str, known: str) -> str:
    """Replace links by their text, and remove URLs that no quote contains."""
    text = IMAGE_OR_LINK.sub(lambda found: found[1], text)

    def keep_known(found: re.Match[str]) -> str:
        return found[0] if found[0].rstrip(".,;:") in known else UNKNOWN_URL

    return ADDRESS.sub(keep_known, text)
