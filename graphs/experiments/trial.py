"""Asks two graphs the same questions, on the same maps and pages.

Sites are mapped before, and the graphs take turns in asking first, so that neither has the cold
caches alone; the seconds in which a page was fetched or embedded first are told apart.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue, ValidationError, model_validator

from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder
from forager.adapters.store.recipe_store import NoRecipes
from forager.adapters.store.sessions.session_store import SessionStore
from forager.budget import start_meter, survey_share
from forager.domain.spend import Budget
from forager.errors import UsageError, WebError
from forager.ports import OFFLINE, Ports
from forager.settings import Settings
from graphs.experiments import result_rows
from graphs.experiments.experiment import ExperimentPlan, Say, describe_row, open_experiment
from graphs.experiments.fetch_clock import FetchClock, TimedWeb, time_embedder
from graphs.experiments.question_set import Record, Sites
from graphs.experiments.result_rows import Row
from graphs.runtime.compile import refuse_faults
from graphs.runtime.composition import OpenPorts, open_adapters
from graphs.sessions.service import open_sessions
from graphs.spec.diff import compare_specs
from graphs.spec.edit import with_values
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry, plugin_folder
from graphs.spec.registry import REGISTRY
from graphs.spec.resolved_graph import filled_graph
from graphs.spec.spec import GRAPH, GraphSpec

MAX_QUESTIONS = 1000
TRIAL_FOLDER = "bench"
NO_LIMITS = Budget()
SURVEYOR = "surveyor"
NamedGraph = tuple[str, GraphSpec]
"""A graph with the name of its column."""


class TypedQuestion(Record):
    """A question as a user types it; `sites` are addresses, none means the web.

    With an `answer` it is graded. An empty answer means that no page has one.
    """

    id: str = ""
    type: str = "typed"
    sites: tuple[str, ...] = ()
    graded: bool = False

    @model_validator(mode="before")
    @classmethod
    def _as_typed(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        answer = data.get("answer")
        listed = (answer,) if isinstance(answer, str) else answer
        graded = answer is not None or bool(data.get("turns"))
        return {**data, "answer": listed or (), "graded": graded}


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Questions for two graphs; rows go to `out`."""

    records: Sequence[TypedQuestion]
    graphs: tuple[NamedGraph, NamedGraph]
    model: str
    out: Path
    sites: Sites
    seed: int = 0
    budget: Budget = NO_LIMITS


def parse_questions(text: str) -> tuple[TypedQuestion, ...]:
    """The questions in a text of JSON lines. Raises UsageError with the line of a fault."""
    lines = enumerate(text.splitlines(), 1)
    return tuple(_parse_question(each, number) for number, each in lines if each.strip())


