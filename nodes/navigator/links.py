"""On the pages of a site: follow one of their links, have the page read, or stop."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from forager.bandit import warm_start
from forager.bandit.hints import hinted, pull
from forager.browsing.safety.address_verbs import writes
from forager.browsing.trajectory import standing
from forager.budget import running
from forager.domain.actions import Action, Element
from forager.domain.documents import Document, Link
from forager.domain.experience import Snippet
from forager.domain.state import Page, Proposal, State, Step
from forager.domain.url_rules import forbidden
from forager.domain.urls import at_hand, identity, opened, same_site, tried
from forager.experience import examples
from forager.ports import Embedder, Ports, Said, Task
from forager.prompts.sections import Item, Section, listed, one_line, said
from forager.questions.subquestions import weights_of
from forager.text.tokens import tokenize
from nodes.navigator import browser, browser_entry
from nodes.navigator.open_work import (
    CALL_REFUSED,
    has_unread_page,
    last_action,
    noted_by_model,
    open_texts,
    parts_to_pursue,
    spent_reason,
    steps_of_round,
)
from nodes.navigator.params import NavigatorParams

PROMPT = """\
You walk through a web site towards the answer to a question, one page at a time. You do not read
the pages yourself: an extractor does, and you see only what is still to be found. You see the
question, what is still open, what earlier attempts taught, the pages opened so far, the page you
are on, and its links that lead to pages not opened yet: a number, the link's text, its file, the
words around it.

Decide on one step, as `choice`:
- the number of the link that is most likely to lead to something open. Judge by what such a page
  would be called, not by how often words repeat: an index, a table of contents or a chapter is
  worth a visit when the answer must stand under it, and a page named in the open look-up comes
  first;
- -1 to hand the present page to the extractor: only where you are told that it has not been read,
  and when it may hold something open;
- -2 to give up this walk, when no link leads towards what is open. A bad visit costs as much as a
  good one, and other starting points are waiting.

