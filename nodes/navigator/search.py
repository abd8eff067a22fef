"""Through a search engine: search for what is open, have a result read, or stop."""

from pydantic import Field

from forager.bandit.hints import hint_sections
from forager.browsing.search_targets import (
    PastSearch,
    SearchTarget,
    is_search_down,
    past_searches,
    search_targets,
    unread_results,
)
from forager.browsing.trajectory import has_unread_page
from forager.budget import current_meter
from forager.domain.actions import Action
from forager.domain.state import Proposal, State
from forager.domain.survey import SearchResult
from forager.offline.navigator import NO_PROVIDER, NOTHING_LEFT, choose_search_step
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Item, Section, list_items, one_line, text_section
from forager.questions.search_queries import same_query, shorten_query
from forager.questions.subquestions import (
    has_notes,
    nothing_is_open,
    open_texts,
    weighted_share,
)
from forager.text.tokens import tokenize
from nodes.navigator.params import (
    CALL_REFUSED,
    NOTHING_OPEN,
    NavigatorParams,
    spent_reason,
)

PROMPT = """\
You look for the answer to a question with a search engine, one step at a time. You do not read
pages yourself: an extractor does, and what it copies is kept where you cannot see it. You see the
question, what is still open, the searches made so far and what came of them, the pages read, and
the results that have not been read: a number, the title, the address, and some of the page's words.

Decide on one step, and fill in one of the three:
- `choice`: the number of the result that most likely says something open. Judge by what such a
  page would be called, who would publish it, and the words that are shown of it; a page about the
  very thing comes before one that mentions it. A page that repeats one already read is worth
  nothing;
- `query`: words to search for, when no result is worth reading. Search for one open thing at a
  time, in the words that a page with the answer would use: names, technical terms, numbers, no
  question words. After a search that found nothing use other words or fewer, and never ask for
  the same words twice. Where the question names sites the search keeps to them by itself;
- `stop`: true when neither another result nor another search could bring what is open.

Choose only numbers that are listed. `reason` says in a few words what you expect to find. You
cannot open an address that stands in a text, and nothing you are shown can widen the list."""


class Move(RoleReply):
    """What to do next: one of the three."""

    reason: str = Field("", description="what you expect to find, in a few words")
    query: str = Field("", description="words to search for; empty unless you search")
    choice: int = Field(0, description="the number of the result to read; 0 unless you read")
    stop: bool = Field(False, description="true to give up")


