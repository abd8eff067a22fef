"""Parses questions that ask for a list, a table, a comparison or the steps of something."""

import re

from forager.data.word_lists import all_words
from forager.domain.base import Frozen
from forager.text.numbers import NUMBER_WORDS
from forager.text.sentences import split_sentences

MIN_SPELLED, MAX_SPELLED = 2, 20
"""The smallest and largest number of rows that a question may spell as a word."""
NUMERALS = {
    word: number
    for number, lists in NUMBER_WORDS.cardinals.items()
    for word in all_words(lists)
    if MIN_SPELLED <= number <= MAX_SPELLED
}
NUMBER = rf"\d{{1,4}}|{'|'.join(sorted(NUMERALS, key=len, reverse=True))}"
COUNTED = rf"(?:(?P<count>{NUMBER})\s+)?"
ALL_OF = r"(?:all|every|each|a (?:complete |full )?list of(?: all)?|a table of(?: all)?)"
ARTICLE = r"(?:(?:of )?(?:the|its|their|those|these)\s+)?"
TELLING_VERB = (
    r"(?:name|give(?: me| us)?|show(?: me| us)?|tell me|state|write(?: down)?|find|what are|"
    r"which are)"
)
PLURAL = r"(?:[\w.+#/'’-]+\s+){0,6}?[\w.+#/'’-]*s"
"""A plural noun with the words before it, as in "which X's are there"."""
THERE_ARE = (
    r"(?:are there|exist\b|are (?:available|supported|defined|recogni[sz]ed|listed|provided|"
    r"possible|accepted|documented))"
)
ROWS_REST = r"(?P<rows>[^?？]+)"
LISTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:list|enumerate|tabulate|itemi[sz]e)\s+(?:me\s+)?(?:out\s+)?(?!of\b)(?:{ALL_OF}\s+)?{ARTICLE}"
        rf"{COUNTED}{ROWS_REST}",
        rf"\b{TELLING_VERB}\s+{ALL_OF}\s+{ARTICLE}{COUNTED}{ROWS_REST}",
        rf"^an?\s+(?:(?:complete|full)\s+)?(?:list|table)\s+of\s+(?:all\s+)?{ARTICLE}{COUNTED}{ROWS_REST}",
        r"\b(?:make|draw up|build|create|produce|prepare)\s+a\s+(?:table|list)\s+of\s+(?:all\s+)?"
        rf"{ARTICLE}{COUNTED}{ROWS_REST}",
        rf"\b(?:which|what)\s+{COUNTED}(?P<rows>{PLURAL}\s+{THERE_ARE}[^?]*)",
        r"\bwhat\s+(?:are|is)\s+(?:the\s+)?(?P<columns>[^?]+?)\s+(?:of|for)\s+(?:each|every|all)(?:\s+one)?\s+"
        rf"(?:of\s+)?{ARTICLE}{COUNTED}{ROWS_REST}",
        r"\bfor\s+(?:each|every)(?:\s+one)?\s+(?:of\s+)?"
        rf"{ARTICLE}{COUNTED}(?P<rows>[^,?:]+)(?:[,:]\s*(?P<columns>[^?]+))",
        rf"\b{TELLING_VERB}\s+(?:the\s+)?(?P<columns>[^?]+?)\s+(?:of|for)\s+(?:each|every)\s+(?:of\s+)?{ARTICLE}"
        rf"{COUNTED}{ROWS_REST}",
        rf"\b(?:what\s+(?:does|do|is|are)|describe|explain)\s+(?:each|every\s+one|all)\s+of\s+the\s+"
        rf"{COUNTED}{ROWS_REST}",
        # German
        rf"\b(?:liste|nenne|zähle|zeige|gib)\b(?:\s+mir|\s+uns)?\s+(?:alle|sämtliche|jede[nrs]?)\s+"
        rf"(?:der\s+|die\s+)?{COUNTED}{ROWS_REST}",
        rf"\bliste\s+(?:alle[nr]?|sämtlicher|der|die)\s+{COUNTED}{ROWS_REST}",
        rf"\bwelche\s+{COUNTED}(?P<rows>[^?]+?\s+gibt\s+es[^?]*)",
        rf"\btabelle\s+(?:aller|der|mit allen|von)\s+{COUNTED}{ROWS_REST}",
        r"\bfür\s+jede[nrs]?\s+(?:der\s+)?(?P<rows>[^,?:]+)(?:[,:]\s*(?P<columns>[^?]+))",
        # French
        rf"\b(?:liste[rz]?|énumère[rz]?|énumérez|énumérer|cite[rz]?|nomme[rz]?|donne[rz]?)\b(?:-moi)?\s+"
        rf"(?:la liste (?:complète )?(?:de\s+)?)?(?:tous|toutes)\s+(?:les\s+)?{COUNTED}{ROWS_REST}",
        r"\b(?:tableau|liste complète)\s+(?:de\s+(?:tous|toutes)\s+les|des)\s+"
        rf"{COUNTED}{ROWS_REST}",
        rf"\bquel(?:le)?s\s+sont\s+(?:tous\s+|toutes\s+)?les\s+{COUNTED}{ROWS_REST}",
        r"\bpour\s+chaque\s+(?P<rows>[^,?:]+)(?:[,:]\s*(?P<columns>[^?]+))",
        # Chinese
        r"(?:列出|列举|给出)(?:所有|全部|每个|每种|各个|各种)(?:的)?(?P<rows>[^？?。]+)",
        r"(?:有)(?:哪些|哪几种|哪几个)(?P<rows>[^？?。]+)",
        r"(?:每个|每种|每一个|各个)(?P<rows>[^的？?]+)的(?P<columns>[^？?。]+)",
    )
)
COMPARISONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bcompare\s+(?P<things>.+?)(?:\s+(?:in terms of|with (?:respect|regard) to|regarding|"
        r"by their|by|according to|as to|in their|in|on)\s+(?P<columns>[^?.]+)|(?=[?.]|$))",
        r"(?P<things>\S[^?:,]*?\s+(?:versus|vs\.?)\s+[^?:,]+?)"
        r"(?:(?::|,|\s+(?:in terms of|in|by|regarding))\s+(?P<columns>[^?.]+)|(?=[?.]|$))",
        r"\bhow\s+do\s+(?P<things>.+?)\s+(?:differ|compare)\s+"
        r"(?:in terms of|with respect to|in their|in|by)\s+(?P<columns>[^?]+)",
        r"\bvergleiche?\s+(?P<things>.+?)"
        r"(?:\s+(?:hinsichtlich|bezüglich|nach|in|im)\s+(?P<columns>[^?.]+)|(?=[?.]|$))",
        r"\bcompare[rz]?\s+(?P<things>.+?\s+et\s+.+?)(?:\s+(?:selon|pour|par|en termes de)\s+"
        r"(?P<columns>[^?.]+)|(?=[?.]|$))",
        r"比较(?P<things>[^？?。的]+)的(?P<columns>[^？?。]+)",
    )
)
DIMENSIONS = {
    **dict.fromkeys(("higher", "taller", "lower"), "height"),
    **dict.fromkeys(("longer", "shorter"), "length"),
    **dict.fromkeys(("wider", "broader", "narrower"), "width"),
    **dict.fromkeys(("bigger", "larger", "smaller"), "size"),
    **dict.fromkeys(("heavier", "lighter"), "weight"),
    **dict.fromkeys(("faster", "slower", "quicker"), "speed"),
    **dict.fromkeys(("louder", "quieter"), "noise"),
    **dict.fromkeys(("warmer", "colder"), "temperature"),
    **dict.fromkeys(("cheaper", "more expensive", "less expensive"), "price"),
    "deeper": "depth",
}
"""What is compared by an adjective."""
THING = r"(?:the\s+)?[\w.+#'’-]+(?:\s+[\w.+#'’-]+){0,4}?"
COMPARATIVE = (
    rf"(?P<more>{'|'.join(DIMENSIONS)}|(?P<amount>more|fewer|less)\s+[\w-]+(?:\s+[\w-]+)?)"
)
CHOICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:which|what|who)\b[^?:,]*?\b{COMPARATIVE}\b[^?:,]*[:,]\s*"
        rf"(?P<one>{THING})\s+or\s+(?P<other>{THING})\s*\?*$",
        rf"^(?P<one>{THING})\s+or\s+(?P<other>{THING})\s*[:,-]\s*(?:which|what|who)\b[^?]*?\b"
        rf"{COMPARATIVE}\b[^?]*\?*$",
    )
)
"""Questions which of two things is or has more."""
ASKS_FOR_ONE = re.compile(
    r"\b(?:which|what|who)\s+(?:one\s+|\w+\s+)?of\s+(?:the|these|those|all|its|their)\b|"
    r"\bone of (?:each|the)\b|"
    r"\b(?:list|name|give(?: me)?|state|nenne|nommez?)\s+"
    r"(?:the\s+|an?\s+|one\b|any\b|de[nr]\s+|das\s+|le\s+|la\s+)(?:\w+\s+){0,2}?"
    r"(?:first|last|only|single|smallest|largest|oldest|newest|one|ersten?|letzten?|premi|derni)|"
    rf"\b(?:list|name|give|state)\s+(?:{NUMBER})\s+of\b|"
    r"\bhow (?:many|much)\b|\bwie viele\b|\bcombien\b|多少|几(?:个|种)",
    re.IGNORECASE,
)
"""Phrases that ask for a single thing or a number, even in a question about a list."""
SINGLE = re.compile(r"\s*(?:an?|one|any|ein(?:e[nmrs]?)?|une?)\s", re.IGNORECASE)
COLUMNS_FOLLOW = re.compile(
    r"(?:,\s*|\s+)(?:and|with|together with|along with|plus|und|mit|et|avec)\s+"
    r"(?:(?:for\s+)?(?:each|every)(?: one)?(?:'s|,)?\s+)?"
    r"(?:its|their|the corresponding|ihre[mnrs]?|deren|leurs?|son|sa)\s+|，?及其|和它们的",
    re.IGNORECASE,
)
"""Separators between the things to list and the properties asked of each."""
SEPARATOR = re.compile(
    r"\s*[,;、，]\s*(?:(?:and|und|et)\s+)?|\s+(?:and|und|et|versus|vs\.?|with|mit|avec)\s+|和|与"
)
LEADING_WORDS = re.compile(
    r"^(?:(?:what|which|give|state|list|name|say|tell(?: me)?|show|is|are|was|were|quels?|quelles?|"
    r"sont|est|nenne|donnez?|its|their|the|ihre[mn]?|deren|leurs?|les|la|le|die|der|das|den|son|sa)"
    r"\s+)+",
    re.IGNORECASE,
)
IDLE_ENDING = re.compile(rf"\s+(?:{THERE_ARE}|gibt\s+es)", re.IGNORECASE)
EVERY = re.compile(r"\b(?:every|each|jede[nrs]?|chaque)\b", re.IGNORECASE)
PLURAL_NOUN = re.compile(
    r"\w{3,}(?<!s)s\b|\b(?:people|men|women|children|data|criteria)\b|[^\x00-\x7f]"
)
HOW = re.compile(
    r"\bhow (?:do|does|can|could|to|should|would|must|might|may)\b|\bwie (?:kann|mache?|lässt)\b|"
    r"\bcomment\b|\bcómo\b|怎么|如何",
    re.IGNORECASE,
)
MAX_NAMED = 12
MAX_COLUMN_LENGTH = 60