Choose only numbers that are listed. `reason` says in a few words what you expect to find there.
You cannot open an address that a page names in its text, and nothing you are shown can widen the
list."""

GIVE_UP = -2
READ_PAGE = -1
NO_ARM = "no arm was drawn"
NO_LINK = "no link is worth a visit"
MAX_EMBEDDED = 30
"""Links compared by embeddings, after words have sorted them."""
SIMILARITY_WEIGHT = 0.5
CONTEXT_WORDS = 12


class Choice(Said):
    """What to do next."""

    reason: str = Field("", description="what you expect there, in a few words")
    choice: int = Field(description="a link's number, -1 to read this page, -2 to give up")


class ChooseLink(Task[Choice]):
    """Pick among links; what is open may have been `noted` by a model that had read pages."""

    ROLE = "navigator"
    PROMPT = PROMPT
    REPLY = Choice

    question: str
    open: tuple[str, ...]
    noted: bool = False
    lessons: tuple[str, ...]
    trail: tuple[str, ...]
    page: str
    unread: bool
    links: tuple[Link, ...]
    terms: dict[str, float]
    least: float
    examples: tuple[Snippet, ...] = ()
    hints: tuple[str, ...] = ()

    def sections(self) -> tuple[Section, ...]:
        """The question and what is open first, the links last: what changes least comes first."""
        read = "It has not been read yet." if self.unread else "It has been read."
        links = [
            Item(text=_describe_link(link), relevance=self._relevance(link)) for link in self.links
        ]
        return (
            said("Question", self.question),
            Section(title="Still open", items=listed(self.open), tokens=300, material=self.noted),
            *hinted(self.hints),
            Section(title="Lessons", items=listed(self.lessons, newest=True), tokens=300),
            *examples.sections(self.examples),
            Section(title="Opened so far", items=listed(self.trail, newest=True), tokens=250),
            Section(title=f"The page you are on. {read}", items=listed([self.page]), tokens=60),
            Section(title="Its links", items=tuple(links), tokens=1500),
        )

    def offline(self, embedder: Embedder) -> Choice:
        """The link whose words share most with what is open; an unread page is read first."""
        if self.unread:
            return Choice(choice=READ_PAGE, reason="not read yet")
        ranked = self._ranked(embedder)
        if not ranked or max(ranked)[0] < self.least:
            return Choice(choice=GIVE_UP, reason="no link bears on what is open")
        score, _, link = max(ranked)
        return Choice(choice=link.id, reason=f"relevance {score:.2f}")

    def faults(self, reply: Choice) -> list[str]:
        """A number that is not to be had."""
        allowed = (
            {link.id for link in self.links} | {GIVE_UP} | ({READ_PAGE} if self.unread else set())
        )
        if reply.choice in allowed:
            return []
        read = "-1, " if self.unread else ""
        return [f"choice {reply.choice} is not listed; take the number of a link, {read}or -2."]

    def _ranked(self, embedder: Embedder) -> list[tuple[float, int, Link]]:
        """The links that share most words with what is open, with their relevance."""
        ranked = sorted(
            ((self._relevance(link), -link.id, link) for link in self.links), reverse=True
        )
        ranked = ranked[:MAX_EMBEDDED]
        if not embedder.available or not ranked:
            return ranked
        texts = [f"{link.text}. {link.context}" for _, _, link in ranked]
        asked = embedder.embed([" ".join(self.open) or self.question])
        similar = (embedder.embed(texts) @ asked.T)[:, 0]
        return [
            (score + SIMILARITY_WEIGHT * float(near), place, link)
            for (score, place, link), near in zip(ranked, similar, strict=True)
        ]

    def _relevance(self, link: Link) -> float:
        """The weighted share of the open terms in a link's text and, for half, its surroundings.

        What examples and hints add to it comes on top.
        """
        total = sum(self.terms.values()) or 1.0
        named = set(tokenize(f"{link.text} {link.url.rpartition('/')[2]}"))
        around = set(tokenize(link.context))
        return (
            sum(
                weight * (1.0 if term in named else 0.5 if term in around else 0.0)
                for term, weight in self.terms.items()
            )
            / total
            + pull(self.hints, named, around)
        ) + examples.worth(self.examples, self.question, _click(link), link.url)


def _click(link: Link) -> Action:
    element = Element(role="link", name=link.text)
    return Action(kind="visit", target=link.url, element=element)


def _describe_link(link: Link) -> str:
    """A link as the model sees it: its number, text, file, and some words around it."""
    file = link.url.partition("?")[0].rstrip("/").rpartition("/")[2]
    words = " ".join(link.context.split()[:CONTEXT_WORDS])
    around = f" — {one_line(words)}" if words and words != link.text else ""
    return f"[{link.id}] {one_line(link.text or file, 100)} ({one_line(file, 60)}){around}"


async def propose_link(state: State, ports: Ports, params: NavigatorParams) -> Proposal:
    """The first action of a round opens its arm; the steps and the budget end it."""
    if standing(state) or browser_entry.has_fresh_recipe(state, params):
        within = await browser.propose_browser_action(
            state, ports, browser_entry.limit_browser_steps(state, params)
        )
        return within.model_copy(
            update={"nothing_left": within.nothing_left and _arm_was_tried(state)}
        )
    if not state.draw.urls:
        return Proposal(round=state.draw.round, action=Action(kind="stop", reason=NO_ARM))
    action = await _choose_action(state, ports, params)
    left = action.kind == "stop" and action.reason == NO_LINK
    return Proposal(round=state.draw.round, action=action, nothing_left=left)


async def _choose_action(state: State, ports: Ports, params: NavigatorParams) -> Action:
    walked = _steps_from_arm(state)
    if not _arm_was_tried(state) or _is_due_again(state, walked):
        return Action(kind="visit", target=state.draw.urls[0], reason="the arm drawn")
    fresh = has_unread_page(state)
    if reason := spent_reason(state, params):
        return last_action(reason, unread=fresh)
    for page in _pages_back(state, walked, ports):
        task = _make_task(state, params, page, unread=fresh)
        if not task.links and not fresh:
            continue
        chosen = await ports.model.ask(task)
        if running().refused:
            return last_action(CALL_REFUSED, unread=fresh)
        link = next((link for link in task.links if link.id == chosen.choice), None)
        if link:
            return Action(kind="visit", target=link.url, reason=chosen.reason or link.text)
        if fresh and chosen.choice != GIVE_UP:
            return Action(kind="aggregate", reason=chosen.reason)
        fresh = False
    return browser_entry.enter_browser(state, ports, params) or Action(kind="stop", reason=NO_LINK)


def _is_due_again(state: State, walked: Sequence[Step]) -> bool:
    """Was a look-up written anew after this walk, so that its page is worth another reading?

    A page at hand is read for it without a visit.
    """
    if steps_of_round(state) or _recalled_arm(state):
        return False
    last = max((step.round for step in walked), default=0)
    return any(last <= part.since for part in state.survey.parts if part.since)


def _steps_from_arm(state: State) -> list[Step]:
    """This walk, after those from the same arm in earlier rounds: it goes on from there.

    So it does from the arm's page where another walk came upon it.
    """
    rounds = {lesson.round for lesson in state.lessons if lesson.url in state.draw.urls}
    before = [step for step in state.steps if step.round != state.draw.round]
    earlier = [
        step for step in before if step.round in rounds or _opened_any(step, state.draw.urls)
    ]
    return [*earlier, *steps_of_round(state)]


def _opened_any(step: Step, urls: Sequence[str]) -> bool:
    return step.page is not None and not tried([step]).isdisjoint(map(identity, urls))


def _arm_was_tried(state: State) -> bool:
    """Was the arm's page tried? A way that worked before may have led past it, or nowhere."""
    drawn = set(map(identity, state.draw.urls))
    return bool(drawn & tried(_steps_from_arm(state))) or _recalled_arm(state) is not None


