"""Recalls what earlier attempts, turns and sessions taught, and a recipe that worked."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from forager.bandit import warm_start
from forager.budget import current_meter
from forager.domain.base import Frozen
from forager.domain.experience import Facets, Recalled, Recipe
from forager.domain.state import Page, Recall, State, Update
from forager.domain.urls import page_identity
from forager.errors import StoreError, WebError
from forager.evidence.page_documents import load_page
from forager.experience.facets import current_moment
from forager.node_type import NodeType, next_route, state_keys
from forager.ports import Ports, Remembered

MAX_LESSONS = 5
"""Lessons of earlier sessions in a prompt; the best ones are chosen."""


class RecallerParams(Frozen):
    """Which episodes, pages and examples are recalled."""

    episodes: Literal["arm", "run", "site"] = Field(
        "arm",
        description="of the drawn arm; of this run only; or of similar questions on the sites",
    )
    lessons: Literal["own", "run"] = Field(
        "own", description="lessons of this run: of the drawn arm where episodes are, or all"
    )
    pages: int = Field(
        0,
        ge=0,
        description="pages of earlier turns, or of the same question, to read again",
    )
    snippets: int = Field(0, ge=0, description="examples from earlier questions for the next step")
    facets: Facets = Field(
        "both", description="how examples are compared: by the question, the steps so far, or both"
    )


async def recall(state: State, ports: Ports, params: RecallerParams) -> Update:
    """Recall lessons (the newest last), examples, pages, and the recipe for this question."""
    lessons = tuple(
        lesson.line
        for lesson in state.lessons
        if params.lessons == "run" or params.episodes != "arm" or lesson.url in state.draw.urls
    )
    found = await _recall_episodes(state, ports, params)
    steps = await _recall_snippets(state, ports, params)
    notes = tuple(dict.fromkeys((*found.notes, *steps.notes)))
    for note in notes:
        if note not in state.recall.notes:
            await current_meter().warn(note)
    told = [
        _describe_lesson(each) for each in found.episodes if each.episode.lesson and each.weight > 0
    ]
    return {
        "recall": Recall(
            round=state.draw.round,
            lessons=(*reversed(told[:MAX_LESSONS]), *lessons),
            recipe=await _find_recipe(state, ports),
            episodes=found.episodes,
            snippets=steps.snippets,
            pages=state.recall.pages
            or await _pages_to_read_again(state, found.episodes, ports, params),
            notes=tuple(dict.fromkeys((*state.recall.notes, *notes))),
        )
    }


NODE_TYPE = NodeType(
    name="recaller",
    family="memory",
    summary="Recalls what earlier attempts taught.",
    function=recall,
    params=RecallerParams,
    routes=("next",),
    route=next_route,
    reads=state_keys("question"),
    looks=state_keys("past meaning draw arms steps recall lessons"),
    writes=state_keys("recall"),
)


async def _recall_episodes(state: State, ports: Ports, params: RecallerParams) -> Remembered:
    """The episodes recalled earlier in this run, and those of the arm or the sites."""
    notes: list[str] = []
    found = {each.episode.id: each for each in state.recall.episodes}
    urls = {"arm": state.draw.urls, "site": ("",), "run": ()}[params.episodes]
    for url in urls:
        here = await ports.memory.find_episodes(state.asked, state.question.sites, url)
        found |= {each.episode.id: each for each in here.episodes}
        notes += here.notes
    best = sorted(found.values(), key=lambda each: (-each.weight, each.episode.id))
    return Remembered(episodes=tuple(best), notes=tuple(notes))


async def _recall_snippets(state: State, ports: Ports, params: RecallerParams) -> Remembered:
    """Examples for the next step, if any are wanted."""
    if not params.snippets or params.facets == "none":
        return Remembered()
    return await ports.memory.find_snippets(current_moment(state), params.facets, params.snippets)


def _describe_lesson(recalled: Recalled) -> str:
    """A lesson of an earlier session, and the question it was learned from."""
    episode = recalled.episode
    return f"{episode.url}: {episode.lesson} (earlier, {recalled.why or episode.question})"


async def _find_recipe(state: State, ports: Ports) -> Recipe | None:
    """The recipe for the drawn arm's site, or for a site that was asked, unless it was tried."""
    drawn = [arm.site for arm in state.arms if arm.url in state.draw.urls and arm.site]
    begun = {(step.action.kind, step.action.target) for step in state.steps}
    for site in dict.fromkeys(drawn or state.question.sites):
        found = await ports.recipes.find(state.asked, site)
        if found and (found.actions[0].kind, found.actions[0].target) not in begun:
            return found
    return None


async def _pages_to_read_again(
    state: State, episodes: Sequence[Recalled], ports: Ports, params: RecallerParams
) -> tuple[Page, ...]:
    """The pages read before that are most relevant to the question, best first.

    Pages that served the same question come before them, in their order then.
    """
    served = {
        page_identity(page.url): page for page in warm_start.pages_for_same_question(episodes)
    }
    known = served | {
        page_identity(page.url): page for page in warm_start.pages_of_turns(state.past)
    }
    if not known or not params.pages:
        return ()
    texts = {name: await _page_text(page, ports) for name, page in known.items()}
    texts = {name: text for name, text in texts.items() if text}
    favoured = warm_start.cited_pages(state.past) | served.keys()
    names = warm_start.select_relevant_texts(state.asked, texts, favoured, params.pages)
    again = [name for name in served if name in names]
    return tuple(known[name] for name in dict.fromkeys((*again, *names)))


async def _page_text(page: Page, ports: Ports) -> str:
    """The text of a page; empty if it can neither be loaded nor fetched."""
    try:
        return (await load_page(page, ports)).document.text
    except (StoreError, WebError):
        return ""
