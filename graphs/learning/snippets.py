"""A run's steps as snippets for steps like them."""

from collections.abc import Callable
from urllib.parse import urldefrag

from forager.browsing.page.aria import Node, by_ref, describe, parse
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.documents import Document
from forager.domain.experience import Snippet
from forager.domain.state import State, Step
from forager.domain.urls import identity
from forager.experience.moments import before, taken
from forager.experience.simplify import Fused, of_links, simplify
from forager.ports import Blobs, Embedder

SeenPage = tuple[Node, Node | None]
"""A page, and the element of it that was acted on."""


def learn_snippets(  # noqa: PLR0913, PLR0917
    session: str, turn: int, time: float, state: State, blobs: Blobs, embedder: Embedder
) -> tuple[Snippet, ...]:
    """One for each step, `time` being when the session last went on (epoch, s).

    Their ids depend on the session, the turn and the step alone. Raises StoreError, ModelError.
    """
    reasons = {each.id: each.text for each in state.rationales}
    ranker, pages = Fused(embedder), _PageTrees(blobs)
    found: list[Snippet] = []
    for count, step in enumerate(state.steps):
        told, seen = taken(step), _page_acted_on(step, state, pages)
        page = simplify(seen[0], f"{state.asked} {told}", ranker, seen[1]) if seen else ""
        found.append(
            Snippet(
                id=f"{session}:{turn}:{count + 1}",
                session=session,
                turn=turn,
                time=time,
                moment=before(state, count),
                page=page,
                action=_with_link_text(step, seen),
                told=told,
                outcome=step.outcome,
                rationale=reasons.get(step.id) or step.action.reason,
            )
        )
    return tuple(found)


def _with_link_text(step: Step, seen: SeenPage | None) -> Action:
    """The action; of a link that was followed, with what it is called."""
    if step.action.element or seen is None or seen[1] is None:
        return step.action
    return step.action.model_copy(update={"element": describe(seen[1])})


class _PageTrees:
    """The pages of a run, each read once."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._trees: dict[str, Node] = {}

    def browser_tree(self, blob: str) -> Node:
        """As a browser showed it."""
        return self._parse_once(blob, lambda text: parse(Snapshot.model_validate_json(text).tree))

    def link_tree(self, blob: str) -> Node:
        """Its links."""
        return self._parse_once(blob, lambda text: of_links(Document.model_validate_json(text)))

    def _parse_once(self, blob: str, tree: Callable[[bytes], Node]) -> Node:
        if blob not in self._trees:
            self._trees[blob] = tree(self._blobs.get(blob))
        return self._trees[blob]


def _page_acted_on(step: Step, state: State, pages: _PageTrees) -> SeenPage | None:
    """The page that an action was taken on, if it was taken on one."""
    if step.action.kind == "visit":
        return _page_linking_to(step, state, pages)
    at = next((each for each in state.steps if each.id == step.action.at), None)
    if at is None or at.view is None or not at.view.blob:
        return None
    root = pages.browser_tree(at.view.blob)
    return root, by_ref(root, step.action.target) if step.action.element else None


def _page_linking_to(step: Step, state: State, pages: _PageTrees) -> SeenPage | None:
    """The last page opened before that has a link to there."""
    there = identity(urldefrag(step.action.target).url)
    earlier = state.steps[: state.steps.index(step)]
    for each in reversed(earlier):
        if each.page is None or not each.page.blob or each.view or each.round != step.round:
            continue
        root = pages.link_tree(each.page.blob)
        links = (link for link in root.children if identity(urldefrag(link.url).url) == there)
        if link := next(links, None):
            return root, link
    return None
