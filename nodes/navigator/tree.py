"""Best-first search in a browser: several contexts propose, a rater rates, the best one is done."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from forager.bandit.hints import hinted
from forager.browsing.action_text import in_words
from forager.browsing.search_frontier import Past, best, joined, pruned
from forager.browsing.trajectory import standing, viewed, walk, way_here
from forager.budget import least, running
from forager.domain.actions import IN_BROWSER, Action, Candidate
from forager.domain.state import State, Update
from forager.errors import BrowserError
from forager.ports import Embedder, Ports, Said, Task
from forager.prompts.sections import Item, Section, listed, named, one_line, said
from forager.text.tokens import tokenize
from forager.util.concurrency import together
from nodes.navigator import browser, browser_view
from nodes.navigator.forced_moves import forced_action, is_off_site
from nodes.navigator.open_work import (
    make_proposal,
    noted_by_model,
    open_terms,
    open_texts,
    steps_of_round,
)
from nodes.navigator.params import NavigatorParams, PromptContext

PROMPT = """\
You rate actions that were proposed for the next step in a web browser, on the way to the answer to
a question. You see the question, a checklist of what is still to be found, the last steps and what
came of them, the page, and the actions under their numbers with what is expected of them.

Go through the checklist for each action. Give it a `score` from 0 to 1: 1 if its next page will
almost certainly say one of the things on the list, 0.5 if it leads there in a few steps, 0 if it
leads away, repeats what was done, cannot work on this page, or changes or sends something that the
question does not ask for. An action that stops with an answer scores how sure it is that the
answer is right and complete, judged by what was seen; one that gives up scores 0 unless nothing on
the page leads on. Rate each action for itself: how often it was proposed says nothing."""

VIEW_TOKENS = 800
HISTORY_STEPS = 5
UNRATED_SCORE = 0.5
CONTEXTS = (
    PromptContext(name="steps", history=5, lessons=False),
    PromptContext(name="lessons", history=3, place=1),
    PromptContext(name="look-up", history=4, first=True, place=2),
    PromptContext(name="now", history=1, place=3),
    PromptContext(name="long", history=12, place=4),
)


class Rating(BaseModel):
    """What an action is worth."""

    number: int = Field(description="the action's number")
    score: float = Field(description="from 0 to 1")


class Rated(Said):
    """All of them."""

    ratings: list[Rating] = Field(description="one for each action")


class RateActions(Task[Rated]):
    """Rate proposed actions; the checklist is what is open, perhaps `noted` from pages.

    `guessed` holds by number what the rule without a model thinks of them.
    """

    ROLE = "rater"
    PROMPT = PROMPT
    REPLY = Rated

    question: str
    open: tuple[str, ...]
    noted: bool = False
    history: tuple[str, ...] = ()
    lines: tuple[Item, ...] = ()
    actions: tuple[Action, ...]
    guessed: dict[int, float] = Field(default_factory=dict)
    terms: dict[str, float] = Field(default_factory=dict)
    hints: tuple[str, ...] = ()

    def sections(self) -> tuple[Section, ...]:
        """The question and the checklist first, the actions last."""
        actions = [
            Item(text=f"{number}: {one_line(_describe_proposal(action))}", relevance=-number)
            for number, action in enumerate(self.actions, start=1)
        ]
        checklist = Section(
            title="Checklist", items=listed(self.open), tokens=300, material=self.noted
        )
        return (
            said("Question", self.question),
            checklist,
            *hinted(self.hints),
            Section(title="Last steps", items=listed(self.history, newest=True), tokens=300),
            Section(title="The page", items=self.lines, tokens=VIEW_TOKENS),
            Section(title="Actions", items=tuple(actions), tokens=600),
        )

    def offline(self, embedder: Embedder) -> Rated:
        """What the guess was worth, or the share of the open terms in the action's words."""
        ratings = [
            Rating(number=number, score=self._by_rule(number, action))
            for number, action in enumerate(self.actions, start=1)
        ]
        return Rated(ratings=ratings)

    def faults(self, reply: Rated) -> list[str]:
        """Actions that were not rated or are not there, and scores out of bounds."""
        numbers = {each.number for each in reply.ratings}
        there = set(range(1, len(self.actions) + 1))
        faults = [f"Action {number} has no rating." for number in sorted(there - numbers)]
        faults += [f"There is no action {named(str(n))}." for n in sorted(numbers - there)]
        wrong = [each.number for each in reply.ratings if not 0 <= each.score <= 1]
        return faults + [f"The score of action {n} is not from 0 to 1." for n in wrong]

    def bounded_scores(self, reply: Rated) -> tuple[float, ...]:
        """The score of each action, bounded; what was not rated is neither good nor bad."""
        told = {each.number: min(1.0, max(0.0, each.score)) for each in reply.ratings}
        return tuple(told.get(number, UNRATED_SCORE) for number in range(1, len(self.actions) + 1))

    def _by_rule(self, number: int, action: Action) -> float:
        if action.kind == "stop":
            return 0.0
        total = sum(self.terms.values()) or 1.0
        said = set(tokenize(_describe_proposal(action)))
        overlap = sum(weight for term, weight in self.terms.items() if term in said) / total
        return self.guessed.get(number, overlap)


