"""What a run leaves for later questions: an episode of each attempt, a snippet of each step."""

from collections.abc import Callable, Iterable, Sequence
from urllib.parse import urldefrag

from forager.answers.likelihood import is_uncertain
from forager.bandit.posterior import arm_beliefs
from forager.browsing.action_text import describe_action
from forager.browsing.page.aria import Node, node_by_ref, parse_aria, to_element
from forager.domain.actions import IN_BROWSER, Action
from forager.domain.browser import Snapshot
from forager.domain.documents import Document
from forager.domain.experience import Episode, Outcome, Snippet
from forager.domain.state import Evidence, Lesson, State, Step
from forager.domain.urls import page_identity, same_site, tried_pages
from forager.experience.facets import describe_step, moment_at_step
from forager.experience.simplify import FusedRanker, simplify_page, tree_of_links
from forager.ports import Blobs, Embedder
from forager.questions.subquestions import standing_verdict

MAX_DESCRIBED_STEPS = 30
"""Steps of an attempt that its episode describes."""
SeenPage = tuple[Node, Node | None]
"""A page, and the element of it that was acted on."""


def learn_episodes(
    session: str, turn: int, time: float, state: State, model: str = ""
) -> tuple[Episode, ...]:
    """One episode for each attempt; `time` is when the session last ran (epoch, s).

    Their ids depend only on the session, the turn and the attempt.
    """
    beliefs = arm_beliefs(state.arms, state.lessons)
    used = {page_identity(item.passage.url) for item in _verified_evidence(state)}
    trusted = used if _is_trusted(state) else set[str]()
    found: list[Episode] = []
    for url, steps, lesson in _list_attempts(state):
        pages = {step.page.url: step.page.blob for step in steps if step.page}
        kept = [item for item in state.evidence if not item.dropped and _found_by(item, steps)]
        belief = next(
            (beliefs[arm] for arm in beliefs if page_identity(arm) == page_identity(url)), None
        )
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
                served=tuple(page for page in pages if page_identity(page) in trusted),
                barren=tuple(page for page in pages if page_identity(page) not in used)
                if state.answer
                else (),
                blobs=pages,
                alpha=belief.alpha if belief else 1.0,
                beta=belief.beta if belief else 1.0,
                model=model,
            )
        )
    return tuple(found)


def _list_attempts(state: State) -> list[tuple[str, list[Step], Lesson | None]]:
    """The first address, the steps and the lesson of each attempt; a round may have several."""
    found: list[tuple[str, list[Step], Lesson | None]] = []
    for round in dict.fromkeys(step.round for step in state.steps):
        lessons = [lesson for lesson in state.lessons if lesson.round == round]
        own = [step for step in state.steps if step.round == round]
        for trajectory in _split_trajectories(own):
            begun = tried_pages(trajectory[:1])
            lesson = next((one for one in lessons if page_identity(one.url) in begun), None)
            if lesson is None and len(lessons) == 1:
                lesson = lessons[0]
            url = lesson.url if lesson else _starting_url(trajectory)
            found.append((url, trajectory, lesson))
    return found


