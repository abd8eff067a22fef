"""What a text must have to answer some questions: a name, an amount of money, a weight."""

import re
from typing import Final

from forager.text.answer_types import MONTH
from forager.text.quantities import scan_numbers

DID: Final = (
    r"(?:was|were|did|had|[a-z]+ed|became|began|bought|brought|built|came|caught|chose|cut|drew|drove|"
    r"fought|found|gave|got|grew|held|kept|knew|laid|led|left|lent|lost|made|met|paid|put|ran|rang|"
    r"read|rode|rose|said|sang|sank|saw|sent|set|shot|showed|shut|sold|spoke|stole|stood|swam|swore|"
    r"taught|thought|threw|told|took|went|won|wore|wove|wrote|lit|fell|felt|flew|hid|hit|hung|struck)"
)
ASKED: Final = re.compile(
    rf"(?:\A|(?<!\.\w)[.:] )\W*(?:and )?(?:(?:by|from|thanks to|to|with) )?"
    rf"(?:who(?: \w+ly| first| then| last| once| also)? {DID}\b|whom? did\b|"
    rf"(?<!: )whose (?:[\w-]+ ){{1,4}}?{DID}\b)",
    re.IGNORECASE,
)
"""What somebody did is told of people, and these have names; who does something may be a role."""
NAME: Final = re.compile(
    r"(?<![.!?“\"'(|•-] )(?<!\A)(?<!\n)\b[A-Z][^\W\d_]+|"
    r"\b[A-Z][^\W\d_]*\.?(?: (?:van|von|de|la|der|den|du))? [A-Z][^\W\d_]+|"
    r"[\w.+-]+@[\w-]+|[\u3040-\u30ff\u3400-\u9fff]{2,}|"
    rf"\b(?!(?:It|He|She|They|We|I|You|This|That|There|These|Those|Who|Which|What|One)\b)"
    rf"[A-Z][^\W\d_]+(?= {DID}\b)"
)
"""A capitalised word inside a sentence or before what it did, two together, an address, a name in
Han or kana."""
MONTH_NAME: Final = re.compile(MONTH, re.IGNORECASE)
WORD: Final = re.compile(r"\w+")


PRICE_ASKED: Final = re.compile(
    r"\bhow much (?:money )?(?:does|do|did|will|would|is|are|must|should)\b[^?]*"
    r"\b(?:costs?|charged?|pay|paid)\b(?! in\b)|\bhow expensive\b|"
    r"\bwhat (?:is|are|was|were) the (?:prices?|fares?|fees?) (?:of|for)\b",
    re.IGNORECASE,
)
MONEY: Final = re.compile(
    r"[€$£¥₹元円]|\b(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|cents?|pence|francs?|crowns?|yen|yuan|"
    r"rupees?|kron(?:er?|or|a)|roubles?|marks?|shillings?|free|gratis|no (?:charge|cost|fee)|"
    r"nothing)\b",
    re.IGNORECASE,
)


WEIGHT_ASKED: Final = re.compile(
    r"\bhow heavy (?:is|are|was|were|does|do|may|can|must|should)\b|"
    r"\bhow much (?:does|do|did|will|may|can|must|should)\b[^?]*\bweigh\b|"
    r"\bwhat (?:does|do|did)\b[^?]*\bweigh\b",
    re.IGNORECASE,
)
WEIGHT_NAMED: Final = re.compile(r"\b(?:weights?|mass|kg|kilograms?|grams?)\b", re.IGNORECASE)


def lacks_needed(question: str, text: str, place: str = "") -> bool:
    """Does a question ask who did something and a text names nobody, or what is paid and there is
    no money, or what something weighs and there is no mass? Money and mass may be named in the
    text's `place`, such as the columns of a table."""
    if PRICE_ASKED.search(question):
        return not MONEY.search(f"{place} {text}")
    if WEIGHT_ASKED.search(question):
        units = (number.unit for number in scan_numbers(text))
        weighed = any(unit and unit.quantity == "mass" for unit in units)
        return not weighed and not WEIGHT_NAMED.search(place)
    return _lacks_name(question, text)


def _lacks_name(question: str, text: str) -> bool:
    if not ASKED.search(question):
        return False
    asked = _words(question)
    names = (found[0] for found in NAME.finditer(text) if not MONTH_NAME.fullmatch(found[0]))
    return all(_words(name) <= asked for name in names)


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}
