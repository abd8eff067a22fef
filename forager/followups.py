"""What a question means that goes on from the questions before it, by rule.

Three things make a question lean on those before it (Carbonell 1983, "Discourse pragmatics and
ellipsis resolution"): it lacks its own predicate ("And the other one?"), it points back ("its
default"), or it names only what sets a thing apart ("the strict one"). Such a question is read
with the words of what it leans on in brackets behind it, in the spelling of the conversation.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from forager.queries import names, telling
from forager.turn import Meaning

OPENING: Final = re.compile(
    r"^(?:(?:and|but|or|so|then|ok(?:ay)?|und|aber|oder|et|mais|ou)\b[\s,:]*|(?:那么?|而|还有|以及)\s*)+",
    re.IGNORECASE,
)
"""What joins a question to the one before."""
ABOUT: Final = re.compile(
    r"^(?:what about|how about|what of|same for|(?:und )?was ist mit|"
    r"wie (?:steht|sieht) es (?:mit|bei)|"
    r"qu'en est-il (?:de|du|des|pour)|et pour|怎么样)\b|呢[?？]?$",
    re.IGNORECASE,
)
"""What asks the same of something else."""
ASKING: Final = re.compile(
    r"\b(?:which|what|who|whose|whom|how|when|where|why|is|are|was|were|do|does|did|can|could|will|"
    r"would|should|must|may|might|has|have|had|name|list|give|show|tell|"
    r"welche[rsnm]?|wer|wem|wen|was|wo|wann|wie|warum|wofür|ist|sind|war|kann|muss|darf|wird|hat|nenne|"
    r"quels?|quelles?|qui|que|quoi|où|quand|comment|combien|pourquoi|est|sont|peut|doit|faut)\b|"
    r"[多几]少|什么|哪|谁|何时|为什么|如何|怎么|怎样|吗|是否",
    re.IGNORECASE,
)
"""What a question has that is more than a name."""
BACK: Final = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|there|those|these|"
    r"(?:that|this)(?= (?:one|case|mode|time|way|file|option|value)\b|[\s,]*[?.]|$)|"
    r"the (?:same|other|others|former|latter|first|second)|instead|"
    r"er|ihn|ihm|ihr|ihre[nrms]?|sie|seine?[nrms]?|deren|dessen|dort|davon|dafür|damit|darin|"
    r"diese[nrms]?|dieselbe[n]?|"
    r"ils?|elles?|lui|leurs?|son|sa|ses|celui|celle|ceux|celles|cela|ça|y|en)\b|"
    r"它|他们|她|其(?!他|它|余)|这|那(?!么)|该|前者|后者",
    re.IGNORECASE,
)
"""What points back, unless there is something to point to within the question."""
ONE: Final = re.compile(
    r"\b(?:the|that|this|which|any) (?:[\w-]+ ){0,3}?ones?\b|\bone of (?:them|those|these)\b|"
    r"\bd(?:er|ie|as) (?!die\b)[\w-]+e[nr]?\?$",
    re.IGNORECASE,
)
"""A thing named by what sets it apart from one that was spoken of."""
THING: Final = re.compile(
    r"\b(?:an?|eine?[nrms]?|une?|every|each|jede[nrms]?|chaque) [\w-]{3,}", re.IGNORECASE
)
"""What brings up a thing that a later word of the same question may point to."""
IMPERSONAL: Final = re.compile(
    r"\b(?:it (?:is|was|takes?|does|possible)|is it|does it take|il y a|il faut|est-il|y a-t-il|"
    r"gibt es|es gibt|there (?:is|are|was|were|a|an|any)|(?:is|are|was|were) there|"
    r"en [A-Z\d]\w*|the (?:first|second) (?!one)[\w-]+)\b",
)
"""What only looks as if it pointed back."""
MOST_WORDS: Final = 24
"""Words of a context; the first ones count most."""
SHORT: Final = 8
"""Words up to which a question without a predicate is a fragment."""


class Exchange(NamedTuple):
    """A question of the conversation as it was meant, about what, and its answer."""

    question: str
    context: str = ""
    answer: str = ""


def meant(question: str, earlier: Sequence[Exchange]) -> Meaning:
    """The question, with what it leans on behind it; one that stands alone as it is."""
    if not earlier or stands_alone(question):
        return Meaning(text=question)
    context = _context(question, earlier)
    if not context:
        return Meaning(text=question)
    return Meaning(text=f"{question.rstrip(' ?？.。')} ({context})?", context=context)


def newest(question: str, context: str) -> str:
    """What a question itself asks, without the words it leans on."""
    return question.replace(f" ({context})", "", 1) if context else question


def stands_alone(question: str) -> bool:
    """Can it be understood without the questions before?"""
    text = question.strip()
    if OPENING.match(text) or ABOUT.search(text) or elliptic(text) or ONE.search(text):
        return False
    bare = IMPERSONAL.sub(" ", text)
    back = BACK.search(bare)
    return back is None or _spoken_of(bare[: back.start()])


def elliptic(question: str) -> bool:
    """Does it lack what it asks of the things that it names?"""
    text = OPENING.sub("", question.strip())
    if ABOUT.search(text):
        return True
    return len(text.split()) <= SHORT and not ASKING.search(text)


def _spoken_of(before: str) -> bool:
    """Is there a thing in the words before that those behind may point to?"""
    return bool(names(f". {before}") or THING.search(before))


def _context(question: str, earlier: Sequence[Exchange]) -> str:
    """The words of the conversation that a question leans on, but for its own.

    Without a predicate of its own it has that of the question before, without what that leans on;
    and always the things that the conversation has named.
    """
    last = earlier[-1]
    own = {word.lower() for word in telling(question)}
    words = telling(newest(last.question, last.context))
    if elliptic(newest(last.question, last.context)) or len(words) < SHORT // 2:
        words = [*words, *telling(last.context)]
    named = [name for each in reversed(earlier) for name in names(each.question)]
    words = [*words, *(word for name in named for word in telling(name))]
    found = dict.fromkeys(word for word in words if word.lower() not in own)
    once = {word.lower(): word for word in reversed(found)}
    return " ".join([word for word in found if once[word.lower()] == word][:MOST_WORDS])