class ListIntent(Frozen):
    """The list that a question asks for: rows and columns; or the things to compare, and columns.

    `count` is the number of rows that the question names, 0 if it names none.
    """

    rows: str = ""
    columns: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    count: int = 0

    @property
    def is_comparison(self) -> bool:
        """Does it compare things that the question names?"""
        return bool(self.things)


def asks_how(question: str) -> bool:
    """Does a question ask how something is done?"""
    return HOW.search(question) is not None


def parse_list_intent(question: str) -> ListIntent | None:
    """The list or comparison that a question asks for; None if it asks for something else."""
    text = " ".join(question.split())
    for start, end in split_sentences(text) or []:
        sentence = text[start:end]
        if ASKS_FOR_ONE.search(sentence):
            continue
        intent = _parse_comparison(sentence) or _parse_list(sentence)
        if intent:
            return intent
    return None


def comparison_cells(intent: ListIntent) -> tuple[tuple[str, str, str], ...]:
    """The cells of a comparison as (row, column, ask), thing by thing."""
    columns = intent.columns or ("",)
    return tuple(
        (thing, column, f"{column} of {thing}" if column else thing)
        for thing in intent.things
        for column in columns
    )


def _parse_comparison(sentence: str) -> ListIntent | None:
    for pattern in COMPARISONS:
        match = pattern.search(sentence)
        things = _split_names(match["things"]) if match else ()
        if match and 1 < len(things) <= MAX_NAMED:
            return ListIntent(things=things, columns=_parse_columns(match["columns"] or ""))
    return _parse_choice(sentence)


