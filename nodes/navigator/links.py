"""On the pages of a site: follow one of their links, have the page read, or stop.

Where links end, a search box or filter form of a page that was read may be used in a browser.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pydantic import Field

from forager.browsing.trajectory import (
    arm_was_tried,
    current_step,
    has_unread_page,
    recalled_arm,
    steps_from_arm,
    steps_of_round,
)
from forager.budget import current_meter, smaller_limit
from forager.domain.actions import Action
from forager.domain.documents import Document, Link
from forager.domain.state import Page, Proposal, State, Step
from forager.domain.survey import Form
from forager.domain.urls import (
    page_identity,
    pages_at_hand,
    same_site,
    tried_or_at_hand,
    tried_pages,
)
from forager.evidence.page_documents import load_documents
from forager.offline.navigator import GIVE_UP, READ_PAGE
from forager.ports import Embedder, Ports, RoleReply
from forager.prompts.sections import Item, Section, list_items, one_line
from forager.questions.subquestions import (
    open_terms,
    weighted_share,
)
from forager.text.tokens import tokenize
from nodes.navigator import browser
from nodes.navigator.params import (
    CALL_REFUSED,
    DRAWN,
    NOTHING_OPEN,
    NavigatorParams,
    last_action,
    spent_reason,
)
from nodes.navigator.walk_task import WalkTask, fresh_links, harmless_first, walk_inputs

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

NO_ARM = "no page was drawn to start from"
NO_LINK = "no link is worth a visit"
ARMS_FIRST = "other pages that were ranked come before links"
CONTEXT_WORDS = 12
ROUNDS_BEFORE_BROWSER = 2
"""Rounds on ranked pages before a browser is used, while there are such pages."""
MAX_BROWSER_ROUNDS = 2
MAX_BROWSER_STEPS = 8
"""Actions of one round in a browser."""
MAX_LEAST = 0.25
"""The most that a guess in the browser must be worth: a form that fits speaks for it already."""
FORM_WORTH = {"gate": 2.0, "filter": 1.0, "search": 0.9}


class Choice(RoleReply):
    """What to do next."""

    reason: str = Field("", description="what you expect there, in a few words")
    choice: int = Field(description="a link's number, -1 to read this page, -2 to give up")


class ChooseLink(WalkTask[Choice]):
    """Pick a link of a page."""

    PROMPT = PROMPT
    REPLY = Choice

    page: str
    unread: bool
    links: tuple[Link, ...]

    def sections(self) -> tuple[Section, ...]:
        """The question and what is open first, the links last: what changes least comes first."""
        read = "It has not been read yet." if self.unread else "It has been read."
        rate = self.ranker().rate
        links = [Item(text=_describe_link(link), relevance=rate(link)) for link in self.links]
        return (
            *self.situation(),
            Section(title=f"The page you are on. {read}", items=list_items([self.page]), tokens=60),
            Section(title="Its links", items=tuple(links), tokens=1500),
        )

    def unasked(self) -> Choice | None:
        """Nothing is open any more."""
        return None if self.open else Choice(choice=GIVE_UP, reason=NOTHING_OPEN)

    def offline(self, embedder: Embedder) -> Choice:
        """Read an unread page first, then follow the link that says most of what is open.

        Links that may change something come last.
        """
        ranker, found = self.ranker(), Choice(choice=GIVE_UP, reason=NO_LINK)
        for links in harmless_first(self.links):
            choice, reason = ranker.choose(links, embedder, least=self.least, unread=self.unread)
            found = Choice(choice=choice, reason=reason)
            if choice != GIVE_UP:
                break
        return found

    def faults(self, reply: Choice) -> list[str]:
        """A number that is not on the list."""
        allowed = {GIVE_UP, *(link.id for link in self.links), *([READ_PAGE] * self.unread)}
        if reply.choice in allowed:
            return []
        read = "-1, " if self.unread else ""
        return [f"choice {reply.choice} is not listed; take the number of a link, {read}or -2."]


ChoosePage = Callable[[State, Ports, NavigatorParams, Sequence[Document]], Awaitable[Action | None]]
"""Chooses among the links of all pages read in a round; None to end it."""


class Walk:
    """The navigation of a round; `choose` decides among the links of all pages that were read."""

    def __init__(self, choose: ChoosePage | None = None) -> None:
        self._choose = choose

    async def propose(self, state: State, ports: Ports, params: NavigatorParams) -> Proposal:
        """Open the arms first, then a page at a time, until the steps or the budget are spent.

        A round that a recipe or a form has led into a browser continues there.
        """
        if current_step(state) or _has_fresh_recipe(state, params):
            limited = _limit_browser_steps(state, params)
            proposal = await browser.propose_browser_action(state, ports, limited)
            left = proposal.nothing_left and arm_was_tried(state)
            return proposal.model_copy(update={"nothing_left": left})
        if not state.draw.urls:
            return Proposal(round=state.draw.round, action=Action(kind="stop", reason=NO_ARM))
        if visits := _visits_of_arms(state, params):
            return Proposal(round=state.draw.round, action=visits[0], also=visits[1:])
        action = await _choose_action(state, ports, params, self._choose)
        left = action.kind == "stop" and action.reason == NO_LINK
        return Proposal(round=state.draw.round, action=action, nothing_left=left)


async def propose_link(state: State, ports: Ports, params: NavigatorParams) -> Proposal:
    """Walk by asking about one page after the other, the last one first."""
    return await Walk().propose(state, ports, params)


async def _choose_action(
    state: State, ports: Ports, params: NavigatorParams, choose: ChoosePage | None
) -> Action:
    """Ask about the last page opened and those before it, unless something else comes first."""
    steps = steps_from_arm(state)
    unread = has_unread_page(state)
    if reason := spent_reason(state, params):
        return last_action(reason, unread=unread)
    if state.draw.wave and not unread:
        return Action(kind="stop", reason=ARMS_FIRST)
    if choose and unread:
        return last_action("not read yet", unread=True)
    ask = choose or _choose_link
    pages = await load_documents(_pages_back(state, steps), ports)
    chosen = await ask(state, ports, params, pages)
    return (
        chosen or await _enter_browser(state, ports, params) or Action(kind="stop", reason=NO_LINK)
    )


async def _choose_link(
    state: State, ports: Ports, params: NavigatorParams, pages: Sequence[Document]
) -> Action | None:
    """Ask about one page after the other, until one has a link to follow."""
    unread = has_unread_page(state)
    for page in pages:
        task = _make_task(state, params, page, unread=unread)
        if not task.links and not unread:
            continue
        chosen = await ports.model.ask(task)
        if current_meter().refused:
            return last_action(CALL_REFUSED, unread=unread)
        link = next((link for link in task.links if link.id == chosen.choice), None)
        if link:
            return Action(kind="visit", target=link.url, reason=chosen.reason or link.text)
        if unread and chosen.choice != GIVE_UP:
            return Action(kind="aggregate", reason=chosen.reason)
        unread = False
    return None


def _visits_of_arms(state: State, params: NavigatorParams) -> tuple[Action, ...]:
    """Visits to the untried drawn pages, all at once, as many as the steps allow."""
    steps, done = steps_from_arm(state), len(steps_of_round(state))
    known = tried_pages(steps) | {page_identity(page.url) for page in pages_at_hand(state)}
    fresh = [url for url in state.draw.urls if page_identity(url) not in known]
    if not fresh and _is_due_again(state, steps):
        fresh = list(state.draw.urls[:1])
    if done and spent_reason(state, params):
        return ()
    room = max(1, smaller_limit(params.steps, state.question.budget.steps) - done)
    return tuple(Action(kind="visit", target=url, reason=DRAWN) for url in fresh[:room])


def _is_due_again(state: State, steps: Sequence[Step]) -> bool:
    """Was a sub-question rewritten since the arm's last visit, so that rereading its page may help?

    A page at hand is read for it without a visit.
    """
    if steps_of_round(state) or recalled_arm(state):
        return False
    last = max((step.round for step in steps), default=0)
    return any(last <= part.since for part in state.survey.parts if part.since)


def _pages_back(state: State, steps: Sequence[Step]) -> Iterator[Page]:
    """The pages that the steps opened, the last one first."""
    return filter(None, (*(step.page for step in reversed(steps)), recalled_arm(state)))


def _make_task(
    state: State, params: NavigatorParams, page: Document, *, unread: bool
) -> ChooseLink:
    return ChooseLink(
        **walk_inputs(state, params),
        page=page.title or page.url,
        unread=unread,
        links=fresh_links(state, page),
    )


def _describe_link(link: Link) -> str:
    """A link for the prompt: its number, text, file, and some words around it."""
    file = link.url.partition("?")[0].rstrip("/").rpartition("/")[2]
    words = " ".join(link.context.split()[:CONTEXT_WORDS])
    around = f" — {one_line(words)}" if words and words != link.text else ""
    return f"[{link.id}] {one_line(link.text or file, 100)} ({one_line(file, 60)}){around}"


def _has_fresh_recipe(state: State, params: NavigatorParams) -> bool:
    """Is there a recipe that this run has not tried yet?"""
    recipe = state.recall.recipe
    fresh = params.browser and not steps_of_round(state) and not _browser_rounds(state)
    return fresh and recipe is not None and bool(recipe.actions)


def _limit_browser_steps(state: State, params: NavigatorParams) -> NavigatorParams:
    """The parameters for a round in a browser: few steps, and guesses need not be worth much."""
    steps = steps_of_round(state)
    entered = next((number for number, step in enumerate(steps) if step.view), len(steps))
    most = min(params.steps, entered + MAX_BROWSER_STEPS)
    return params.model_copy(update={"steps": most, "least": min(params.least, MAX_LEAST)})


async def _enter_browser(state: State, ports: Ports, params: NavigatorParams) -> Action | None:
    """Go to the page whose form promises most, if it is time for that and there is one."""
    if not params.browser or not _arms_had_their_turn(state):
        return None
    if len(_browser_rounds(state)) >= MAX_BROWSER_ROUNDS:
        return None
    opened = (*pages_at_hand(state), *(step.page for step in state.steps if step.page))
    forms = _known_forms(state, await load_documents(opened, ports))
    rated = (each for each in _rate_forms(state, forms) if not _arms_cover(state, each.form))
    best = max(rated, default=None, key=lambda each: each[:2])
    if best is None:
        return None
    return Action(kind="goto", target=best.form.url, reason=f"its {best.form.kind} form may help")


class _RatedForm(NamedTuple):
    worth: float
    number: int
    form: Form


def _rate_forms(state: State, forms: Iterable[Form]) -> Iterator[_RatedForm]:
    """The unused ones of the forms on the arm's site, those with words of what is open worth more.

    The number tells which one was found last.
    """
    terms = open_terms(state)
    used = {page_identity(step.action.target) for step in state.steps if step.action.kind == "goto"}
    for number, form in enumerate(forms):
        here = any(same_site(url, form.url) for url in state.draw.urls)
        if here and page_identity(form.url) not in used:
            share = weighted_share(terms, set(tokenize(form.says)))
            yield _RatedForm(FORM_WORTH[form.kind] + share, number, form)


def _known_forms(state: State, documents: Iterable[Document]) -> Iterator[Form]:
    """The forms that the survey found, and those of pages recalled or opened."""
    yield from state.survey.forms
    for document in documents:
        yield from (form.model_copy(update={"url": document.url}) for form in document.forms)


def _arms_cover(state: State, form: Form) -> bool:
    """Would a search only find pages of a fully mapped site, with arms left to try?"""
    mapped = any(same_site(site, form.url) for site in state.survey.whole)
    return form.kind == "search" and mapped and _has_unopened_arms(state)


def _has_unopened_arms(state: State) -> bool:
    read = tried_or_at_hand(state)
    return any(page_identity(arm.url) not in read for arm in state.arms)


def _arms_had_their_turn(state: State) -> bool:
    """Were the best arms tried, or are none left, or is this the last round?"""
    rounds = state.question.budget.rounds
    last = rounds is not None and state.draw.round >= rounds
    return state.draw.round > ROUNDS_BEFORE_BROWSER or last or not _has_unopened_arms(state)


def _browser_rounds(state: State) -> set[int]:
    """The rounds that went into a browser, or tried to."""
    return {step.round for step in state.steps if step.action.kind == "goto"}
