"""Best-first search in a browser: several prompts propose actions, a rater rates them."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from forager.bandit.hints import hint_sections
from forager.browsing.search_frontier import (
    SearchProgress,
    choose_candidate,
    merge_candidates,
    prune_frontier,
)
from forager.browsing.shown_page import (
    browser_path,
    count_habits,
    describe_last_steps,
    shown_page,
)
from forager.browsing.trajectory import (
    current_step,
    current_trajectory,
    steps_of_round,
    trajectory_name,
    viewed_steps,
)
from forager.budget import current_meter, smaller_limit
from forager.domain.actions import IN_BROWSER, Action, Candidate
from forager.domain.state import State, Update
from forager.errors import BrowserError
from forager.offline.navigator import (
    NOTHING_LEFT,
    describe_proposal,
    guess_on_page,
    rate_actions,
)
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Item, Section, list_items, one_line, safe_id, text_section
from forager.questions.subquestions import has_notes, open_terms, open_texts
from forager.util.concurrency import run_concurrently
from nodes.navigator import browser
from nodes.navigator.browser import PromptContext
from nodes.navigator.forced_moves import forced_action, is_off_site, make_proposal
from nodes.navigator.params import NavigatorParams

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

    model_config = ConfigDict(allow_inf_nan=False)

    number: int = Field(description="the action's number")
    score: float = Field(description="from 0 to 1")


class Rated(RoleReply):
    """All of them."""

    ratings: list[Rating] = Field(description="one for each action")


class RateActions(Task[Rated]):
    """Rate proposed actions; `noted` if a model that had read pages wrote what is open.

    `guessed` holds the rule's own ratings, by the action's number.
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
            Item(text=f"{number}: {one_line(describe_proposal(action))}", relevance=-number)
            for number, action in enumerate(self.actions, start=1)
        ]
        checklist = Section(
            title="Checklist", items=list_items(self.open), tokens=300, material=self.noted
        )
        return (
            text_section("Question", self.question),
            checklist,
            *hint_sections(self.hints),
            Section(title="Last steps", items=list_items(self.history, newest=True), tokens=300),
            Section(title="The page", items=self.lines, tokens=VIEW_TOKENS),
            Section(title="Actions", items=tuple(actions), tokens=600),
        )

    def offline(self, embedder: Embedder) -> Rated:
        """The rule's own guess for each action, or the share of the open terms in its words."""
        scores = rate_actions(self.actions, self.guessed, self.terms)
        return Rated(ratings=[Rating(number=n, score=s) for n, s in enumerate(scores, start=1)])

    def faults(self, reply: Rated) -> list[str]:
        """Actions without a rating, numbers of no action, and scores out of bounds."""
        numbers = {each.number for each in reply.ratings}
        there = set(range(1, len(self.actions) + 1))
        faults = [f"Action {number} has no rating." for number in sorted(there - numbers)]
        faults += [f"There is no action {safe_id(str(n))}." for n in sorted(numbers - there)]
        wrong = [each.number for each in reply.ratings if not 0 <= each.score <= 1]
        return faults + [f"The score of action {n} is not from 0 to 1." for n in wrong]

    def bounded_scores(self, reply: Rated) -> tuple[float, ...]:
        """The score of each action within 0 and 1; UNRATED_SCORE for one without a rating."""
        told = {each.number: min(1.0, max(0.0, each.score)) for each in reply.ratings}
        return tuple(told.get(number, UNRATED_SCORE) for number in range(1, len(self.actions) + 1))


async def grow_tree(state: State, ports: Ports, params: NavigatorParams) -> Update:
    """Propose actions for the view that is shown, if it is new; then take the best of all."""
    waiting = _valid_candidates(state)
    action = forced_action(state, ports, params)
    past = _search_past(state, ports, params)
    if action is None:
        if not waiting or not (_failed_here(state) or is_off_site(state)):
            new = await _propose_candidates(state, ports, params)
            waiting = merge_candidates((*waiting, *_number_candidates(waiting, new)))
        chosen = choose_candidate(waiting, past)
        action = chosen.action if chosen else Action(kind="stop", reason=NOTHING_LEFT)
        left = tuple(each for each in waiting if each != chosen)
        waiting = prune_frontier(left, past, params.frontier)
    elif action.kind == "stop" and (chosen := _best_answer(waiting, past)):
        action = chosen.action
    return {"proposal": make_proposal(state, params, action), "frontier": waiting}