def read_questions(path: Path) -> tuple[TypedQuestion, ...]:
    """The questions of a file. Raises UsageError."""
    try:
        return parse_questions(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", "Name a question file.") from error


def typed_question(
    question: str, sites: Sequence[str], answer: str | Sequence[str] | None = None
) -> TypedQuestion:
    """A question as typed; `answer` is its gold, with alternatives separated by `|`."""
    return TypedQuestion.model_validate(
        {"question": question, "sites": tuple(sites), "answer": answer}
    )


def check_questions(records: Sequence[TypedQuestion], sites: Sites) -> tuple[TypedQuestion, ...]:
    """The questions, each with an id. Raises UsageError for none, too many, and unknown sites."""
    if not 0 < len(records) <= MAX_QUESTIONS:
        raise UsageError(
            f"There are {len(records)} questions.",
            f"Ask 1 to {MAX_QUESTIONS} questions.",
        )
    for record in records:
        for site in (*record.sites, *(page.site for page in record.pages)):
            if "://" not in site and site not in sites:
                raise UsageError(
                    f"The question {record.question!r} is about {site!r}, which is not an address.",
                    "Write https://…, or give its address with --sites.",
                )
    return tuple(
        record if record.id else record.model_copy(update={"id": f"q{number}"})
        for number, record in enumerate(records, 1)
    )


def _parse_question(text: str, number: int) -> TypedQuestion:
    try:
        return TypedQuestion.model_validate(json.loads(text))
    except (json.JSONDecodeError, ValidationError) as error:
        raise UsageError(
            f"Line {number} is not a question.",
            'Write {"question": "…", "sites": ["https://…"], "answer": "…"} on each line.',
        ) from error


def choose_graphs(
    settings: Settings,
    one: str | NamedGraph,
    other: str | NamedGraph,
    values: Mapping[str, JsonValue] | None = None,
) -> tuple[NamedGraph, NamedGraph]:
    """Two graphs by reference, with values for the parameters that they have.

    Raises GraphError for faults and for values that do not fit, UsageError if they are the same.
    """
    library = open_library(settings)
    first, second = (
        (each, library.resolve(each)) if isinstance(each, str) else each for each in (one, other)
    )
    first, second = _give(first, values or {}, second), _give(second, values or {}, first)
    for _, spec in (first, second):
        refuse_faults(spec, load_registry(settings))
    if first[1].hash == second[1].hash:
        raise UsageError(f"{first[0]} and {second[0]} are the same graph.", "Name two that differ.")
    if first[0] == second[0]:
        second = (f"{second[0]} ({second[1].hash[:6]})", second[1])
    return first, second


def _give(graph: NamedGraph, values: Mapping[str, JsonValue], other: NamedGraph) -> NamedGraph:
    """The graph with the values, but for those of parameters that the other has alone."""
    name, spec = graph
    alone = other[1].parameters.keys() - spec.parameters.keys()
    return name, with_values(spec, {key: own for key, own in values.items() if key not in alone})


def new_result_file(settings: Settings) -> Path:
    """A new result file in the folder that the UI reads."""
    return settings.data / TRIAL_FOLDER / time.strftime("try-%m%d-%H%M%S.jsonl")


def trial_settings(settings: Settings) -> Settings:
    """Those of trials, whose sessions and pages are kept in a folder of their own."""
    own = {
        "own_nodes_folder": plugin_folder(settings),
        "memory": False,
        "screenshots": False,
        "record": None,
        "webhooks": (),
    }
    return settings.in_folder(settings.data / TRIAL_FOLDER).model_copy(update=own)


def kept_runs(settings: Settings) -> frozenset[str]:
    """The sessions of trials that are still kept. Raises StoreError."""
    place = trial_settings(settings).place("sessions")
    if not place.exists():
        return frozenset()
    with closing(SessionStore(place)) as store:
        return frozenset(line.id for line in store.lines.find_lines())


async def export_run(settings: Settings, id: str) -> bytes:
    """The session of a trial as a ZIP file. Raises SessionError and StoreError."""
    async with open_sessions(trial_settings(settings)) as sessions:
        return await sessions.archive.export_zip(id)


def run_trial(
    trial: Trial, settings: Settings, say: Say, stopped: Callable[[], bool] = lambda: False
) -> list[Row]:
    """Ask each question of both graphs, one after the other; all rows.

    Only maps and fetched pages pass from one to the other. Stops early once `stopped` returns true.
    Raises UsageError and StoreError.
    """
    return asyncio.run(_run_trial(trial, settings, say, stopped))


async def _run_trial(
    trial: Trial, settings: Settings, say: Say, stopped: Callable[[], bool]
) -> list[Row]:
    addresses = {site: site for record in trial.records for site in record.sites if "://" in site}
    plan = ExperimentPlan(
        records=trial.records,
        sites={**addresses, **trial.sites},
        graphs=[name for name, _ in trial.graphs],
        model=trial.model,
        seed=trial.seed,
        out=trial.out,
    )
    found: list[Row] = []
    settings = trial_settings(settings)
    clock = FetchClock()
    adapters = partial(_open_timed, clock)
    differences = compare_specs(*(spec for _, spec in trial.graphs))
    async with open_experiment(plan, settings, adapters, time.time()) as bench:
        await _map_sites(trial, plan.sites, settings, say)
        for place, record in enumerate(trial.records):
            for name, spec in trial.graphs[:: -1 if place % 2 else 1]:
                if stopped():
                    return found
                row = await bench.ask_question(record, spec, trial.budget)
                waited = clock.seconds_of(row.session)
                row = row.model_copy(
                    update={
                        "graph": name,
                        "graded": record.graded,
                        "question": record.question,
                        "seconds": max(0.0, row.seconds - waited),
                        "fetching": waited,
                        "differences": differences,
                    }
                )
                await asyncio.to_thread(result_rows.append_line, trial.out, row)
                found.append(row)
                say(f"{len(found)}/{2 * len(trial.records)} {describe_row(row)}")
    return found


async def _map_sites(trial: Trial, sites: Sites, settings: Settings, say: Say) -> None:
    """Map the sites of the questions as far as the graphs will; what fails, fails again in them."""
    wanted: dict[str, int] = {}
    types = load_registry(settings)
    specs = [filled_graph(spec, types) for _, spec in trial.graphs]
    for record in trial.records:
        for site in (sites[name] for name in record.sites):
            most = max(map(_survey_pages, specs))
            pages = survey_share(trial.budget, most, len(record.sites))
            wanted[site] = max(wanted.get(site, 0), pages)
    with open_adapters(settings) as open_live:
        async with open_live(OFFLINE, time.time()) as ports:
            for site, pages in wanted.items():
                if pages:
                    with start_meter(), suppress(WebError):
                        found = await ports.web.survey(site, pages)
                        say(f"{site}: {found.pages:,} pages mapped before, for both")


def _survey_pages(spec: GraphSpec) -> int:
    """The most pages of a site that a surveyor of the graph maps."""
    default = REGISTRY[SURVEYOR].params.model_fields["pages"].default
    found = [
        _survey_pages(spec.inner(name)) if node.type == GRAPH else node.params.get("pages", default)
        for name, node in spec.nodes.items()
        if node.type in (GRAPH, SURVEYOR)
    ]
    return max((each for each in found if isinstance(each, int)), default=0)


@contextmanager
def _open_timed(clock: FetchClock, settings: Settings) -> Iterator[OpenPorts]:
    """Adapters with a clock, and without recipes: those of the first would help the second."""
    with open_adapters(settings) as open_live:

        @asynccontextmanager
        async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
            async with open_live(model, since, session) as opened:
                clock.session = session
                if isinstance(opened.embedder, CachedEmbedder):
                    time_embedder(opened.embedder, clock)
                web = TimedWeb(opened.web, clock, session)
                yield replace(opened, recipes=NoRecipes(), web=web)

        yield ports
