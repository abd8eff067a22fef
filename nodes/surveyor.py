"""Maps the sites, splits the question into sub-questions, and ranks pages into arms."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from pydantic import Field

from forager.answers.ending import best_matching
from forager.bandit import arms, posterior, warm_start
from forager.bandit.hints import hint_sections
from forager.bandit.site_choice import leading_site, pages_by_site, pick_sites
from forager.bandit.unread import unread_arms
from forager.budget import current_meter, survey_share
from forager.domain.base import Frozen
from forager.domain.experience import Recalled
from forager.domain.state import Arm, State, SubQuestion, Survey, Update
from forager.domain.survey import (
    Ranking,
    SearchResult,
    SearchResults,
    SiteSurvey,
    TermStatistics,
    join_notes,
)
from forager.errors import SearchError, WebError
from forager.node_type import NodeType, state_keys
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Section, evidence_items, list_items, text_section
from forager.questions import dependencies, split
from forager.questions.dependencies import WaitingSubQuestion
from forager.questions.followups import without_context
from forager.questions.split import plan_look_ups
from forager.questions.subquestions import (
    PlannedLookup,
    SubQuestionBuilder,
    distinct_texts,
    next_number,
    open_sub_questions,
    ready_sub_questions,
    search_query,
)
from forager.util.concurrency import run_both, run_concurrently

ON_WAITING = """\
Later you may see the look-ups made so far, one that waited for the result of another, and quotes
that were found. Then write that one again, with the result, in the spelling of the quotes, in the
place of the words that pointed to it ("that release", "each of them"): one ask for each result,
where there are several, and no ask where the quotes do not say the result. Lessons say what earlier
attempts came to: choose `search` by them."""

PROMPT = f"""\
You plan how the answer to a question is looked up. You see the question and, for each site that
may be read, its address, title and language; without sites, the whole web is searched.

Split the question into the separate things that must be looked up. Each of the `asks` is one
look-up that a single passage of a page can answer. It is complete by itself: "it", "they" or "the
same year" are replaced by what they stand for. Names, numbers, dates and quoted words stay as
they are. A question that asks one thing gives one ask; a comparison gives one for each thing
compared and property; a list, one for each member that the question names, and one for the list
itself where it names none. What is asked of several sites gives one ask for each. `site` is the
number of the site that an ask is about, and 0 if any site may say it. A look-up that cannot be
written without the result of another comes after it, and `needs` gives the number of that one,
counted from 1; one that says all that it needs waits for nothing. Put the asks in the language of
the question.

`search` holds the words that a page with the answer would use, synonyms and technical terms among
them, in the language of the site, without question words. Where the question asks for a table or a
comparison, `row` and `column` say in a word or two which cell an ask fills. `context` says in a
few words what all asks share, such as the product, the period or the place.

{ON_WAITING}

