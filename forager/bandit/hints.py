"""What a user adds while a question is pursued: as a model is told, and as a rule counts it."""

from collections.abc import Sequence, Set

from forager.bandit.posterior import KAPPA
from forager.domain.state import Arm
from forager.prompts.sections import Section, listed
from forager.text.tokens import keywords, tokenize

HINT_WEIGHT = 1.0
"""What a link gains whose words say all of a hint, beside its share of what is open (0 to 1)."""
CONTEXT_WEIGHT = 0.5
"""What words around a link count, beside its own."""


def hint_sections(hints: Sequence[str]) -> tuple[Section, ...]:
    """The section of a prompt with what the user added, if anything."""
    if not hints:
        return ()
    items = listed(hints, newest=True)
    return (Section(title="The user adds", items=items, tokens=300, material=False),)


def hint_bonus(hints: Sequence[str], named: Set[str], around: Set[str] = frozenset()) -> float:
    """How much hints speak for something with these words (0 to `PULL`): the best of them."""
    return HINT_WEIGHT * max(
        (_hint_coverage(keywords(hint), named, around) for hint in hints), default=0.0
    )


def favour_hinted_arms(
    arms: Sequence[Arm], hints: Sequence[str], kappa: float = KAPPA
) -> tuple[Arm, ...]:
    """The arms, those that hints speak for with as much again as the best ranking is worth."""
    return tuple(_favour_arm(arm, hint_bonus(hints, _arm_words(arm)), kappa) for arm in arms)


def _favour_arm(arm: Arm, worth: float, kappa: float) -> Arm:
    return arm.model_copy(update={"alpha": arm.alpha + kappa * worth}) if worth else arm


def _arm_words(arm: Arm) -> set[str]:
    return set(tokenize(f"{arm.title} {arm.url.partition('://')[2].partition('/')[2]}"))


def _hint_coverage(terms: Sequence[str], named: Set[str], around: Set[str]) -> float:
    said = (1.0 if term in named else CONTEXT_WEIGHT if term in around else 0.0 for term in terms)
    return sum(said) / (len(terms) or 1)
