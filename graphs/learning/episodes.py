"""What a run's attempts came to, as episodes for other questions."""

from collections.abc import Iterable, Sequence

from forager.bandit.posterior import posterior
from forager.browsing.action_text import in_words
from forager.domain.actions import IN_BROWSER
from forager.domain.experience import Episode, Outcome
from forager.domain.state import Evidence, Lesson, State, Step
from forager.domain.urls import identity, same_site, tried

MAX_DESCRIBED_STEPS = 30
"""Steps of an attempt that are told."""


def learn_episodes(
    session: str, turn: int, time: float, state: State, model: str = ""
) -> tuple[Episode, ...]:
    """One for each attempt, `time` being when its session last went on (epoch, s).

    Their ids depend on the session, the turn and the attempt alone.
    """
    beliefs = posterior(state.arms, state.lessons)
    served = {identity(item.passage.url) for item in _used_evidence(state)}
    found: list[Episode] = []
    for url, steps, lesson in _list_attempts(state):
        pages = {step.page.url: step.page.blob for step in steps if step.page}
        own = tuple(page for page in pages if identity(page) in served)
        barren = tuple(page for page in pages if identity(page) not in served)
        kept = [item for item in state.evidence if not item.dropped and _found_by(item, steps)]
        belief = next((beliefs[arm] for arm in beliefs if identity(arm) == identity(url)), None)
        outcome, text = _judge_attempt(state, steps, kept, lesson)
        found.append(
            Episode(
                id=f"{session}:{turn}:{steps[0].id}",
                session=session,
                turn=turn,
                time=time,
                question=state.asked,
                url=url,
                site=_attempt_site(state, url, steps),
                trail=tuple(_describe_step(step) for step in steps[:MAX_DESCRIBED_STEPS]),
                outcome=outcome,
                lesson=text,
                evidence=tuple(item.id for item in kept),
                served=own,
                barren=barren,
                blobs=pages,
                alpha=belief.alpha if belief else 1.0,
                beta=belief.beta if belief else 1.0,
                model=model,
            )
        )
    return tuple(found)


def _list_attempts(state: State) -> list[tuple[str, list[Step], Lesson | None]]:
    """Where each began, its steps, and its lesson; in a round several may have run at once."""
    found: list[tuple[str, list[Step], Lesson | None]] = []
    for round in dict.fromkeys(step.round for step in state.steps):
        lessons = [lesson for lesson in state.lessons if lesson.round == round]
        own = [step for step in state.steps if step.round == round]
        for walk in _split_trajectories(own):
            begun = tried(walk[:1])
            lesson = next((one for one in lessons if identity(one.url) in begun), None)
            if lesson is None and len(lessons) == 1:
                lesson = lessons[0]
            found.append((lesson.url if lesson else _starting_url(walk), walk, lesson))
    return found


def _split_trajectories(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of a round, apart for each arm: each walk counts its steps from 1."""
    walks: list[list[Step]] = []
    for step in steps:
        if step.number == 1 or not walks:
            walks.append([])
        walks[-1].append(step)
    return walks


def _starting_url(steps: Sequence[Step]) -> str:
    first = next((step for step in steps if step.action.kind != "search"), steps[0])
    if first.page and first.action.kind in IN_BROWSER:
        return first.page.url
    return first.action.target if first.action.kind != "search" else ""


def _used_evidence(state: State) -> list[Evidence]:
    """What the answer cites; without an answer, what is kept."""
    if state.answer is None:
        return [item for item in state.evidence if not item.dropped]
    cited = {citation.id for citation in state.answer.citations}
    return [item for item in state.evidence if item.id in cited]


def _judge_attempt(
    state: State, steps: Sequence[Step], kept: Sequence[Evidence], lesson: Lesson | None
) -> tuple[Outcome, str]:
    """The reflector's judgement; of an attempt that it never saw, what the ledger says."""
    if lesson:
        return lesson.outcome, lesson.text
    where = next((step.page.title or step.page.url for step in steps if step.page), "nothing")
    if state.answer and state.answer.status == "answered" and kept:
        return "adequate", f"{where}: answered here."
    if kept:
        return "partial", f"{where}: something was found here."
    failed = next((step.reason for step in reversed(steps) if step.outcome == "failed"), "")
    return "infeasible", f"{where}: {failed or 'nothing on what is asked.'}"


def _found_by(item: Evidence, steps: Iterable[Step]) -> bool:
    """Step ids begin anew with each turn: the page tells them apart."""
    return any(
        item.step == step.id and step.page and step.page.url == item.passage.url for step in steps
    )


def _attempt_site(state: State, url: str, steps: Sequence[Step]) -> str:
    """The site that was asked, or the one that the attempt came to."""
    pages = [step.page.site for step in steps if step.page]
    asked = [site for site in state.question.sites if url and same_site(site, url)]
    return next(iter([*asked, *pages]), url)


def _describe_step(step: Step) -> str:
    """A step in words: the action, and the page where it led."""
    if step.page is None:
        return f"{in_words(step.action)}: {step.reason or step.outcome}"
    return f"{in_words(step.action)} → {step.page.title or step.page.url}"