Never answer the question, and add no fact that neither it nor a quote states."""

SEARCH_RESULTS = 10
"""Results of each search of the web, if `search` is 0."""


class SurveyorParams(Frozen):
    """How much of each site is mapped, and how many arms it yields."""

    pages: int = Field(
        1000, ge=0, description="pages crawled of each site; 0 makes the front page the arm"
    )
    top: int = Field(10, ge=1, description="arms kept of each site")
    search: int = Field(
        0, ge=0, description="search results for each sub-question that join the arms"
    )
    sites: int = Field(3, ge=0, description="sites picked from the web if none is named")
    light: int = Field(30, ge=0, description="pages crawled of such a site, besides those found")
    kappa: float = Field(
        3.0, ge=0, description="weight of the ranking in an arm's prior, in pseudo-counts"
    )
    ranking: Ranking = Field(
        "hybrid", description="by sub-questions, words and embeddings, or by plain BM25"
    )


class Plan(RoleReply):
    """What has to be looked up."""

    NUMBERED = frozenset({"asks"})
    asks: list[PlannedLookup] = Field(
        description="the look-ups, in the order in which they can be made"
    )
    context: str = Field("", description="what all asks share")


class PlanSearch(Task[Plan]):
    """Split a question; or rewrite the sub-question that `waited`, with what the quotes say.

    `context` is what a follow-up depends on; it was asked before and is not looked up again. The
    `lessons` of the run are shown where a sub-question is rewritten.
    """

    ROLE = "surveyor"
    PROMPT = PROMPT
    ASIDES: ClassVar[Mapping[str, str]] = {"waited": ON_WAITING}
    REPLY = Plan

    question: str
    context: str = ""
    sites: tuple[SiteSurvey, ...]
    made: tuple[str, ...] = ()
    waited: WaitingSubQuestion | None = None
    hints: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()

    def find_idle(self) -> frozenset[str]:
        """How to write again, where nothing waited."""
        return frozenset() if self.waited else frozenset({"waited"})

    def sections(self) -> tuple[Section, ...]:
        """The question and the sites; for one that waited, also the others and the quotes."""
        sites = [
            f"{number}: {site.site} {site.title} {site.lang}"
            for number, site in enumerate(self.sites, start=1)
        ]
        first = (
            text_section("Question", self.question),
            *hint_sections(self.hints),
            Section(title="Sites", items=list_items(sites), tokens=200),
        )
        if not self.waited:
            return first
        found = self.waited.best_quotes
        worth = {item.id: -float(place) for place, item in enumerate(found)}
        waited = f"{self.waited.ask} (waits for: {self.waited.needed})"
        lessons = Section(title="Lessons", items=list_items(self.lessons, newest=True), tokens=300)
        return (
            *first,
            *([lessons] if self.lessons else []),
            Section(title="Look-ups so far", items=list_items(self.made), tokens=300),
            Section(title="To be written again", items=list_items([waited]), tokens=300),
            Section(title="Quotes", items=evidence_items(found, worth), tokens=1500),
        )

    def offline(self, embedder: Embedder) -> Plan:
        """Each clause that asks is a sub-question, the rest is context."""
        asks, context = plan_look_ups(self.question, self.context, self.waited)
        return Plan(asks=asks, context=context)


class SearchFinds(NamedTuple):
    """The search results for each sub-question, and the faults."""

    results: dict[str, tuple[SearchResult, ...]]
    notes: tuple[str, ...]

    def all_results(self) -> list[SearchResult]:
        """The results of one sub-question after the other."""
        return [result for found in self.results.values() for result in found]


class SiteMaps(NamedTuple):
    """The maps of the sites that answered, why others did not, and faults of those that did."""

    sites: tuple[SiteSurvey, ...]
    failed: tuple[str, ...]
    notes: tuple[str, ...]


class RankedSites(NamedTuple):
    """What the sites know of the question's terms, its parts and arms, and what went wrong."""

    terms: dict[str, TermStatistics]
    parts: tuple[SubQuestion, ...]
    arms: tuple[Arm, ...]
    notes: tuple[str, ...] = ()


async def survey(state: State, ports: Ports, params: SurveyorParams) -> Update:
    """Map the sites, plan, and rank; once there are parts, rewrite those that waited for a result.

    Raises WebError if none of the sites can be mapped, SearchError if the web cannot be searched.
    """
    if state.survey.parts:
        return await _plan_again(state, ports, params)
    if not state.question.sites:
        return await _survey_web(state, ports, params)
    question = state.question
    pages = survey_share(question.budget, params.pages, len(question.sites))
    params = params.model_copy(update={"pages": pages})
    sites, failed, notes = await _map_sites(ports, question.sites, pages)
    await current_meter().warn_of(failed)
    task = _make_task(state, sites)
    before = state.recall.episodes
    plan, ranked = await run_both(
        ports.model.ask(task), _rank_offline_plan(task, before, ports, params)
    )
    if params.search or _new_asks(task, plan) != _new_asks(task, task.offline(ports.embedder)):
        ranked = await _rank_plan(task, plan, ranked.terms, before, ports, params)
    await current_meter().warn_of(ranked.notes)
    return {
        "survey": _make_survey(ranked.parts, sites, (*failed, *ranked.notes), notes),
        "arms": warm_start.carry_over_arms(ranked.arms, state.past, params.kappa, question.hints)
        or arms.front_page_arms([found.site for found in sites]),
    }


