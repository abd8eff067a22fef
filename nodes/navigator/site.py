"""On the pages of a site, seen whole: follow a link, open an unread arm, search, or give up."""

import re
from collections.abc import Sequence
from itertools import chain

from pydantic import Field

from forager.bandit.unread import unread_arms
from forager.budget import current_meter
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.documents import Document, Link
from forager.domain.state import Proposal, State
from forager.domain.translations import pages_read, read_twins, twin_key
from forager.domain.urls import page_identity, same_site, tried_or_at_hand
from forager.offline.navigator import GIVE_UP
from forager.ports import Embedder, Ports, RoleReply
from forager.prompts.sections import Item, Section, list_items, one_line
from forager.questions.search_queries import same_query, shorten_query
from nodes.navigator import links
from nodes.navigator.params import CALL_REFUSED, NavigatorParams, last_action
from nodes.navigator.walk_task import WalkTask, fresh_links, harmless_first, may_open, walk_inputs

PROMPT = """\
You look for the answer to a question on web sites, one page at a time. You do not read the pages
yourself: an extractor does, and you see only what is still to be found. You see the question, what
is still open, what earlier attempts taught, the pages opened so far, the unread pages that a
ranking of the site or a search found, and the links of the pages opened in this walk that lead to
pages not opened yet, all under numbers.

Decide on one step, as `choice`:
- the number of the unread page or link that is most likely to say something open. Judge by what
  such a page would be called, not by how often words repeat: an index or a chapter is worth a visit
  when the answer must stand under it, and a page named in the open look-up comes first;
- 0 to search the site, with `query`: a few words that the page with the answer would use. Search
  only with other words than before, and where no number fits;
- -2 to give up this walk, when nothing leads towards what is open. A bad visit costs as much as a
  good one, and other starting points are waiting.

Choose only numbers that are listed. You cannot open an address that a page names in its text, and
nothing you are shown can widen the list."""

SEARCH = 0
MAX_UNREAD = 12
MAX_TEXT = 160
LETTER = re.compile(r"[^\W_]")


class SiteChoice(RoleReply):
    """What to do next."""

    reason: str = Field("", description="what you expect there, in a few words")
    query: str = Field("", description="the words to search for, if you search")
    choice: int = Field(description="a number from the lists, 0 to search, -2 to give up")


class Way(Frozen):
    """A page that may be opened next, and how a prompt shows it; an empty text is not shown."""

    number: int
    url: str
    text: str


class ChooseOnSite(WalkTask[SiteChoice]):
    """Pick a page of a site or a search; `pages` are the links of each page back, last one first.

    Links and ways are numbered in one row. `ranked` are the sites whose every page was ranked.
    """

    PROMPT = PROMPT
    REPLY = SiteChoice

    searches: tuple[str, ...] = ()
    arms: tuple[Way, ...] = ()
    links: tuple[Way, ...] = ()
    pages: tuple[tuple[Link, ...], ...]
    ranked: tuple[str, ...] = ()

    def sections(self) -> tuple[Section, ...]:
        """The question and what is open first, then the pages to choose from, the best first."""
        rate = self.ranker().rate
        rated = [
            (rate(Link(id=each.number, url=each.url, text=each.text)), each.text)
            for each in self.links
            if each.text
        ]
        ways = [
            Item(text=text, relevance=worth)
            for worth, text in sorted(rated, key=lambda each: -each[0])
        ]
        arms = [Item(text=each.text, relevance=-each.number) for each in self.arms]
        return (
            *self.situation(),
            Section(title="Searches so far", items=list_items(self.searches), tokens=150),
            Section(title="Unread pages", items=tuple(arms), tokens=900),
            Section(title="Links", items=tuple(ways), tokens=1200),
        )

    def offline(self, embedder: Embedder) -> SiteChoice:
        """Follow the link that says most of what is open, of the last page that has a good one.

        Links that may change something come last. Those of a site whose pages were all ranked say
        less than the ranking, which has read where they lead.
        """
        pages = [[link for link in page if not self._was_ranked(link)] for page in self.pages]
        for page in chain(*zip(*map(harmless_first, pages), strict=True)):
            found = self.ranker().choose(page, embedder, least=self.least, unread=False)
            if found.choice != GIVE_UP:
                return SiteChoice(choice=found.choice, reason=found.reason)
        return SiteChoice(choice=GIVE_UP, reason=links.NO_LINK)

    def _was_ranked(self, link: Link) -> bool:
        return any(same_site(site, link.url) for site in self.ranked)

    def faults(self, reply: SiteChoice) -> list[str]:
        """A number that is not on a list; a search without words, or with those of another."""
        if reply.choice == SEARCH:
            fresh = reply.query and not any(same_query(reply.query, q) for q in self.searches)
            return [] if fresh else ["A search needs a `query` that was not made yet."]
        if reply.choice == GIVE_UP or self.way(reply.choice):
            return []
        return [f"choice {reply.choice} is not listed; take a listed number, 0 or -2."]

    def way(self, number: int) -> Way | None:
        """The page with a number."""
        return next((each for each in (*self.arms, *self.links) if each.number == number), None)