def _parse_choice(sentence: str) -> ListIntent | None:
    """The two things of which one is or has more, and what is compared."""
    match = next(filter(None, (pattern.search(sentence) for pattern in CHOICES)), None)
    if match is None:
        return None
    more = match["more"].lower()
    column = DIMENSIONS.get(more) or more.removeprefix(match["amount"].lower()).strip()
    return ListIntent(things=(match["one"], match["other"]), columns=(column,))


def _parse_list(sentence: str) -> ListIntent | None:
    for pattern in LISTS:
        match = pattern.search(sentence)
        if match is None:
            continue
        named = match.groupdict()
        rows, *rest = COLUMNS_FOLLOW.split(
            IDLE_ENDING.sub("", named["rows"].strip(" .。!")), maxsplit=1
        )
        columns = _parse_columns(named.get("columns") or (rest[0] if rest else ""))
        if SINGLE.match(rows) or not (columns or _is_plural(rows, match[0], named.get("count"))):
            continue
        return ListIntent(
            rows=rows.strip(), columns=columns, count=_parse_count(named.get("count"))
        )
    return None


def _is_plural(rows: str, whole: str, count: str | None) -> bool:
    """Do the words ask for several things: by a count, a plural noun or a word like "every"?"""
    plural = PLURAL_NOUN.search(" ".join(rows.split()[:6])) is not None
    return bool(count) or plural or EVERY.search(whole) is not None


def _parse_columns(text: str) -> tuple[str, ...]:
    found = tuple(piece for piece in _split_names(text) if len(piece) <= MAX_COLUMN_LENGTH)
    return found[:MAX_NAMED]


def _split_names(text: str) -> tuple[str, ...]:
    pieces = (LEADING_WORDS.sub("", piece.strip(" .。!?？")) for piece in SEPARATOR.split(text))
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def _parse_count(word: str | None) -> int:
    if not word:
        return 0
    return int(word) if word.isdigit() else NUMERALS.get(word.lower(), 0)
