"""Hints that a user gives during a run: as a section of prompts, and as bonuses of rules."""

from collections.abc import Sequence, Set

from forager.bandit.posterior import KAPPA
from forager.domain.state import Arm
from forager.prompts.sections import Section, list_items
from forager.text.tokens import keywords, tokenize

HINT_WEIGHT = 1.0
"""Bonus of a link whose words cover a whole hint; its other scores range from 0 to 1."""
CONTEXT_WEIGHT = 0.5
"""Weight of a word found only around a link, relative to one in the link itself."""


def hint_sections(hints: Sequence[str]) -> tuple[Section, ...]:
    """The prompt section that lists the hints, newest first; empty without hints."""
    if not hints:
        return ()
    items = list_items(hints, newest=True)
    return (Section(title="The user adds", items=items, tokens=300, material=False),)


def hint_bonus(hints: Sequence[str], named: Set[str], around: Set[str] = frozenset()) -> float:
    """The best bonus (0 to `HINT_WEIGHT`) that any hint gives to something with these words."""
    return HINT_WEIGHT * max(
        (_hint_coverage(keywords(hint), named, around) for hint in hints), default=0.0
    )


HINTED = 40.0
"""Times the strength of its ranking that a full match adds to an arm's prior."""


def favour_hinted_arms(
    arms: Sequence[Arm], hints: Sequence[str], kappa: float = KAPPA
) -> tuple[Arm, ...]:
    """Raise the priors of arms that match a hint; one that matches fully is drawn before others."""
    return tuple(_favour_arm(arm, hint_bonus(hints, _arm_words(arm)), kappa) for arm in arms)


def _favour_arm(arm: Arm, worth: float, kappa: float) -> Arm:
    if not worth:
        return arm
    ranked = max(kappa, arm.alpha + arm.beta - 2)
    beta = 1 + (arm.beta - 1) * (1 - worth)
    return arm.model_copy(update={"alpha": arm.alpha + HINTED * ranked * worth, "beta": beta})


def _arm_words(arm: Arm) -> set[str]:
    return set(tokenize(f"{arm.title} {arm.url.partition('://')[2].partition('/')[2]}"))


def _hint_coverage(terms: Sequence[str], named: Set[str], around: Set[str]) -> float:
    said = (1.0 if term in named else CONTEXT_WEIGHT if term in around else 0.0 for term in terms)
    return sum(said) / (len(terms) or 1)
