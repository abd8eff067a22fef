"""What a question asks for: its parts, the context they share, and the kind of thing each wants."""

import re
from typing import Literal, NamedTuple

Kind = Literal["number", "name", "code"]

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=\S)")
PREPOSITION = (
    r"(?:in|at|for|from|to|after|of|on|about|with|by|under|until|since|into|roughly|approximately|"
    r"aus|mit|von|in|für|à|de|dans|en|pour)"
)
QUESTION_WORD = (
    r"(?:which|what|who|whose|whom|how|when|where|why|is|are|was|were|would|does|do|did|can|name|"
    r"welche[rsnm]?|wer|was|wo|wann|wie|wofür|warum|"
    r"combien|quels?|quelles?|qui|où|quand|comment)\b"
)
HEAD = rf"(?=(?:{PREPOSITION}\s+)?{QUESTION_WORD})"
CONJUNCTION = re.compile(
    rf"[,;]?\s+(?:and|or|und|et)\s+{HEAD}|(?<=[,;:])\s+{HEAD}|[，；]\s*", re.IGNORECASE
)
ASKS = re.compile(rf"\b{QUESTION_WORD}|[多几]少|什么|哪|谁|何时|为什么|如何", re.IGNORECASE)
SETS_SCENE = re.compile(
    r"(?:when|where|while|as|if|since|als|wenn|quand|lorsque)\b.*,$", re.IGNORECASE
)
MOST_PARTS = 6

NUMBER_ASKED = re.compile(
    r"\bhow (?:many|much|long|wide|large|big|small|fast|accurate|accurately|quickly|often|old|far|"
    r"high|deep|tall|heavy|soon|late|early)\b|\b(?:numbers?|percentage|share|height|width|length|depth|size|"
    r"year|when|date|day|hour|time|level|priority|value|version|release|mode|ports?|precision|"
    r"accuracy|resolution|proportions?|ratio|counts?|limit|threshold|factor|distance|cost|price|"
    r"age|score|degrees?|seconds?|minutes?|bytes?)\b|\b(?:wie (?:viele?|lange|hoch|groß|oft)|wann|"
    r"jahr|zahl|anzahl|combien|quand|année|nombre)\b|多少|几|何时|哪一年",
    re.IGNORECASE,
)
NAME_ASKED = re.compile(
    r"\b(?:who|whom|whose|name|names|named)\b|\b(?:which|what)(?: [\w-]+){0,3} (?:company|firm|"
    r"person|"
    r"people|town|city|country|state|island|region|emperor|king|queen|ruler|authors?|writers?|"
    r"language|student|professor|scientist|man|men|woman|women|publisher|framework|program|class|"
    r"plane|artifact|member|studio|university|institute|organi[sz]ation|museum|river|mountain|composer|"
    r"artist|project|product|club|team|newspaper|book|film|animal|planet|god)\b|"
    r"\b(?:wer|wem|wen|wessen|stadt|qui|ville|auteur)\b|谁|哪一位|哪位|哪个",
    re.IGNORECASE,
)
CODE_ASKED = re.compile(
    r"\b(?:file|files|folder|directory|path|command|option|flag|switch|variable|function|method|"
    r"macro|keyword|parameter|key|module|package|url|header|field|setting|datei|befehl|fichier)\b",
    re.IGNORECASE,
)

NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    r"ninety|hundred|thousand|million|billion|half|dozen|once|twice)\b",
    re.IGNORECASE,
)
NAME = re.compile(r"(?<![.!?:|#-] )(?<!^)\b[A-Z][^\W\d_]+")
CODE = re.compile(r"[~./\\$_-]\w[\w./-]*|\w+[._/:]\w+|\w\(\)|<\w+>|\b[a-z]+[A-Z]\w+")


class Asks(NamedTuple):
    """The things asked, in order, and what the question says besides."""

    asked: tuple[str, ...]
    context: str


def split(question: str) -> Asks:
    """Split a question into what it asks for and the context all of that shares."""
    sentences = [piece for piece in SENTENCE.split(question.strip()) if piece.strip()]
    asking = [piece for piece in sentences if piece.rstrip().endswith(("?", "？"))]
    asking = asking or sentences[-1:]
    clauses = [clause for piece in asking for clause in CONJUNCTION.split(piece) if clause.strip()]
    asked = [clause for clause in clauses if ASKS.search(clause) and not SETS_SCENE.match(clause)]
    asked = asked or clauses
    context = [piece for piece in sentences if piece not in asking]
    context += [clause for clause in clauses if clause not in asked]
    if len(asked) > MOST_PARTS:
        asked = [" ".join(asking)]
    return Asks(tuple(clause.strip() for clause in asked), " ".join(context).strip())


def kinds(ask: str) -> frozenset[Kind]:
    """What sort of thing would answer an ask; empty when it may be anything."""
    wanted: dict[Kind, re.Pattern[str]] = {
        "number": NUMBER_ASKED,
        "name": NAME_ASKED,
        "code": CODE_ASKED,
    }
    return frozenset(kind for kind, pattern in wanted.items() if pattern.search(ask))


def carries(text: str, kind: Kind, asked: str) -> bool:
    """Does a text hold something of this kind that the question (lower case) does not say?"""
    pattern = {"number": NUMBER, "name": NAME, "code": CODE}[kind]
    return any(found.lower() not in asked for found in pattern.findall(text))
