"""Finds orders to a language model in text of pages: prompt injections.

Greshake et al. 2023 ("Not what you've signed up for", section 3) describe them. The fence of a
prompt keeps material apart from instructions; this only finds what to warn of.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Final

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
    speakers: ByLanguage


WORDS: Final = read_word_lists("injections", InjectionWords)
SPACED_GAP = r"(?:\W+\w+){0,3}?\W+"
UNSPACED_GAP = r"[^。！？\n]{0,8}?"
VERB_LAST = frozenset({"ja", "ko", "tr"})


def _match_dismissals(words: InjectionWords) -> str:
    """A pattern for a dismissing word, a standing one and an instruction, close together.

    The dismissing one comes first, except in languages whose verbs come last.
    """
    return "|".join(
        gap.join(f"(?:{_match_language(lists[each], language)})" for each in order)
        for language in words.dismissing
        for gap in [UNSPACED_GAP if language in UNSPACED else SPACED_GAP]
        for lists in [(words.dismissing, words.standing, words.instructions)]
        for order in permutations(range(3))
        if order[0] == 0 or language in VERB_LAST
    )


def _match_language(lists: Mapping[Language, tuple[str, ...]], language: Language) -> str:
    return f"(?:{match_words({language: lists[language]})})"


def _match_phrases(lists: Mapping[Language, tuple[str, ...]]) -> str:
    marks = match_any(lists["mul"])
    worded = {each: words for each, words in lists.items() if each != "mul"}
    starts = match_any(word for words in worded.values() for word in words)
    return rf"{marks}|(?<!\w)(?:{starts})(?![a-zäöüéèß])"


INJECTION: Final = re.compile(
    f"{_match_dismissals(WORDS)}|{_match_phrases(WORDS.phrases)}", re.IGNORECASE
)


LINE_START = r"(?:^\W{0,6}|(?<=[.!?]\s))"
FORGED: Final = re.compile(
    r"\[e\d+(?:\s*[,;]\s*e\d+)*\]|\[\[\s*/?\s*(?:material|end)\b"
    rf"|{LINE_START}(?:SYSTEM|TOOL|ASSISTANT|DEVELOPER)(?: [A-Z]+){{0,2}}:"
    rf"|{LINE_START}(?i:{match_words(WORDS.speakers)})[*_]{{0,3}}\s?[:：]"
    rf"|{LINE_START}(?:system|(?<=[*_])System[*_]{{1,3}})\s?:"
    rf"|{LINE_START}(?:Ledger|Evidence|Quote)\b[^\n]{{0,20}}?\be\d{{1,4}}\s*[:·|]"
    r"|</?(?:tool|function)_(?:response|results?|calls?|outputs?)>|<[|][^\n<>|]{1,40}[|]>"
    r"|^\s*<(?i:system|assistant|developer|invoke)\b[^\n<>]{0,80}>"
    r"|<(?i:system|assistant|developer|invoke)\b[^\n<>]{0,80}>[^\n]*</"
    r"|[\"']role[\"']\s*:\s*[\"'](?:system|tool|developer|assistant)[\"']\s*,\s*[\"']content[\"']"
    r"|[\"']content[\"']\s*:\s*[\"'][^\n]{0,400}[\"']\s*,\s*[\"']role[\"']\s*:",
    re.MULTILINE,
)
"""Citations, fences and messages that only the program itself may write."""
MESSAGE: Final = re.compile(
    r"<\|im_start\|>.{0,4000}?<\|im_end\|>|\[INST\].{0,4000}?\[/INST\]|<<SYS>>.{0,4000}?<</SYS>>"
    r"|\[\[\s*material\b.{0,4000}?\[\[\s*/?\s*end\b[^\n]*"
    r"|```\s*(?:tool|function|system|assistant)\w*\b.{0,4000}?(?:```|\Z)"
    r"|```\s*json\s*[\[{]{1,2}\s*\"(?:final_?answer|answer|role|tool\w*|function|action|thought)\""
    r"\s*:.{0,4000}?(?:```|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""A whole message to a model, with its marks."""
SENTENCE_END: Final = re.compile(r"[.!?](?=\s)|[。！？\n]")
NOT_SPACE: Final = re.compile(r"\S")


def without_orders(text: str) -> str:
    """A text with blanks in place of what speaks to the tools that read it; offsets stay.

    It is left out from the beginning of its sentence to the end of its line.
    """
    for start, end in _order_spans(text):
        text = text[:start] + NOT_SPACE.sub(" ", text[start:end]) + text[end:]
    return text


def _order_spans(text: str) -> list[tuple[int, int]]:
    """Where orders and messages stand, also if they are spelt in look-alikes or with gaps."""
    spans = list(_plain_spans(text))
    alike = read_plainly(text)
    if alike.text != text:
        places = (*alike.places, len(text))
        spans += [(places[start], places[end]) for start, end in _plain_spans(alike.text)]
    return spans


def _plain_spans(text: str) -> Iterator[tuple[int, int]]:
    yield from (found.span() for found in MESSAGE.finditer(text))
    for pattern in (INJECTION, FORGED):
        for found in pattern.finditer(text):
            line = text.rfind("\n", 0, found.start()) + 1
            ends = [end.end() for end in SENTENCE_END.finditer(text, line, found.start())]
            stop = text.find("\n", found.end())
            yield max(ends, default=line), len(text) if stop < 0 else stop


def find_injection(text: str) -> str:
    """The first order to a model in a text, with what follows it in its line; "" if there is none.

    At most `MAX_SHOWN` characters, white space folded.
    """
    for plain in dict.fromkeys((text, read_plainly(text).text)):
        if found := INJECTION.search(plain):
            return _show_line(plain, found.start(), found.end())
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