def _split_trajectories(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of a round by arm: each trajectory counts its steps from 1."""
    trajectories: list[list[Step]] = []
    for step in steps:
        if step.number == 1 or not trajectories:
            trajectories.append([])
        trajectories[-1].append(step)
    return trajectories


def _starting_url(steps: Sequence[Step]) -> str:
    first = next((step for step in steps if step.action.kind != "search"), steps[0])
    if first.page and first.action.kind in IN_BROWSER:
        return first.page.url
    return first.action.target if first.action.kind != "search" else ""


def _verified_evidence(state: State) -> list[Evidence]:
    """The quotes that the answer cites; none where the run ended without one.

    Of an answer that is only partial, those that the critic found to cover a part.
    """
    if state.answer is None:
        return []
    cited = {citation.id for citation in state.answer.citations}
    if state.answer.status != "answered":
        verdict = standing_verdict(state)
        grounds = verdict.grounds if verdict else {}
        cited &= {id for quotes in grounds.values() for id in quotes}
    return [item for item in state.evidence if item.id in cited]


def _is_trusted(state: State) -> bool:
    """Is the answer no uncertain one? What that stands on is neither to be trusted nor in vain."""
    return state.answer is not None and not is_uncertain(state.answer)


def _judge_attempt(
    state: State, steps: Sequence[Step], kept: Sequence[Evidence], lesson: Lesson | None
) -> tuple[Outcome, str]:
    """The reflector's verdict and lesson; of an attempt that it never saw, what the ledger says.

    What leads the answer tells better than its rounds where that was found.
    """
    leads = {lead.quote for lead in state.answer.leads} if state.answer else set[str]()
    led = leads.intersection(item.id for item in kept)
    if lesson and (not leads or (lesson.outcome == "adequate") == (led == leads)):
        return lesson.outcome, lesson.text
    quoted = {item.passage.url for item in kept if item.id in led or not led}
    opened = [step.page for step in steps if step.page]
    opened.sort(key=lambda page: page.url not in quoted)
    where = next((page.title or page.url for page in opened), "nothing")
    complete = state.answer is not None and state.answer.status == "answered"
    if complete and kept and led == leads and _is_trusted(state):
        return "adequate", f"{where}: answered here."
    if led and _is_trusted(state):
        return "partial", f"{where}: a part of the question was answered here."
    if kept:
        return "partial", f"{where}: something was found here."
    failed = next((step.reason for step in reversed(steps) if step.outcome == "failed"), "")
    return "infeasible", f"{where}: {failed or 'nothing about the question.'}"


def _found_by(item: Evidence, steps: Iterable[Step]) -> bool:
    """Whether one of the steps found it. Step ids start again in each turn, so pages must agree."""
    return any(
        item.step == step.id and step.page and step.page.url == item.passage.url for step in steps
    )


def _attempt_site(state: State, url: str, steps: Sequence[Step]) -> str:
    """The site of the question that the attempt was on, or the first site that it reached."""
    pages = [step.page.site for step in steps if step.page]
    asked = [site for site in state.question.sites if url and same_site(site, url)]
    return next(iter([*asked, *pages]), url)


def _describe_step(step: Step) -> str:
    """The action in words, and the page to which it led."""
    if step.page is None:
        return f"{describe_action(step.action)}: {step.reason or step.outcome}"
    return f"{describe_action(step.action)} → {step.page.title or step.page.url}"


def learn_snippets(  # noqa: PLR0913, PLR0917
    session: str, turn: int, time: float, state: State, blobs: Blobs, embedder: Embedder
) -> tuple[Snippet, ...]:
    """One snippet for each step; `time` is when the session last ran (epoch, s).

    In a run that ended, the steps of an attempt without any verified quote were in vain. The ids
    depend only on the session, the turn and the step. Raises StoreError, ModelError.
    """
    reasons = {each.id: each.text for each in state.rationales}
    pages = _PageTrees(blobs)
    vain = _steps_in_vain(state)
    found: list[Snippet] = []
    for count, step in enumerate(state.steps):
        action, seen = describe_step(step), _page_acted_on(step, state, pages)
        page = ""
        if seen:
            query = f"{state.asked} {action}"
            page = simplify_page(seen[0], query, FusedRanker(embedder), seen[1])
        found.append(
            Snippet(
                id=f"{session}:{turn}:{count + 1}",
                session=session,
                turn=turn,
                time=time,
                moment=moment_at_step(state, count),
                page=page,
                action=_with_link_text(step, seen),
                told=action,
                outcome="vain" if step.id in vain and step.outcome == "moved" else step.outcome,
                rationale=reasons.get(step.id) or step.action.reason,
            )
        )
    return tuple(found)


def _steps_in_vain(state: State) -> set[str]:
    """The ids of the steps of attempts that found no verified quote; none before the run ended."""
    if state.answer is None:
        return set()
    verified = _verified_evidence(state)
    return {
        step.id
        for _, steps, _ in _list_attempts(state)
        if not any(_found_by(item, steps) for item in verified)
        for step in steps
    }


def _with_link_text(step: Step, seen: SeenPage | None) -> Action:
    """The action; if it followed a link, with the element of that link."""
    if step.action.element or seen is None or seen[1] is None:
        return step.action
    return step.action.model_copy(update={"element": to_element(seen[1])})


class _PageTrees:
    """The pages of a run as trees, each parsed once."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._trees: dict[str, Node] = {}

    def browser_tree(self, blob: str) -> Node:
        """The accessibility tree that the browser showed."""
        return self._parse_once(
            blob, lambda text: parse_aria(Snapshot.model_validate_json(text).tree)
        )

    def link_tree(self, blob: str) -> Node:
        """The links of a fetched document."""
        return self._parse_once(
            blob, lambda text: tree_of_links(Document.model_validate_json(text))
        )

    def _parse_once(self, blob: str, tree: Callable[[bytes], Node]) -> Node:
        if blob not in self._trees:
            self._trees[blob] = tree(self._blobs.get(blob))
        return self._trees[blob]


def _page_acted_on(step: Step, state: State, pages: _PageTrees) -> SeenPage | None:
    """The page on which an action was taken; None if there was none."""
    if step.action.kind == "visit":
        return _page_linking_to(step, state, pages)
    at = next((each for each in state.steps if each.id == step.action.at), None)
    if at is None or at.view is None or not at.view.blob:
        return None
    root = pages.browser_tree(at.view.blob)
    return root, node_by_ref(root, step.action.target) if step.action.element else None


def _page_linking_to(step: Step, state: State, pages: _PageTrees) -> SeenPage | None:
    """The last page opened before that links to the target of a visit."""
    there = page_identity(urldefrag(step.action.target).url)
    earlier = state.steps[: state.steps.index(step)]
    for each in reversed(earlier):
        if each.page is None or not each.page.blob or each.view or each.round != step.round:
            continue
        root = pages.link_tree(each.page.blob)
        links = (link for link in root.children if page_identity(urldefrag(link.url).url) == there)
        if link := next(links, None):
            return root, link
    return None
