"""Finds orders to a language model in text of pages: prompt injections.

Greshake et al. 2023 ("Not what you've signed up for", section 3) describe them. The fence of a
prompt keeps material apart from instructions; this only finds what to warn of.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Final, NamedTuple

from forager.data.word_lists import (
    UNSPACED,
    ByLanguage,
    Language,
    WordLists,
    match_any,
    match_words,
    read_word_lists,
)
from forager.text.unicode import read_plainly

MAX_SHOWN = 160
"""Characters of an injection that are shown."""


class InjectionWords(WordLists):
    """The lists of `data/injections.toml`."""

    dismissing: ByLanguage
    standing: ByLanguage
    instructions: ByLanguage
    phrases: ByLanguage
    readers: ByLanguage
    duties: ByLanguage
    saying: ByLanguage
    speakers: ByLanguage


WORDS: Final = read_word_lists("injections", InjectionWords)
SPACED_GAP = r"(?:\W{1,20}\w{1,40}){0,3}?\W{1,20}"
UNSPACED_GAP = r"[^。！？\n]{0,8}?"
VERB_LAST = frozenset({"ja", "ko", "tr"})


class Order(NamedTuple):
    """Orders in one language: the words that one may begin with, in lower case, and its pattern."""

    starts: tuple[str, ...]
    pattern: re.Pattern[str]

    def find_spans(self, text: str, lower: str) -> Iterator[tuple[int, int]]:
        """Where such orders stand in a text; `lower` is the text in lower case, as long."""
        for start in self.starts:
            place = lower.find(start)
            while place >= 0:
                if found := self.pattern.match(text, place):
                    yield found.span()
                place = lower.find(start, place + len(start))


def _dismissal(language: Language) -> Order:
    """A dismissing word, a standing one and an instruction, close together.

    The dismissing one comes first, except in languages whose verbs come last.
    """
    gap = UNSPACED_GAP if language in UNSPACED else SPACED_GAP
    lists = (WORDS.dismissing, WORDS.standing, WORDS.instructions)
    first = lists if language in VERB_LAST else lists[:1]
    pattern = "|".join(
        gap.join(f"(?:{_match_language(lists[each], language)})" for each in order)
        for order in permutations(range(3))
        if order[0] == 0 or language in VERB_LAST
    )
    starts = tuple(word.lower() for words in first for word in words[language])
    return Order(starts, re.compile(pattern, re.IGNORECASE))


def _duty(language: Language) -> Order:
    """What a model that reads the page has to say."""
    lists = (WORDS.readers, WORDS.duties, WORDS.saying)
    words = r"\s{1,9}".join(f"(?:{_match_language(each, language)})" for each in lists)
    starts = tuple(f"{word.lower()} " for word in WORDS.readers[language])
    return Order(starts, re.compile(words, re.IGNORECASE))


def _match_language(lists: Mapping[Language, tuple[str, ...]], language: Language) -> str:
    return f"(?:{match_words({language: lists[language]})})"


def _phrases(language: Language, phrases: tuple[str, ...]) -> Order:
    """Whole phrases; those that all languages share are marks and may stand within a word."""
    any_phrase = match_any(phrases)
    pattern = any_phrase if language == "mul" else rf"(?<!\w)(?:{any_phrase})(?![a-zäöüéèß])"
    starts = tuple(phrase.partition("*")[0].lower() for phrase in phrases)
    return Order(starts, re.compile(pattern, re.IGNORECASE))


ORDERS: Final = (
    *map(_dismissal, WORDS.dismissing),
    *map(_duty, WORDS.readers),
    *(_phrases(language, phrases) for language, phrases in WORDS.phrases.items()),
)
REMARK = r"(?:\s?[(\[][^\n()\[\]]{1,20}[)\]])?"
"""What stands after a speaker: a time, a channel."""
LINE_START = r"(?:^\W{0,6}|(?<=[.!?]\s))"
FORGED: Final = re.compile(
    r"\[e\d+(?:\s{0,9}[,;]\s{0,9}e\d+)*\]|\[\[\s{0,9}/?\s{0,9}(?:material|end)\b"
    rf"|{LINE_START}(?:SYSTEM|TOOL|ASSISTANT|DEVELOPER)(?: [A-Z]+){{0,2}}:"
    rf"|{LINE_START}(?i:{match_words(WORDS.speakers)})[])*_]{{0,3}}{REMARK}\s?[:：]"
    rf"|{LINE_START}(?:system|(?<=[*_])System[*_]{{1,3}})\s?:"
    rf"|{LINE_START}(?:Ledger|Evidence|Quote)\b[^\n]{{0,20}}?\be\d{{1,4}}\s*[:·|]"
    r"|</?(?:tool|function)_(?:response|results?|calls?|outputs?)>|<[|][^\n<>|]{1,40}[|]>"
    r"|^[^\S\n]{0,80}<(?i:system|assistant|developer|invoke)\b[^\n<>]{0,80}>"
    r"|<(?i:system|assistant|developer|invoke)\b[^\n<>]{0,80}>[^\n]{0,400}?</"
    r"|[\"']role[\"']\s{0,9}:\s{0,9}[\"'](?:system|tool|developer|assistant)[\"']\s{0,9},\s{0,9}"
    r"[\"']content[\"']"
    r"|[\"']content[\"']\s{0,9}:\s{0,9}[\"'][^\n]{0,400}?[\"']\s{0,9},\s{0,9}[\"']role[\"']\s{0,9}:",
    re.MULTILINE,
)
"""Citations, fences and messages that only the program itself may write."""
LINE_MARK: Final = re.compile(
    r"[^\w\n]{0,6}(?:"
    r"(?i:human|user)\s?[:：][^\n]{0,400}(?:\n[^\w\n]{0,9}|\s)(?i:ai|assistant|bot|model)\s?[:：]"
    rf"|(?<=\[)(?i:{match_words(WORDS.speakers)})\]"
    r"|(?i:assistant|ai|llm)\s?>{1,3}\s"
    r"|(?:SYSTEM|ASSISTANT)(?:\s?$|\s[—–-]\s)"
    r"|(?<=### )(?:Response|Answer|Assistant|Output):?\s?$"
    r"|Thought:\s?I (?:now |know |can |have |should |need )"
    r"|[a-z]{2,20}_[a-z_]{2,30} (?:result|output|response)s?:"
    r"|e\d{1,4}\s?[·|]\s?\w{1,20}:"
    r"|(?<=\{[\"'])(?:final_)?answer[\"']\s?:"
    r"|role:\s{0,9}[\"']?(?:system|tool|developer|assistant)[\"']?\s{0,9}\n\s{0,9}content:"
    r"|(?<=\[)assistant\]\s{0,9}\n\s{0,9}\w{1,20}\s?="
    r")",
    re.MULTILINE,
)
"""How a line of a message to or from a model begins."""
MARKS: Final = tuple(
    Order(starts, re.compile(pattern, re.IGNORECASE))
    for starts, pattern in (
        (("final_answer",), r"final_answer\s?\("),
        (("answer(",), r"answer\(\s?text\s?="),
        (('"tool_call_id', "'tool_call_id"), r"[\"']tool_call_id[\"']\s{0,9}:"),
        (('"type', "'type"), r"[\"']type[\"']\s{0,9}:\s{0,9}[\"']tool_(?:result|use|call)[\"']"),
        *(
            ((f"<{name}>",), rf"<{name}>[^\n]{{0,400}}?</")
            for name in ("answer", "observation", "thinking", "final_answer", "tool_use")
        ),
    )
)
"""What only a program that answers a model writes, wherever it stands in a line."""
MESSAGES: Final = tuple(
    (re.compile(opening, re.IGNORECASE), re.compile(closing, re.IGNORECASE))
    for opening, closing in (
        (r"<\|im_start\|>", r"<\|im_end\|>"),
        (r"<start_of_turn>", r"<end_of_turn>"),
        (r"\[INST\]", r"\[/INST\]"),
        (r"<<SYS>>", r"<</SYS>>"),
        (r"\[\[\s{0,9}material\b", r"\[\[\s{0,9}/?\s{0,9}end\b[^\n]*"),
        (r"```[^\S\n]{0,9}(?:tool|function|system|assistant)\w*\b", r"```|\Z"),
        (
            r"```[^\S\n]{0,9}json\s{0,9}[\[{]{1,2}\s{0,9}"
            r"\"(?:final_?answer|answer|role|tool\w*|function|action|thought)\"\s{0,9}:",
            r"```|\Z",
        ),
    )
)
"""How whole messages to a model begin and end."""
MAX_MESSAGE: Final = 4000
"""Characters of the longest message."""
ROLE_ALONE: Final = re.compile(r"\W{0,6}(?:assistant|system|model|tool|developer)?\W{0,9}", re.I)
CLOSING: Final = re.compile(r"</|\[/INST|<end|<[|][^|]{0,40}(?:end|eot)", re.I)
WORD: Final = re.compile(r"\w")
MAX_ROLE: Final = 20
MAX_GAP: Final = 20
"""Characters between an order that ends its line, such as a speaker, and what it is about."""
SENTENCE_END: Final = re.compile(r"[.!?](?=\s)|[。！？\n]")
NOT_SPACE: Final = re.compile(r"\S")


def without_orders(text: str) -> str:
    """A text with blanks in place of what speaks to the tools that read it; offsets stay.

    It is left out from the beginning of its sentence to the end of its line.
    """
    pieces, at = [], 0
    for start, end in sorted(_order_spans(text)):
        if end > at:
            begin = max(start, at)
            pieces += [text[at:begin], NOT_SPACE.sub(" ", text[begin:end])]
            at = end
    return "".join((*pieces, text[at:]))


def _order_spans(text: str) -> list[tuple[int, int]]:
    """Where orders and messages stand, also if they are spelt in look-alikes or with gaps."""
    spans = list(_plain_spans(text))
    alike = read_plainly(text)
    if alike.text != text:
        places = (*alike.places, len(text))
        spans += [(places[start], places[end]) for start, end in _plain_spans(alike.text)]
    return spans


def _plain_spans(text: str) -> Iterator[tuple[int, int]]:
    for marks in MESSAGES:
        yield from _message_spans(text, *marks)
    covered = 0
    forged = map(re.Match.span, FORGED.finditer(text))
    found = (*_injection_spans(text), *forged, *_mark_spans(text))
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if start >= covered:
            line = max(text.rfind("\n", 0, start) + 1, covered)
            ends = [found.end() for found in SENTENCE_END.finditer(text, line, start)]
            covered = _order_end(text, start, end)
            yield max(ends, default=line), covered


def _order_end(text: str, start: int, end: int) -> int:
    """The end of the line of an order; of the next line if nothing follows in its own."""
    stop = _line_end(text, end)
    begin = text.rfind("\n", max(0, start - MAX_ROLE), start) + 1 or max(0, start - MAX_ROLE)
    alone = stop - end <= MAX_ROLE and not (
        WORD.search(text, begin, start) or CLOSING.search(text, start, end)
    )
    if alone and ROLE_ALONE.fullmatch(text, end, stop):
        found = NOT_SPACE.search(text, stop, stop + MAX_GAP)
        stop = _line_end(text, found.start()) if found else stop
    return stop


def _line_end(text: str, place: int) -> int:
    stop = text.find("\n", place)
    return len(text) if stop < 0 else stop


def _mark_spans(text: str) -> Iterator[tuple[int, int]]:
    place = 0
    while place < len(text):
        if found := LINE_MARK.match(text, place):
            yield found.span()
        place = _line_end(text, place) + 1
    lower = _lower(text)
    for mark in MARKS:
        yield from mark.find_spans(text, lower)


def _message_spans(
    text: str, opening: re.Pattern[str], closing: re.Pattern[str]
) -> Iterator[tuple[int, int]]:
    at = 0
    while opened := opening.search(text, at):
        at = opened.end()
        limit = min(len(text), at + MAX_MESSAGE)
        closed = closing.search(text, at, limit)
        if closed and (closed.start() < limit or limit == len(text)):
            at = closed.end()
            yield opened.start(), at


def _injection_spans(text: str) -> Iterator[tuple[int, int]]:
    lower = _lower(text)
    for order in ORDERS:
        yield from order.find_spans(text, lower)


def _lower(text: str) -> str:
    """A text in lower case, as long as before."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def find_injection(text: str) -> str:
    """The first order to a model in a text, with what follows it in its line; "" if there is none.

    At most `MAX_SHOWN` characters, white space folded.
    """
    for plain in dict.fromkeys((text, read_plainly(text).text)):
        if found := min(_injection_spans(plain), default=None):
            return _show_line(plain, *found)
    return ""


def find_left_out(text: str, left: str) -> str:
    """The first line of a text that is blank in what `without_orders` left of it; "" if none is.

    At most `MAX_SHOWN` characters, white space folded.
    """
    pairs = enumerate(zip(text, left, strict=True))
    start = next((place for place, (one, other) in pairs if one != other), None)
    return "" if start is None else _show_line(text, start, start)


def _show_line(text: str, start: int, end: int) -> str:
    """What stands from `start` to the end of its line, shortened well after `end`."""
    line, _, _ = text[start : end + MAX_SHOWN].partition("\n")
    shown = " ".join(line.split())
    return shown if len(shown) <= MAX_SHOWN else f"{shown[: MAX_SHOWN - 1]}…"
