"""In mode `site` the navigator sees unread arms and searches beside the links, and may give up."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.actions import Action
from forager.domain.documents import Document, Link
from forager.domain.state import Arm, Proposal, Reading, State, Step
from forager.domain.survey import SearchResult
from nodes.extractor import ExtractorParams, extract
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.links import NO_LINK
from nodes.navigator.site import ChooseOnSite, SiteChoice
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.navigator_states import proposed, walked
from tests.nodes.states import SITE, document, url

ON_SITE = NavigatorParams(mode="site")
GIVE_UP = SiteChoice(choice=-2)
FOUND = SearchResult(url=url("found"), title="Founders", snippet="They are.", rank=1, source="s")


def with_arms(start: State, *paths: str) -> State:
    arms = [
        Arm(url=url(path), title=path.upper(), site=SITE, part="p1", says=f"All on {path}.")
        for path in paths
    ]
    return replace(start, arms=(*start.arms, *arms))


async def asked(
    start: State, blobs: MemoryBlobs, *replies: SiteChoice
) -> tuple[Action, list[ChooseOnSite]]:
    """What is proposed, and what the model was asked."""
    model = ScriptedModel(*replies)
    doors = replace(ports(blobs=blobs), model=model)
    action = (await navigate(start, doors, ON_SITE))["proposal"].action
    return action, [task for task in model.asked if isinstance(task, ChooseOnSite)]


def shown(task: ChooseOnSite, title: str) -> list[str]:
    return [item.text for part in task.sections() if part.title == title for item in part.items]


def searched(start: State) -> State:
    action = Action(kind="search", target="founders", site=SITE)
    step = Step(id="1.2", round=1, number=2, action=action, outcome="moved", found=(FOUND,))
    return replace(start, steps=(*start.steps, step), proposal=Proposal(round=1, action=action))


async def test_unread_arms_are_shown_with_their_excerpt_and_may_be_opened() -> None:
    blobs = MemoryBlobs()
    start = with_arms(walked(blobs, document("a", "Text.", [url("b")])), "c", "a")
    action, [task] = await asked(start, blobs, SiteChoice(choice=1))
    assert shown(task, "Unread pages") == ["[1] C — All on c."]
    first = start.survey.parts[0]
    parts = (first, first.model_copy(update={"id": "p2", "text": "Who led it?"}))
    start = replace(start, survey=start.survey.model_copy(update={"parts": parts}))
    _, [task] = await asked(start, blobs, SiteChoice(choice=1))
    assert shown(task, "Unread pages") == ["[1] C (for: Who founded it?) — All on c."]
    assert (action.kind, action.target) == ("visit", url("c"))


async def test_giving_up_ends_the_walk() -> None:
    blobs = MemoryBlobs()
    pages = document("a", "Text.", [url("b")]), document("b", "Text.", [url("c")])
    action, tasks = await asked(walked(blobs, *pages), blobs, GIVE_UP)
    assert (action.kind, action.reason) == ("stop", NO_LINK)
    assert len(tasks) == 1


async def test_the_site_is_searched_and_its_results_may_be_opened() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "Text.", [url("b")]))
    action, _ = await asked(start, blobs, SiteChoice(choice=0, query="founders of the house"))
    assert (action.kind, action.site) == ("search", SITE)
    after = searched(start)
    reading = (await extract(after, ports(blobs=blobs), ExtractorParams()))["reading"]
    assert reading == Reading(step="1.1"), "a search opens no page that could be read"
    action, [task] = await asked(replace(after, reading=reading), blobs, SiteChoice(choice=1))
    assert shown(task, "Unread pages") == ["[1] Founders — They are."]
    assert action.target == url("found")


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (SiteChoice(choice=0), "query"),
        (SiteChoice(choice=0, query="founders"), "query"),
        (SiteChoice(choice=9), "not listed"),
    ],
)
async def test_a_search_needs_new_words_and_a_number_must_be_listed(
    reply: SiteChoice, fault: str
) -> None:
    blobs = MemoryBlobs()
    start = searched(walked(blobs, document("a", "Text.", [url("b")])))
    _, [task] = await asked(start, blobs, GIVE_UP)
    assert fault in "".join(task.faults(reply))


async def test_links_are_shown_with_all_their_texts_the_best_first() -> None:
    blobs = MemoryBlobs()
    texts = [
        ("b", "Ships"),
        ("c", "<-"),
        ("de/a", "Deutsch"),
        ("d", "§"),
        ("d", "Found"),
        ("d", "Who"),
    ]
    page = Document(
        url=url("a"),
        text="Ships\nVessels of the fleet.\n\nFound",
        links=tuple(Link(id=n, url=url(p), text=t) for n, (p, t) in enumerate(texts, start=1)),
    )
    _, [task] = await asked(walked(blobs, page), blobs, GIVE_UP)
    assert shown(task, "Links") == ["[4] Found / Who (d)", "[1] Ships (b) — Vessels of the fleet."]


@given(
    st.lists(
        st.lists(st.sampled_from(["b ships", "c found", "d found who", "e"]), unique=True),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([0.0, 0.6]),
)
async def test_without_a_model_the_same_link_is_followed_as_from_page_to_page(
    pages: list[list[str]], least: float
) -> None:
    blobs = MemoryBlobs()
    opened = [document(f"p{n}", "Text.", [url(li) for li in page]) for n, page in enumerate(pages)]
    start = with_arms(walked(blobs, *opened), "x")
    by_links = NavigatorParams(least=least)
    on_site = NavigatorParams(mode="site", least=least)
    one = await proposed(start, blobs, params=by_links)
    other = await proposed(start, blobs, params=on_site)
    assert (one.kind, one.target) == (other.kind, other.target)


@pytest.mark.parametrize(
    ("whole", "arms", "goes"), [(True, "c", "stop"), (True, "a", "visit"), (False, "c", "visit")]
)
async def test_by_rule_no_link_is_followed_where_ranked_pages_are_unread(
    whole: bool, arms: str, goes: str
) -> None:
    blobs = MemoryBlobs()
    page = document("a", "Text.", [url("b")])
    link = page.links[0].model_copy(update={"text": "Who founded it"})
    start = with_arms(walked(blobs, page.model_copy(update={"links": (link,)})), arms)
    survey = start.survey.model_copy(update={"whole": (SITE,) if whole else ()})
    action = (await navigate(replace(start, survey=survey), ports(blobs=blobs), ON_SITE))[
        "proposal"
    ].action
    assert action.kind == goes