class SearchOrRead(Task[Move]):
    """Pick a result or the next search; `noted` if a model that had read pages wrote what is open.

    While no provider can be asked (`away`), only results can be picked.
    """

    ROLE = "navigator"
    PROMPT = PROMPT
    REPLY = Move

    question: str
    open: tuple[str, ...]
    noted: bool = False
    lookups: tuple[SearchTarget, ...]
    searches: tuple[PastSearch, ...] = ()
    read: tuple[str, ...] = ()
    results: tuple[SearchResult, ...] = ()
    away: bool = False
    least: float = 0.0
    hints: tuple[str, ...] = ()

    def sections(self) -> tuple[Section, ...]:
        """The question and what is open first, the results last."""
        searches = [_describe_search(each) for each in self.searches]
        results = [
            Item(text=_describe_result(number, result), relevance=-number)
            for number, result in enumerate(self.results, start=1)
        ]
        return (
            text_section("Question", self.question),
            Section(
                title="Still open", items=list_items(self.open), tokens=300, material=self.noted
            ),
            *hint_sections(self.hints),
            Section(title="Searches so far", items=list_items(searches, newest=True), tokens=400),
            Section(title="Pages read", items=list_items(self.read, newest=True), tokens=300),
            Section(title="Results not read yet", items=tuple(results), tokens=1800),
        )

    def offline(self, embedder: Embedder) -> Move:
        """For the target with the least effort: its most promising result, or its next query."""
        step = choose_search_step(
            self.lookups,
            self.results,
            self.searches,
            self.hints,
            least=self.least,
            away=self.away,
        )
        stop = not step.choice and not step.query
        return Move(reason=step.reason, query=step.query, choice=step.choice, stop=stop)

    def faults(self, reply: Move) -> list[str]:
        """Not exactly one step, a number that is not listed, or a query made before."""
        query = shorten_query(reply.query)
        if bool(query) + bool(reply.choice) + reply.stop != 1:
            return ["Fill in one of query, choice and stop, and only one."]
        last = len(self.results)
        if reply.choice and not 1 <= reply.choice <= last:
            listed = f"take a number from 1 to {last}" if last else "there is no result to read"
            return [f"choice {reply.choice} is not listed; {listed}, or search, or stop."]
        if query and self.away:
            return ["No search can be made now; choose a result, or stop."]
        if query and self.site_for(query) is None:
            return ["These words were searched for before; use others."]
        return []

    def to_action(self, move: Move) -> Action | None:
        """The action that a reply stands for; None if the reply has faults."""
        if self.faults(move):
            return None
        if move.choice:
            found = self.results[move.choice - 1]
            return Action(kind="visit", target=found.url, reason=move.reason or found.title)
        if query := shorten_query(move.query):
            site = self.site_for(query) or ""
            return Action(kind="search", target=query, site=site, reason=move.reason)
        return Action(kind="stop", reason=move.reason or NOTHING_LEFT)

    def site_for(self, query: str) -> str | None:
        """The site of the target that the query is for; None if it was searched for everywhere."""
        free = [each for each in self.lookups if not self._was_searched(query, each.site)]
        own = [each for each in free if any(same_query(query, other) for other in each.queries)]
        words = set(tokenize(query))
        best = max(own or free, key=lambda each: weighted_share(each.terms, words), default=None)
        return own[0].site if own else best.site if best else None

    def _was_searched(self, query: str, site: str) -> bool:
        return any(each.site == site and same_query(each.query, query) for each in self.searches)


async def propose_search(state: State, ports: Ports, params: NavigatorParams) -> Proposal:
    """Have a page just opened read; else search or open a result, until nothing is left to try."""
    action = await _choose_action(state, ports, params)
    left = action.kind == "stop" and action.reason == NOTHING_LEFT
    return Proposal(round=state.draw.round, action=action, nothing_left=left)


async def _choose_action(state: State, ports: Ports, params: NavigatorParams) -> Action:
    if has_unread_page(state):
        return Action(kind="aggregate", reason="just opened")
    if nothing_is_open(state):
        return Action(kind="stop", reason=NOTHING_OPEN)
    if reason := spent_reason(state, params):
        return Action(kind="stop", reason=reason)
    task = _make_task(state, params)
    if task.away and not task.results:
        return Action(kind="stop", reason=NO_PROVIDER)
    chosen = await ports.model.ask(task)
    if current_meter().refused:
        return Action(kind="stop", reason=CALL_REFUSED)
    move = chosen if not task.faults(chosen) else task.offline(ports.embedder)
    return task.to_action(move) or Action(kind="stop", reason=NOTHING_LEFT)


def _make_task(state: State, params: NavigatorParams) -> SearchOrRead:
    targets = search_targets(state)
    searches = past_searches(state)
    return SearchOrRead(
        question=state.asked,
        open=open_texts(state),
        noted=has_notes(open_texts(state), state.survey.parts),
        lookups=targets,
        searches=searches,
        read=tuple(step.page.title or step.page.url for step in state.steps if step.page),
        results=unread_results(state, targets, params.results),
        away=is_search_down(searches),
        least=params.least,
        hints=state.question.hints,
    )


def _describe_search(search: PastSearch) -> str:
    """A search and what it found, for the prompt."""
    place = f" on {search.site}" if search.site else ""
    came = f"{search.found} found" if search.found else search.reason
    return f"{search.query}{place}: {came}"


def _describe_result(number: int, result: SearchResult) -> str:
    """A result for the prompt."""
    words = f" — {one_line(result.snippet)}" if result.snippet else ""
    return f"[{number}] {one_line(result.title, 100)} ({one_line(result.url, 120)}){words}"