def _arms_route(state: State) -> str:
    """Was any page found to start from?"""
    return "found" if state.arms else "none"


NODE_TYPE = NodeType(
    name="surveyor",
    family="prepare",
    summary="Maps the sites, splits the question, and ranks pages into arms.",
    function=survey,
    params=SurveyorParams,
    routes=("found", "none"),
    route=_arms_route,
    reads=state_keys("question"),
    looks=state_keys("past meaning survey arms draw recall reading evidence verdict lessons"),
    writes=state_keys("survey arms"),
    tasks=(PlanSearch,),
    abortable=True,
)


async def _survey_web(state: State, ports: Ports, params: SurveyorParams) -> Update:
    """Search the web, pick the best sites, and map a few pages of each besides those found."""
    text = state.asked
    task = _make_task(state, ())
    plan = await ports.model.ask(task)
    asked = _new_asks(task, plan)
    if not params.sites:
        return {
            "survey": Survey(
                parts=SubQuestionBuilder(text, plan.context, {"": TermStatistics()}).build(asked)
            )
        }
    found = await _search_asks(ports, asked, plan.context, params.search or SEARCH_RESULTS)
    await current_meter().warn_of(found.notes)
    sites = pick_sites(found.results, params.sites)
    wanted = pages_by_site(found.all_results(), sites)
    most = max(map(len, wanted.values()), default=0)
    share = survey_share(state.question.budget, params.light + most, len(sites))
    wanted = {site: urls[: max(0, share - 1)] for site, urls in wanted.items()}
    light = min(params.light, max(1, share - most))
    maps, failed, notes = await _map_sites(ports, sites, light, wanted)
    await current_meter().warn_of(failed)
    terms = await _site_terms([one.site for one in maps], text, ports)
    best = {ask: leading_site(results) for ask, results in found.results.items()}
    best = {ask: site for ask, site in best.items() if site in terms}
    parts = SubQuestionBuilder(text, plan.context, terms, best, leans=bool(task.context)).build(
        asked
    )
    ranked = await _rank_arms(
        text, parts, found.all_results(), state.recall.episodes, ports, params
    )
    return {
        "survey": _make_survey(parts, maps, (*found.notes, *failed), notes),
        "arms": warm_start.carry_over_arms(ranked, state.past, params.kappa, state.question.hints),
    }


async def _plan_again(state: State, ports: Ports, params: SurveyorParams) -> Update:
    """Rewrite the sub-questions whose needed result is in the ledger now, and rank pages."""
    text, parts = state.asked, state.survey.parts
    made = distinct_texts(parts)
    lessons = tuple(lesson.line for lesson in state.lessons)
    tasks = [
        PlanSearch(question=text, sites=(), made=made, waited=waited, lessons=lessons)
        for waited in dependencies.resolvable_sub_questions(state)
    ]
    plans = await run_concurrently(_write_again(state, task, ports) for task in tasks)
    written = [(each, _new_asks(*each)) for each in zip(tasks, plans, strict=True)]
    words = " ".join((text, *(each.ask for _, asked in written for each in asked)))
    if words == text:
        return await _rank_again(state, ports, params)
    terms = await _site_terms(dict.fromkeys(part.site for part in parts), words, ports)
    left, new, number = list(parts), list[SubQuestion](), next_number(parts)
    for (task, plan), planned in written:
        here = _site_number(task, parts, list(terms))
        asked = [each.model_copy(update={"site": here}) for each in planned]
        if task.waited and asked:
            left = dependencies.without_sub_question(left, task.waited.ask, asked[0].ask)
            new += SubQuestionBuilder(text, plan.context, terms).build(
                asked, number, state.draw.round
            )
            number += len(asked)
    ranked = await _rank_arms(words, new, (), state.recall.episodes, ports, params)
    kept = state.survey.model_copy(update={"parts": (*left, *new)})
    return {"survey": kept, "arms": arms.merge_all(state.arms, ranked)}


