"""Two graphs on the same questions, in the API."""

import asyncio
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from forager.domain.spend import Budget
from graphs.experiments.trial import MOST_QUESTIONS, Trial, checked, chosen, result_file, typed
from graphs.sessions.model_choice import settle
from graphs.spec.spec import GraphSpec
from ui.server.answering import answer, number, read, route
from ui.server.bodies import Address, Addresses, Said, Text
from ui.server.office import here
from ui.server.saved import named

LONGEST_WAIT = 60

Gold = Annotated[tuple[Text, ...], Field(max_length=100)]


class Question(Said):
    """A question; with an `answer` (alternatives between `|`) it is graded."""

    question: Text
    sites: Addresses = ()
    answer: Gold | Text | None = None


class Trying(Said):
    """Two graphs, each a preset, a saved one or a spec, and what is asked of both."""

    graph: Address | GraphSpec
    other: Address | GraphSpec
    questions: Annotated[tuple[Question, ...], Field(max_length=MOST_QUESTIONS)]
    model: Text = ""
    budget: Budget = Budget()
    seed: int = 0


async def begin(request: Request) -> Response:
    """Let both be asked; the name of the file with the rows."""
    said, office = await read(request, Trying), here()
    model = settle(said.model or office.settings.model or "offline", office.settings, said.budget)
    specs = [await named(each) for each in (said.graph, said.other)]
    names = [each if isinstance(each, str) else each.name for each in (said.graph, said.other)]
    trial = Trial(
        records=checked([typed(one.question, one.sites, one.answer) for one in said.questions], {}),
        graphs=await asyncio.to_thread(chosen, office.settings, *zip(names, specs, strict=True)),
        model=model,
        sites={},
        budget=said.budget,
        seed=said.seed,
        out=result_file(office.settings),
    )
    name = office.trials.begin(trial, office.settings, office.closing)
    return answer({"file": name}, 202)


async def now(request: Request) -> Response:
    """How far it has come, or with `wait` once it has ended: the two side by side."""
    name, office = request.path_params["file"], here()
    wait = min(number(request, "wait", 0, 0), LONGEST_WAIT)
    return answer(await asyncio.to_thread(office.trials.now, name, office.settings, wait))


async def stop(request: Request) -> Response:
    """End it after its present question."""
    name = request.path_params["file"]
    here().trials.stop(name)
    return answer({"file": name}, 202)


ROUTES = [
    route("/graphs/try", begin, "POST"),
    route("/graphs/try/{file}", now),
    route("/graphs/try/{file}", stop, "DELETE"),
]