async def grow_tree(state: State, ports: Ports, params: NavigatorParams) -> Update:
    """Ask for actions where the browser stands, if it is new there; then do the best of all."""
    waiting = _valid_candidates(state)
    action = forced_action(state, ports, params)
    past = _search_past(state, ports, params)
    if action is None:
        if not waiting or not (_failed_here(state) or is_off_site(state)):
            new = await _propose_candidates(state, ports, params)
            waiting = joined((*waiting, *_number_candidates(waiting, new)))
        chosen = best(waiting, past)
        action = chosen.action if chosen else Action(kind="stop", reason="nothing is left to try")
        left = tuple(each for each in waiting if each != chosen)
        waiting = pruned(left, past, params.frontier)
    elif action.kind == "stop" and (chosen := _best_answer(waiting, past)):
        action = chosen.action
    return {"proposal": make_proposal(state, params, action), "frontier": waiting}


async def _propose_candidates(
    state: State, ports: Ports, params: NavigatorParams
) -> list[Candidate]:
    """What the contexts propose here, rated; what cannot be done is left out unless it is all."""
    contexts = CONTEXTS[: params.contexts]
    proposals = await together(
        browser.propose_browser_action(state, ports, params, context=context)
        for context in contexts
    )
    page = browser_view.shown_page(state, ports)
    made = [
        Candidate(
            number=number,
            action=proposal.action,
            progress=UNRATED_SCORE,
            contexts=(context.name,),
            effect=page.effect_key(proposal.action),
            habit=page.habit_key(proposal.action),
        )
        for number, (context, proposal) in enumerate(zip(contexts, proposals, strict=True))
    ]
    held = await _examine_candidates(state, ports, joined(made))
    return await _rate_candidates(state, ports, held)


async def _examine_candidates(
    state: State, ports: Ports, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Against the live page: why they may do harm; those that cannot be done are left out."""
    name = walk(state)
    held: list[Candidate] = []
    try:
        await ports.browser.stand(name, way_here(state))
        for each in candidates:
            if each.action.kind not in IN_BROWSER:
                held.append(each)
                continue
            examined = await ports.browser.examine(name, each.action)
            if not examined.fault:
                held.append(each.model_copy(update={"harm": examined.harm}))
    except BrowserError as error:
        await running().warn(str(error))
        return list(candidates)
    return held or list(candidates)


async def _rate_candidates(
    state: State, ports: Ports, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """With the rater's scores; one that is alone needs none."""
    if len(candidates) == 1 and not state.frontier:
        return list(candidates)
    page, terms = browser_view.shown_page(state, ports), open_terms(state)
    found = page.guess_actions(open_texts(state), terms, browser_view.browser_path(state))
    worth = {page.effect_key(action): score for action, score in reversed(found)}
    known = {n: worth[c.effect] for n, c in enumerate(candidates, 1) if c.effect in worth}
    task = RateActions(
        question=state.asked,
        open=open_texts(state),
        noted=noted_by_model(state),
        history=browser_view.describe_last_steps(state, HISTORY_STEPS),
        lines=page.relevant_lines(terms, VIEW_TOKENS),
        actions=tuple(each.action for each in candidates),
        guessed=known,
        terms=terms,
        hints=state.question.hints,
    )
    scores = task.bounded_scores(await ports.model.ask(task))
    return [
        each.model_copy(update={"progress": score})
        for each, score in zip(candidates, scores, strict=True)
    ]


def _valid_candidates(state: State) -> tuple[Candidate, ...]:
    """What may still be done: of this round, and proposed since the last step that did harm."""
    steps = viewed(state)
    harmed = [place for place, step in enumerate(steps) if step.harm]
    reached = {step.id for step in steps[harmed[-1] if harmed else 0 :]}
    here = standing(state)
    return tuple(
        each
        for each in state.frontier
        if each.action.at in reached
        and (each.action.kind != "aggregate" or (here and each.action.at == here.id))
    )


def _failed_here(state: State) -> bool:
    """Did an action fail since the browser shows what it shows?"""
    here, last = standing(state), steps_of_round(state)[-1:]
    return here is not None and last != [here]


def _search_past(state: State, ports: Ports, params: NavigatorParams) -> Past:
    here, steps = standing(state), steps_of_round(state)
    limit = least(params.steps, state.question.budget.steps)
    return Past(
        here=here.id if here else "",
        spent=min(1.0, len(steps) / limit),
        harmed=sum(bool(step.harm) for step in steps),
        done=browser_view.count_habits(state, ports),
        opened=frozenset(f"goto {url}" for url in browser_view.browser_path(state).opened),
    )


def _best_answer(waiting: Sequence[Candidate], past: Past) -> Candidate | None:
    """At the end: the best of the answers that waited for agreement."""
    answers = [each for each in waiting if each.action.kind == "stop" and each.action.value]
    return best(answers, past)


def _number_candidates(waiting: Sequence[Candidate], new: Sequence[Candidate]) -> list[Candidate]:
    """With numbers above those that wait; of new ones, the first counts as the newest."""
    first = max((each.number for each in waiting), default=0) + 1
    return [
        each.model_copy(update={"number": number})
        for number, each in enumerate(reversed(new), start=first)
    ]


def _describe_proposal(action: Action) -> str:
    """An action, and what is expected of it."""
    return f"{in_words(action)} — {action.reason}"
