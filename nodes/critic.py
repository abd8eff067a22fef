"""Judges whether the ledger is enough, part by part."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from pydantic import BaseModel, Field

from forager.answers import answer_table
from forager.answers.likelihood import answer_probability
from forager.answers.small_model import MAX_QUOTES, Confirmed, ConfirmQuote
from forager.domain.base import Frozen
from forager.domain.state import Evidence, State, SubQuestion, Update, Verdict
from forager.domain.urls import tried_or_at_hand
from forager.evidence import list_rows
from forager.node_type import NodeType, state_keys
from forager.offline.critic import CoverageRule, odds_elsewhere
from forager.ports import OFFLINE, Embedder, Ports, Rater, RoleReply, SmallTask, Task
from forager.prompts.sections import Section, evidence_items, list_items, safe_id, text_section
from forager.questions.list_intent import parse_list_intent
from forager.questions.subquestions import spread_over_sites, standing_verdict
from forager.text.answer_types import missing_kinds
from forager.util.concurrency import run_concurrently

PROMPT = """\
You judge whether a ledger of quotes answers one thing that was to be looked up. You see the
question it belongs to, the look-up with the ids it is kept under, and the quotes, each with its
id and the page and section where it stands.

The look-up is covered only if a quote says the answer outright, so that somebody who knows
nothing else could point at the words. Check, in this order: is the quote about the very thing
asked, the same person, product, version, option, place and year? Does it state the fact itself,
with the number, name or date that is asked for, and not that such a fact exists? Does it hold for
the case asked, without a condition that may not be met? Where two quotes pass these checks and
contradict each other, the look-up is covered: name both, and the answer will show both.