async def _propose_candidates(
    state: State, ports: Ports, params: NavigatorParams
) -> list[Candidate]:
    """What each context proposes for this view, merged, examined and rated."""
    contexts = CONTEXTS[: params.contexts]
    proposals = await run_concurrently(
        browser.propose_browser_action(state, ports, params, context=context)
        for context in contexts
    )
    page = shown_page(state, ports.blobs)
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
    held = await _examine_candidates(state, ports, merge_candidates(made))
    return await _rate_candidates(state, ports, held)


async def _examine_candidates(
    state: State, ports: Ports, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The candidates that the live page allows, with the harm they may do; all if none is."""
    name = trajectory_name(state)
    held: list[Candidate] = []
    try:
        await ports.browser.restore(name, current_trajectory(state))
        for each in candidates:
            if each.action.kind not in IN_BROWSER:
                held.append(each)
                continue
            examined = await ports.browser.examine(name, each.action)
            if not examined.fault:
                held.append(each.model_copy(update={"harm": examined.harm}))
    except BrowserError as error:
        await current_meter().warn(str(error))
        return list(candidates)
    return held or list(candidates)


async def _rate_candidates(
    state: State, ports: Ports, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The candidates with the rater's scores; a single one is not rated."""
    if len(candidates) == 1 and not state.frontier:
        return list(candidates)
    page, terms = shown_page(state, ports.blobs), open_terms(state)
    found = guess_on_page(page, open_texts(state), terms, browser_path(state))
    worth = {page.effect_key(action): score for action, score in reversed(found)}
    known = {n: worth[c.effect] for n, c in enumerate(candidates, 1) if c.effect in worth}
    task = RateActions(
        question=state.asked,
        open=open_texts(state),
        noted=has_notes(open_texts(state), state.survey.parts),
        history=describe_last_steps(state, HISTORY_STEPS),
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
    """The candidates of this round that were proposed since the last step that did harm."""
    steps = viewed_steps(state)
    harmed = [place for place, step in enumerate(steps) if step.harm]
    reached = {step.id for step in steps[harmed[-1] if harmed else 0 :]}
    here = current_step(state)
    return tuple(
        each
        for each in state.frontier
        if each.action.at in reached
        and (each.action.kind != "aggregate" or (here and each.action.at == here.id))
    )


def _failed_here(state: State) -> bool:
    """Has an action failed since the browser shows this view?"""
    here, last = current_step(state), steps_of_round(state)[-1:]
    return here is not None and last != [here]


def _search_past(state: State, ports: Ports, params: NavigatorParams) -> SearchProgress:
    here, steps = current_step(state), steps_of_round(state)
    limit = smaller_limit(params.steps, state.question.budget.steps)
    return SearchProgress(
        here=here.id if here else "",
        spent=min(1.0, len(steps) / limit),
        harmed=sum(bool(step.harm) for step in steps),
        done=count_habits(state, ports.blobs),
        opened=frozenset(f"goto {url}" for url in browser_path(state).opened),
    )


def _best_answer(waiting: Sequence[Candidate], past: SearchProgress) -> Candidate | None:
    """The best of the answers that waited for a second context to agree."""
    answers = [each for each in waiting if each.action.kind == "stop" and each.action.value]
    return choose_candidate(answers, past)


def _number_candidates(waiting: Sequence[Candidate], new: Sequence[Candidate]) -> list[Candidate]:
    """The new candidates, numbered after those that wait; the first one counts as the newest."""
    first = max((each.number for each in waiting), default=0) + 1
    return [
        each.model_copy(update={"number": number})
        for number, each in enumerate(reversed(new), start=first)
    ]
