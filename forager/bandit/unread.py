"""Arms whose page has not been read in any language."""

from forager.bandit import warm_start
from forager.bandit.posterior import arm_beliefs
from forager.domain.state import Arm, State
from forager.domain.translations import pages_read, read_twins, twin_key
from forager.domain.urls import forbidding_entry, page_identity, tried_or_at_hand


def unread_arms(state: State) -> tuple[Arm, ...]:
    """The untried arms that may be opened, best first; each page in one language only."""
    tried = tried_or_at_hand(state) | warm_start.fruitless_pages(state.arms)
    twins = read_twins(pages_read(state))
    beliefs = arm_beliefs(state.arms, state.lessons)
    unread = [
        arm
        for arm in state.arms
        if not beliefs[arm.url].retired
        and page_identity(arm.url) not in tried
        and twin_key(arm.url) not in twins
        and not forbidding_entry(state.question.forbidden, arm.url)
    ]
    ordered = sorted(unread, key=lambda arm: (-beliefs[arm.url].mean, -arm.score, arm.url))
    first: dict[str, Arm] = {}
    for arm in ordered:
        first.setdefault(twin_key(arm.url), arm)
    return tuple(first.values())
