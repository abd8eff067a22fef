"""Draws the arms from which the next round starts."""

from collections.abc import Sequence
from itertools import zip_longest

from pydantic import Field

from forager.answers.ending import ROUNDS_USED
from forager.bandit import posterior, warm_start
from forager.bandit.posterior import StrategyName, dry_reason
from forager.bandit.unread import unread_arms
from forager.budget import exhausted_limit, pages_left, smaller_limit
from forager.domain.base import Frozen
from forager.domain.state import Draw, State, Update
from forager.domain.urls import forbidding_entry, page_identity, tried_pages
from forager.node_type import NodeType, state_keys
from forager.ports import OFFLINE, Ports
from forager.questions.subquestions import open_sub_questions, ready_sub_questions, was_confirmed


class SelectorParams(Frozen):
    """How arms are drawn, and how often."""

    strategy: StrategyName = Field("thompson", description="how an arm is drawn")
    rounds: int = Field(10, ge=1, description="rounds; the question's budget may allow fewer")
    offline_rounds: int = Field(
        0,
        ge=0,
        description="most rounds offline, and one more for each further sub-question; 0: no limit",
    )
    parallel: int = Field(1, ge=1, description="arms drawn at once")
    spread: bool = Field(False, description="arms drawn at once serve different open sub-questions")
    waves: int = Field(
        0, ge=0, description="first rounds that read unread arms alone and follow no link"
    )
    dry: int = Field(
        0,
        ge=0,
        description="dry rounds that end the run if words asked for are on no page; else one more",
    )


async def select(state: State, ports: Ports, params: SelectorParams) -> Update:
    """Draw among the arms that are not retired; seed and round decide the draw.

    A page where the same question found nothing before is not drawn, and counts as a round unless
    the question says how many it may take. Offline there are no waves, since they only save model
    calls and time.
    """
    by_rule = ports.model.name == OFFLINE
    if by_rule and params.waves:
        params = params.model_copy(update={"parallel": 1, "spread": False, "waves": 0})
    round = state.draw.round + 1
    budget = state.question.budget
    if limit := exhausted_limit(budget, state.spend):
        return {"draw": _no_draw(state, f"the budget of {limit} is spent")}
    if was_confirmed(state):
        return {"draw": _no_draw(state, "a look at another page found no better quote")}
    vain = warm_start.fruitless_pages(state.arms) - tried_pages(state.steps)
    last = smaller_limit(_most_rounds(state, params, by_rule), budget.rounds)
    counted = vain if budget.rounds is None else ()
    last = max(last - len(counted), state.draw.round)
    drawable = [
        arm
        for arm in state.arms
        if page_identity(arm.url) not in vain and _may_open(state, arm.url)
    ]
    drawn = posterior.draw_arms(
        params.strategy,
        drawable,
        state.lessons,
        seed=state.question.seed,
        round=round,
        count=len(state.arms) if params.spread or params.waves else params.parallel,
    )
    if round > last and drawn.urls:
        before = f", {len(counted)} of them when the same question was asked before"
        return {"draw": _no_draw(state, f"{ROUNDS_USED}{before if counted else ''}", last)}
    if reason := dry_reason(state, params.dry, absent_only=by_rule):
        return {"draw": _no_draw(state, reason, last)}
    unread = [arm.url for arm in unread_arms(state)] if round <= params.waves else []
    urls = tuple(url for url in drawn.urls if url in unread) or drawn.urls
    urls = _spread_over_parts(state, urls, round if unread else 1) if params.spread else urls
    urls = urls[: min(params.parallel, max(1, pages_left(budget, state.spend)))]
    wave = round < last and not set(unread) <= set(urls)
    drawn = drawn.model_copy(update={"urls": urls, "wave": wave, "most": last})
    if drawn.urls:
        return {"draw": drawn}
    before = f", besides {len(vain)} that were tried when the same question was asked before"
    return {"draw": _no_draw(state, f"{drawn.reason}{before if vain else ''}", last)}


def _most_rounds(state: State, params: SelectorParams, by_rule: bool) -> int:
    """The graph's limit; offline a smaller one, since later rounds find next to nothing.

    Where every known page is an arm, that allows each of them. A question that says how many rounds
    it may take is not held to the smaller one.
    """
    if not (by_rule and params.offline_rounds) or state.question.budget.rounds is not None:
        return params.rounds
    asked = {part.text for part in state.survey.parts}
    every = sum(state.survey.pages.values())
    allowed = params.offline_rounds + max(0, len(asked) - 1)
    return min(params.rounds, max(allowed, every) if every <= len(state.arms) else allowed)


def _draw_route(state: State) -> str:
    """Was an arm drawn?"""
    return "arm" if state.draw.urls else "exhausted"


NODE_TYPE = NodeType(
    name="selector",
    family="prepare",
    summary="Draws the arms where the next round starts.",
    function=select,
    params=SelectorParams,
    routes=("arm", "exhausted"),
    route=_draw_route,
    reads=state_keys("question spend arms"),
    looks=state_keys("survey draw recall steps evidence lessons verdict"),
    writes=state_keys("draw"),
    spent="exhausted",
)


def _spread_over_parts(state: State, drawn: Sequence[str], each: int) -> tuple[str, ...]:
    """The first `each` arms for every open sub-question that needs no other open one, in turns.

    If there is no such sub-question, those for every open one; else the first of all arms.
    """
    led = {arm.url: arm.part for arm in state.arms}
    open = open_sub_questions(state.survey, state.verdict)
    for parts in (ready_sub_questions(open), open):
        asks = {part.id: part.text for part in parts}
        found: dict[str, list[str]] = {}
        for url in drawn:
            if led[url] in asks:
                found.setdefault(asks[led[url]], []).append(url)
        if found:
            turns = zip_longest(*(urls[:each] for urls in found.values()))
            return _without_needless(state, [url for turn in turns for url in turn if url])
    return tuple(drawn[:1])


def _without_needless(state: State, urls: Sequence[str]) -> tuple[str, ...]:
    """The pages, without those whose sub-question another of them serves better."""
    arms = {arm.url: arm for arm in state.arms}
    kept = list(urls)
    for url in reversed(urls):
        part, own = arms[url].part, arms[url].scores
        others = (arms[one].scores for one in kept if one != url)
        if any(scores.get(part, 0.0) > own.get(part, 0.0) for scores in others):
            kept.remove(url)
    return tuple(kept)


def _may_open(state: State, url: str) -> bool:
    return not forbidding_entry(state.question.forbidden, url)


def _no_draw(state: State, reason: str, most: int = 0) -> Draw:
    return Draw(round=state.draw.round, most=most or state.draw.most, reason=reason)
