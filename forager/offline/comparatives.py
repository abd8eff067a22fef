"""Words that compare or measure: what they ask to be measured, and how a text speaks of that."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from forager.data.word_lists import ByLanguage, Language, WordLists, all_words, read_word_lists

DATE = frozenset(["date"])
LENGTH = frozenset(["length"])
MONEY = frozenset(["dollars", "euros", "pounds", "yen"])
SIZE = frozenset(["area", "volume", "information", "length", "pixels", "mass"])
PLAIN: frozenset[str] = frozenset()


class Measure(NamedTuple):
    """Quantities (`text.units`; `date` for dates; none: plain counts) and words about them.

    `falls` where it compares the other way round: shorter, younger, cheaper, earlier.
    """

    quantities: frozenset[str]
    cues: tuple[str, ...] = ()
    falls: bool = False


Name = Literal[
    "long", "high", "deep", "wide", "heavy", "old", "early", "large", "fast", "far", "hot", "dear",
    "more",
]  # fmt: skip
QUANTITIES: Mapping[Name, frozenset[str]] = {
    "long": LENGTH | {"time"},
    "high": LENGTH,
    "deep": LENGTH,
    "wide": LENGTH | {"angle", "cents"},
    "heavy": frozenset(["mass"]),
    "old": DATE,
    "early": DATE,
    "large": SIZE,
    "fast": frozenset(["speed", "time", "frequency"]),
    "far": LENGTH,
    "hot": frozenset(["celsius", "fahrenheit"]),
    "dear": MONEY,
    "more": PLAIN,
}
FALLING: frozenset[Name] = frozenset(["old", "early"])
"""What is older, or earlier, has the smaller date."""


class ComparativeWords(WordLists):
    """The lists of `data/comparatives.toml`, which says what each is for."""

    up: Mapping[Name, ByLanguage]
    down: Mapping[Name, ByLanguage]
    nouns: Mapping[Name, ByLanguage]
    cues: Mapping[Name, ByLanguage]
    counted: ByLanguage
    leads: Mapping[Literal["worked_out", "yes", "no"], Mapping[Language, str]]


WORDS: Final = read_word_lists("comparatives", ComparativeWords)
MEASURES: Mapping[Name, Measure] = {
    name: Measure(quantities, all_words(WORDS.cues.get(name, {})), name in FALLING)
    for name, quantities in QUANTITIES.items()
}
MORE = MEASURES["more"]
FEWER = MORE._replace(falls=True)
COUNTED = frozenset(all_words(WORDS.counted))
"""What is a number whatever its unit."""


def _measures(lists: Mapping[Name, ByLanguage]) -> dict[str, Measure]:
    return {word: MEASURES[name] for name, words in lists.items() for word in all_words(words)}


COMPARED: Mapping[str, Measure] = {
    **_measures(WORDS.up),
    **{
        word: measure._replace(falls=not measure.falls)
        for word, measure in _measures(WORDS.down).items()
    },
}
MEASURED: Mapping[str, Measure] = _measures(WORDS.nouns)