What is likely, what you know from elsewhere and what "must" follow cover nothing. What follows by
arithmetic from quoted values is covered by these: a difference, a total, a share, an order, the
time between dates. In `quotes` name the ids of the quotes that say it. If it is covered, list its
ids in `covered`: all of them, unless the answer was to be found for each site apart. If not, leave
both empty, and say in `reason` in one sentence what is missing or which check failed."""

SURE = 0.7
"""The probability from which the rule's judgement stands without a small model's."""
REJUDGE_SCORE = 0.5
"""A new quote with this score has a covered part judged again."""


class CriticParams(Frozen):
    """When a look-up counts as covered without a model."""

    least: float = Field(0.65, ge=0, description="score that covers a part without a model")
    lists: int = Field(5, ge=0, description="pages opened before a list may lack rows")
    elsewhere: float = Field(
        0.1, ge=0, le=1, description="share of a part's odds that unopened pages may still hold"
    )
    gate: bool = Field(
        False, description="judge once more what the aggregator's call found to be covered"
    )


class Judged(RoleReply):
    """Is it covered, and by which quotes?"""

    reason: str = Field("", description="if it is not covered, what is missing or fails")
    quotes: list[str] = Field(description="ids of the quotes that say the answer")
    covered: list[str] = Field(description="ids of what is covered; empty if nothing is")


class RuleJudged(Judged):
    """A judgement by rule; where it is `sure`, a small model would be wrong more often."""

    sure: bool = False


class JudgePart(Task[Judged]):
    """Judge one look-up, given as a part for each site that it may be answered on.

    `every` are the parts of all look-ups, `elsewhere` is the share of each part's odds on unopened
    pages, `before` the ids of the parts that this one needs. `listed` describes the lists in the
    ledger, `whole` says whether all rows asked for are there, if that is known, and `about` names
    the thing of a comparison.
    """

    ROLE = "critic"
    PROMPT = PROMPT
    REPLY = Judged

    question: str
    parts: tuple[SubQuestion, ...]
    every: tuple[SubQuestion, ...] = ()
    ledger: tuple[Evidence, ...]
    elsewhere: dict[str, float]
    before: tuple[str, ...] = ()
    params: CriticParams
    listed: tuple[str, ...] = ()
    whole: bool | None = None
    about: str = ""

    def sections(self) -> tuple[Section, ...]:
        """The look-up, and the quotes that bear on it most."""
        ids = [f"{part.id}: on {part.site}" for part in self.parts]
        worth = {item.id: self._best_score(item) for item in self.ledger}
        return (
            text_section("Question", self.question),
            text_section("Look-up", self.parts[0].text),
            Section(title="Its ids", items=list_items(ids), tokens=200, material=False),
            *self._list_section(),
            Section(title="Quotes", items=evidence_items(self.ledger, worth), tokens=2500),
        )

    def faults(self, reply: Judged) -> list[str]:
        """Ids that do not exist, and a verdict without a quote."""
        ids, known = {part.id for part in self.parts}, {item.id for item in self.ledger}
        wrong = [f"There is no id {safe_id(id)} to cover." for id in reply.covered if id not in ids]
        wrong += [f"There is no quote {safe_id(id)}." for id in reply.quotes if id not in known]
        if reply.covered and not reply.quotes:
            wrong.append("Name the quotes that say it, or leave `covered` empty.")
        return wrong

    def offline(self, embedder: Embedder) -> RuleJudged:
        """Covered by a strong quote, if little is left to find on pages not opened yet."""
        covering = CoverageRule(
            parts=self.parts,
            ledger=self.ledger,
            before=self.before,
            elsewhere=self.elsewhere,
            whole=self.whole,
            least=self.params.least,
            most_elsewhere=self.params.elsewhere,
            about=self.about,
            every=self.every,
            rater=embedder.rater,
        ).covering()
        reason = "" if len(covering) == len(self.parts) else f"open: {self.parts[0].text}"
        quotes = list(dict.fromkeys(covering.values()))
        return RuleJudged(
            quotes=quotes,
            covered=list(covering),
            reason=reason,
            sure=self._is_sure(quotes, embedder.rater),
        )

    def _is_sure(self, quotes: Sequence[str], rater: Rater | None) -> bool:
        """Is one of these quotes very likely to answer?"""
        named = [item for item in self.ledger if item.id in quotes]
        if not named or rater is None:
            return False
        return answer_probability(self.parts[0], named, rater) >= SURE

    def small_task(self, draft: Judged) -> SmallTask | None:
        """Which of the best quotes says it, if the rule finds it covered, and is not sure."""
        if (
            not draft.covered
            or self.whole is not None
            or (isinstance(draft, RuleJudged) and draft.sure)
        ):
            return None
        best = sorted(
            self.ledger, key=lambda item: (item.id not in draft.quotes, -self._best_score(item))
        )
        return ConfirmQuote(question=self.parts[0].text, quotes=tuple(best[:MAX_QUOTES]))

    def with_small_reply(self, draft: Judged, small: SmallTask, reply: BaseModel) -> Judged:
        """Covered by the quote that the model names; open if it names none."""
        assert isinstance(small, ConfirmQuote)  # noqa: S101
        assert isinstance(reply, Confirmed)  # noqa: S101
        quotes = [item.id for item in small.chosen([reply.quote])]
        if quotes:
            return draft.model_copy(update={"quotes": quotes})
        return Judged(quotes=[], covered=[], reason=reply.why or f"open: {self.parts[0].text}")

    def _list_section(self) -> tuple[Section, ...]:
        items = list_items(self.listed)
        title = "Lists in the ledger, of which the quotes show the first rows"
        return (Section(title=title, items=items, tokens=300),) if items else ()

    def _best_score(self, item: Evidence) -> float:
        return max((item.passage.scores.get(part.id, 0.0) for part in self.parts), default=0.0)


async def criticise(state: State, ports: Ports, params: CriticParams) -> Update:
    """Judge all look-ups at once that are open, or that new evidence bears on.

    What the aggregator has judged is taken over.
    """
    ledger = tuple(item for item in state.evidence if not item.dropped)
    told = state.feedback.grounds
    beside = [part for part in state.survey.parts if part.weight < 1]
    settled = spread_over_sites(_settled_parts(state, ledger), beside)
    if not params.gate:
        settled = {id: quotes for id, quotes in (settled | told).items() if quotes}
    tasks = _make_tasks(state, ledger, settled.keys() | _parts_left_open(state), params)
    replies = await run_concurrently(ports.model.ask(task) for task in tasks)
    judged = list(zip(tasks, replies, strict=True))
    covering = _covering_quotes(judged, ledger)
    pending = _parts_to_confirm(state, covering) if ports.model.name == OFFLINE else {}
    return {"verdict": _make_verdict(state, settled | covering, pending, judged)}


def _verdict_route(state: State) -> str:
    """Is the ledger enough?"""
    return "sufficient" if state.verdict and state.verdict.sufficient else "insufficient"


NODE_TYPE = NodeType(
    name="critic",
    family="judge",
    summary="Judges, part by part, whether the quotes are enough.",
    function=criticise,
    params=CriticParams,
    routes=("sufficient", "insufficient"),
    route=_verdict_route,
    reads=state_keys("question survey"),
    looks=state_keys("meaning arms recall steps evidence feedback verdict"),
    writes=state_keys("verdict"),
    fed={"sufficient": "evidence"},
    enough="sufficient",
    tasks=(JudgePart,),
)


def _make_tasks(
    state: State, ledger: tuple[Evidence, ...], settled: Collection[str], params: CriticParams
) -> list[JudgePart]:
    """A task for each look-up of which a part is not settled."""
    asked: dict[str, list[SubQuestion]] = {}
    for part in state.survey.parts:
        if part.id not in settled:
            asked.setdefault(part.text, []).append(part)
    elsewhere = odds_elsewhere(state)
    whole = _list_complete(state, ledger, params.lists)
    return [
        JudgePart(
            question=state.asked,
            parts=tuple(parts),
            every=state.survey.parts,
            ledger=list_rows.shorten_lists(ledger),
            listed=tuple(list_rows.describe_lists(ledger)),
            whole=whole,
            about=answer_table.compared_thing(parts[0], state.asked),
            elsewhere={part.id: elsewhere[part.id] for part in parts},
            before=_main_parts(state, parts[0].needs),
            params=params,
        )
        for parts in asked.values()
    ]


def _make_verdict(
    state: State,
    covered: Mapping[str, tuple[str, ...]],
    pending: Mapping[str, tuple[str, ...]],
    judged: Iterable[tuple[JudgePart, Judged]],
) -> Verdict:
    """The verdict, from the quotes that cover each part and the reasons why others are open."""
    ids = [part.id for part in state.survey.parts]
    grounds = {id: quotes for id, quotes in covered.items() if id not in pending}
    open = tuple(id for id in ids if id not in grounds)
    reasons = [
        reply.reason
        for task, reply in judged
        if reply.reason and any(part.id in open for part in task.parts)
    ]
    return Verdict(
        sufficient=not open,
        covered=tuple(id for id in ids if id in grounds),
        open=open,
        grounds={id: grounds[id] for id in ids if id in grounds},
        pending=dict(pending),
        seen=len(state.evidence),
        steps=len(state.steps),
        reason="; ".join(reasons),
    )


def _list_complete(state: State, ledger: Sequence[Evidence], least: int) -> bool | None:
    """Are all rows of the list there that the question asks for? None if nothing tells."""
    wanted = parse_list_intent(state.asked)
    if wanted is None or wanted.is_comparison:
        return None
    return list_rows.is_list_complete(ledger, wanted, len(tried_or_at_hand(state)), least)


def _main_parts(state: State, asks: Sequence[str]) -> tuple[str, ...]:
    """The ids of the parts with these texts, on the sites that they name."""
    return tuple(p.id for p in state.survey.parts if p.text in asks and p.weight >= 1)


def _settled_parts(state: State, ledger: Sequence[Evidence]) -> dict[str, tuple[str, ...]]:
    """Covered parts with their quotes, if these are still there and no new one bears on them."""
    if state.verdict is None:
        return {}
    known = {item.id for item in ledger}
    news = [item for item in state.evidence[state.verdict.seen :] if not item.dropped]
    return {
        part: quotes
        for part, quotes in state.verdict.grounds.items()
        if known.issuperset(quotes)
        and not any(item.passage.scores.get(part, 0.0) >= REJUDGE_SCORE for item in news)
    }


def _parts_left_open(state: State) -> set[str]:
    """Where an aggregator judges: the parts that it left open, and those without new quotes.

    A part that is asked on several sites is judged when it is covered on one of them.
    """
    told = state.feedback.grounds
    if not told:
        return set()
    seen, covered = (state.verdict.seen, state.verdict.covered) if state.verdict else (0, ())
    news = [item for item in state.evidence[seen:] if not item.dropped]
    bearing = {id for item in news for id, score in item.passage.scores.items() if score > 0}
    parts = state.survey.parts
    texts = {
        part.text
        for part in parts
        if part.id not in covered and told.get(part.id, part.id in bearing)
    }
    return {part.id for part in parts if part.text not in texts}


def _parts_to_confirm(
    state: State, covering: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """The covered parts whose best quote has no value of the kind asked for, while a page is left.

    A rule that sees no value asks for one look at another page before its judgement stands.
    """
    looked = standing_verdict(state)
    known = {item.id: item.passage.text for item in state.evidence}
    left = odds_elsewhere(state)
    return {
        part.id: quotes
        for part in state.survey.parts
        if (quotes := covering.get(part.id))
        and left[part.id]
        and not (looked and part.id in looked.covered)
        and missing_kinds(part.text, known[quotes[0]])
    }


def _covering_quotes(
    judged: Iterable[tuple[JudgePart, Judged]], ledger: Sequence[Evidence]
) -> dict[str, tuple[str, ...]]:
    """For each part judged to be covered, the ids of the quotes that cover it and exist."""
    known = {item.id for item in ledger}
    return {
        part.id: quotes
        for task, reply in judged
        if (quotes := tuple(id for id in reply.quotes if id in known))
        for part in task.parts
        if part.id in reply.covered
    }