async def _rank_again(state: State, ports: Ports, params: SurveyorParams) -> Update:
    """Rank the pages of the map for the open sub-questions that no unread arm serves best.

    Each round, `top` more of them become arms.
    """
    open = ready_sub_questions(open_sub_questions(state.survey, state.verdict))
    left = {arm.part for arm in unread_arms(state)}
    open = tuple(part for part in open if part.id not in left)
    if not open or not params.pages or params.ranking == "bm25":
        return {}
    wider = params.model_copy(update={"top": params.top * (state.draw.round + 1)})
    ranked = await _rank_arms(state.asked, open, (), state.recall.episodes, ports, wider)
    return {"arms": arms.merge_all(state.arms, ranked)} if ranked else {}


async def _write_again(state: State, task: PlanSearch, ports: Ports) -> Plan:
    """The sub-question as the extractor rewrote it with the result; else the model is asked."""
    ids = {part.id for part in _waiting_parts(task, state.survey.parts)}
    told = state.reading.rewritten if state.reading else ()
    asks = [PlannedLookup(ask=each.ask, search=each.search) for each in told if each.part in ids]
    return Plan(asks=asks) if asks else await ports.model.ask(task)


def _site_number(task: PlanSearch, parts: Sequence[SubQuestion], sites: list[str]) -> int:
    """The number of the only site of the waiting sub-question; 0 if it has several."""
    held = {part.site for part in _waiting_parts(task, parts)}
    return sites.index(held.pop()) + 1 if len(held) == 1 else 0


def _waiting_parts(task: PlanSearch, parts: Sequence[SubQuestion]) -> list[SubQuestion]:
    return [part for part in parts if task.waited and part.text == task.waited.ask]


def _make_task(state: State, sites: tuple[SiteSurvey, ...]) -> PlanSearch:
    context, hints = state.meaning.context, state.question.hints
    return PlanSearch(question=state.asked, context=context, sites=sites, hints=hints)


def _new_asks(task: PlanSearch, plan: Plan) -> list[PlannedLookup]:
    """The sub-questions of a plan that are new; the question itself if there are none."""
    quotes = [item.passage.text for item in task.waited.best_quotes] if task.waited else []
    found = split.new_lookups(plan.asks, task.question, task.made, quotes)
    if found or task.waited:
        return found
    return [PlannedLookup(ask=without_context(task.question, task.context))]


def _make_survey(
    parts: tuple[SubQuestion, ...],
    sites: Sequence[SiteSurvey],
    faults: Sequence[str],
    notes: Sequence[str],
) -> Survey:
    """The survey; its faults were told before."""
    return Survey(
        parts=parts,
        pages={one.site: one.pages for one in sites},
        whole=tuple(one.site for one in sites if one.whole),
        notes=(*faults, *notes),
        faults=tuple(dict.fromkeys(faults)),
        forms=tuple(form for one in sites for form in one.forms),
        closed=best_matching((page for one in sites for page in one.closed), parts),
    )


async def _rank_offline_plan(
    task: PlanSearch, before: tuple[Recalled, ...], ports: Ports, params: SurveyorParams
) -> RankedSites:
    """Rank by the offline plan while the model makes its own: most of that work serves both.

    Nothing is searched for yet: a search may cost money and is made only once.
    """
    plan = task.offline(ports.embedder)
    words = " ".join((task.question, *(each.search for each in plan.asks)))
    terms = await _site_terms([found.site for found in task.sites], words, ports)
    alone = params.model_copy(update={"search": 0})
    return await _rank_plan(task, plan, terms, before, ports, alone)


async def _rank_plan(  # noqa: PLR0913, PLR0917
    task: PlanSearch,
    plan: Plan,
    terms: dict[str, TermStatistics],
    before: tuple[Recalled, ...],
    ports: Ports,
    params: SurveyorParams,
) -> RankedSites:
    """The parts and arms of a plan, with `params.search` search results for each sub-question."""
    asked = _new_asks(task, plan)
    parts = SubQuestionBuilder(task.question, plan.context, terms, leans=bool(task.context)).build(
        asked
    )
    if not params.pages:
        return RankedSites(terms, parts, ())
    found = SearchFinds({}, ())
    if params.search:
        sites = [site.site for site in task.sites]
        found = await _search_asks(ports, asked, plan.context, params.search, sites)
    ranked = await _rank_arms(task.question, parts, found.all_results(), before, ports, params)
    return RankedSites(terms, parts, ranked, found.notes)


