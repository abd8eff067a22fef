"""Whether a question or clause can be understood without what was said before it."""

import re
from typing import Final

from forager.questions.followups import ABOUT, OPENING, is_elliptic
from forager.questions.search_queries import find_names

BACK: Final = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|there|those|these|"
    r"(?:that|this)(?= (?:one|case|mode|time|way|file|option|value)\b|[\s,]*[?.]|$)|"
    r"the (?:same|other|others|former|latter|first|second)|instead|then(?=[\s,]*[?.]|$)|"
    r"er|ihn|ihm|ihr|ihre[nrms]?|sie|seine?[nrms]?|deren|dessen|dort|davon|dafür|damit|darin|"
    r"diese[nrms]?|dieselbe[n]?|"
    r"ils?|elles?|lui|leurs?|son|sa|ses|celui|celle|ceux|celles|cela|ça|y|en)\b|"
    r"它|(?<![其吉])他|她|其(?!他|它|余)|这|那(?!么)|该|前者|后者",
    re.IGNORECASE,
)
"""Words that point back, unless their antecedent stands in the same question."""
ONE: Final = re.compile(
    r"\b(?:the|that|this|which|any) (?:[\w-]+ ){0,3}?ones?\b|\bone of (?:them|those|these)\b|"
    r"\bd(?:er|ie|as) (?!die\b)[\w-]+e[nr]?\?$",
    re.IGNORECASE,
)
"""A thing named only by what sets it apart from one mentioned before."""
THING: Final = re.compile(
    r"\b(?:an?|eine?[nrms]?|une?|every|each|jede[nrms]?|chaque) [\w-]{3,}", re.IGNORECASE
)
"""Introduces a thing that a later word of the same question may point to."""
IMPERSONAL: Final = re.compile(
    r"\b(?:it (?:is|was|takes?|does|possible)|is it|does it take|il y a|il faut|est-il|y a-t-il|"
    r"gibt es|es gibt|there (?:is|are|was|were|a|an|any)|(?:is|are|was|were) there|"
    r"en [A-Z\d]\w*|the (?:first|second) (?!one)[\w-]+)\b",
)
"""Phrases that only look as if they pointed back."""


def stands_alone(question: str) -> bool:
    """Can the question be understood without the earlier ones?"""
    text = question.strip()
    if OPENING.match(text) or ABOUT.search(text) or is_elliptic(text) or ONE.search(text):
        return False
    bare = IMPERSONAL.sub(" ", text)
    back = BACK.search(bare)
    return back is None or _has_antecedent(bare[: back.start()])


def _has_antecedent(before: str) -> bool:
    """Do these words name a thing that the words after them may point to?"""
    return bool(find_names(f". {before}") or THING.search(before))