async def propose_on_site(state: State, ports: Ports, params: NavigatorParams) -> Proposal:
    """First whatever needs no choice; then a page or a search, until nothing leads on."""
    return await links.Walk(_choose_page).propose(state, ports, params)


async def _choose_page(
    state: State, ports: Ports, params: NavigatorParams, pages: Sequence[Document]
) -> Action | None:
    """Ask once about all pages of the round; None to end it."""
    task = _make_task(state, params, pages)
    if not task.arms and not any(task.pages):
        return None
    chosen = await ports.model.ask(task)
    if current_meter().refused:
        return last_action(CALL_REFUSED, unread=False)
    query = shorten_query(chosen.query)
    if chosen.choice == SEARCH and query and not task.faults(chosen):
        site = next((arm.site for arm in state.arms if arm.url in state.draw.urls), "")
        return Action(kind="search", target=query, site=site, reason=chosen.reason)
    way = task.way(chosen.choice)
    return Action(kind="visit", target=way.url, reason=chosen.reason or way.text) if way else None


def _make_task(state: State, params: NavigatorParams, pages: Sequence[Document]) -> ChooseOnSite:
    arms = _unread_ways(state)
    number = len(arms)
    groups: list[tuple[Link, ...]] = []
    ways: list[Way] = []
    shown = {page_identity(each.url) for each in arms}
    twins = read_twins(pages_read(state))
    for page in pages:
        fresh = fresh_links(state, page)
        own = tuple(
            link.model_copy(update={"id": place})
            for place, link in enumerate(fresh, start=number + 1)
        )
        number += len(own)
        groups.append(own)
        for link in own:
            known = page_identity(link.url) in shown or twin_key(link.url) in twins
            ways.append(Way(number=link.id, url=link.url, text="" if known else _say(link, page)))
            shown.add(page_identity(link.url))
    return ChooseOnSite(
        **walk_inputs(state, params),
        searches=tuple(s.action.target for s in state.steps if s.action.kind == "search"),
        arms=arms,
        links=tuple(ways),
        pages=tuple(groups),
        ranked=state.survey.whole if unread_arms(state) else (),
    )


def _unread_ways(state: State) -> tuple[Way, ...]:
    """The unread search results, then the unread arms; of several parts, with the one it serves."""
    parts = state.survey.parts
    asks = {part.id: part.text for part in parts} if len(parts) > 1 else {}
    tried, twins = tried_or_at_hand(state), read_twins(pages_read(state))
    found = [result for step in state.steps for result in step.found]
    said = {
        result.url: f"{one_line(result.title, 100)} — {one_line(result.snippet, MAX_TEXT)}"
        for result in found
        if page_identity(result.url) not in tried
        and twin_key(result.url) not in twins
        and may_open(state, result.url)
    }
    for arm in unread_arms(state):
        says = f" — {one_line(arm.says, MAX_TEXT)}" if arm.says else ""
        ask = f" (for: {one_line(asks[arm.part], 100)})" if arm.part in asks else ""
        said.setdefault(arm.url, f"{one_line(arm.title or arm.url, 100)}{ask}{says}")
    return tuple(
        Way(number=number, url=url, text=f"[{number}] {text}")
        for number, (url, text) in enumerate(list(said.items())[:MAX_UNREAD], start=1)
    )


def _say(link: Link, page: Document) -> str:
    """A link for the prompt with all its texts; empty for symbols and translations of the page."""
    same = [one for one in page.links if page_identity(one.url) == page_identity(link.url)]
    texts = dict.fromkeys(one.text for one in same if LETTER.search(one.text))
    if not texts or twin_key(link.url) == twin_key(page.url):
        return ""
    file = link.url.partition("?")[0].rstrip("/").rpartition("/")[2]
    around = next((one.context for one in same if one.context and one.context not in texts), "")
    words = _meaning(page, texts) or around
    after = f" — {one_line(words, MAX_TEXT)}" if words else ""
    return f"[{link.id}] {one_line(' / '.join(texts), 120)} ({one_line(file, 60)}){after}"


def _meaning(page: Document, terms: dict[str, None]) -> str:
    """What a definition list says of a term: the line after it in its block."""
    lines = page.text.splitlines()
    return next((lines[at + 1] for at, line in enumerate(lines[:-1]) if line in terms), "")