async def _rank_arms(  # noqa: PLR0913, PLR0917
    question: str,
    parts: Sequence[SubQuestion],
    results: Sequence[SearchResult],
    before: tuple[Recalled, ...],
    ports: Ports,
    params: SurveyorParams,
) -> tuple[Arm, ...]:
    """Arms for the best pages of the sites and for the results, with their priors."""
    also = tuple(
        dict.fromkeys([result.url for result in results] + [*warm_start.served_urls(before)])
    )
    mapped = [part for part in parts if part.site]
    hits = await ports.web.rank(question, mapped, params.top, params.ranking, also)
    if params.ranking == "bm25":
        ranked = arms.arms_by_score(hits, parts)
    else:
        ranked = arms.arms_by_share(hits, parts, params.top)
        results = arms.without_weak_pages(results, hits, ranked)
    sites = list(dict.fromkeys(part.site for part in parts))
    found = posterior.assign_priors(arms.add_search_results(ranked, results, sites), params.kappa)
    return warm_start.warm_start_arms(
        found, before, hits, sites, model=ports.model.name, kappa=params.kappa
    )


async def _site_terms(sites: Iterable[str], text: str, ports: Ports) -> dict[str, TermStatistics]:
    """What each site knows of a text's terms; without a site, an entry for the web."""
    named = tuple(site for site in sites if site)
    known = await run_concurrently(ports.web.term_statistics(site, text) for site in named)
    return dict(zip(named, known, strict=True)) or {"": TermStatistics()}


async def _map_sites(
    ports: Ports, sites: Sequence[str], pages: int, seeds: Mapping[str, Sequence[str]] | None = None
) -> SiteMaps:
    """Survey the sites concurrently, `pages` of each besides its `seeds`.

    If no site can be mapped, the first error is raised, unless there are seeds.
    """
    if not pages:
        return SiteMaps(tuple(SiteSurvey(site=site, pages=0) for site in sites), (), ())
    wanted = seeds or {}
    found = await asyncio.gather(
        *(ports.web.survey(site, pages, wanted.get(site, ())) for site in sites),
        return_exceptions=True,
    )
    there = tuple(one for one in found if isinstance(one, SiteSurvey))
    failed = [one for one in found if isinstance(one, BaseException)]
    unexpected = [error for error in failed if not isinstance(error, WebError)]
    if unexpected or (failed and not there and seeds is None):
        raise (unexpected or failed)[0]
    notes = tuple(note for one in there for note in one.notes)
    return SiteMaps(there, tuple(map(str, failed)), notes)


async def _search_asks(
    ports: Ports,
    asks: Sequence[PlannedLookup],
    context: str,
    count: int,
    sites: Sequence[str] = ("",),
) -> SearchFinds:
    """Search for each sub-question on each of the sites; "" is the whole web.

    Raises SearchError if the whole web was to be searched and no search could be made.
    """
    wanted = [
        (each.ask, search_query(each, context), site)
        for each in asks
        for site in sites[each.site - 1 : each.site] or sites
    ]
    found = await asyncio.gather(
        *(ports.search.search(words, count, site) for _, words, site in wanted),
        return_exceptions=True,
    )
    failed = [one for one in found if isinstance(one, BaseException)]
    unexpected = [error for error in failed if not isinstance(error, SearchError)]
    if unexpected or (failed and len(failed) == len(found) and "" in sites):
        raise (unexpected or failed)[0]
    results: dict[str, tuple[SearchResult, ...]] = {}
    for (ask, _, _), one in zip(wanted, found, strict=True):
        if isinstance(one, SearchResults):
            results[ask] = (*results.get(ask, ()), *one.results)
    made = [one for one in found if isinstance(one, SearchResults)]
    notes = (*map(str, failed), *join_notes(made))
    return SearchFinds(results, tuple(dict.fromkeys(notes)))