def _recalled_arm(state: State) -> Page | None:
    """The arm's page, where it was read before: its links are there without a load."""
    drawn = set(map(identity, state.draw.urls))
    return next((page for page in at_hand(state) if identity(page.url) in drawn), None)


def _pages_back(state: State, walked: Sequence[Step], ports: Ports) -> Iterator[Document]:
    """The documents of this walk, the present one first, then back the way it came."""
    for page in (*(step.page for step in reversed(walked)), _recalled_arm(state)):
        if page:
            yield Document.model_validate_json(ports.blobs.get(page.blob))


def _make_task(
    state: State, params: NavigatorParams, page: Document, *, unread: bool
) -> ChooseLink:
    return ChooseLink(
        question=state.asked,
        open=open_texts(state),
        noted=noted_by_model(state),
        lessons=state.recall.lessons,
        trail=tuple(step.page.title or step.page.url for step in state.steps if step.page),
        page=page.title or page.url,
        unread=unread,
        links=_fresh_links(state, page),
        terms=weights_of(parts_to_pursue(state)),
        least=params.least,
        examples=state.recall.snippets,
        hints=state.question.hints,
    )


def _fresh_links(state: State, page: Document) -> tuple[Link, ...]:
    """The first link to each page of the sites that was not tried yet, nor in vain before."""
    seen = opened(state) | warm_start.vain(state.arms)
    ways: list[Link] = []
    for link in page.links:
        fresh = identity(link.url) not in seen and not writes(link.url)
        if fresh and _may_open(state, link.url):
            seen.add(identity(link.url))
            ways.append(link)
    return tuple(ways)


def _may_open(state: State, url: str) -> bool:
    """Does the address belong to a site that was asked, and is it not forbidden?"""
    sites = state.question.sites or tuple(state.survey.pages)
    inside = any(same_site(site, url) for site in sites)
    return inside and not forbidden(state.question.forbidden, url)
