"""The commands that run graphs: one, or two against each other. Each imports what it needs."""

from pathlib import Path
from typing import Annotated

import typer

from ui.flags import ALLOW, BASE_URL, BUDGET, JSON, MODEL, SITE

GRAPH = typer.Argument(
    metavar="GRAPH", help="A preset, a saved graph (NAME or NAME@VERSION), or a file."
)
OTHER = typer.Argument(metavar="OTHER", help="The graph to hold against it.")
SEED = typer.Option(metavar="N", help="Seeds every random draw.")


def run(
    graph: Annotated[str, GRAPH],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    site: Annotated[list[str] | None, SITE] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    budget: Annotated[str, BUDGET] = "",
    seed: Annotated[int, SEED] = 0,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask a question with a graph; `forager ask --graph` has more options.

    Exit codes: 0 answered, 3 partial, 4 abstained, 1 failed, 2 bad usage.
    """
    from forager.domain.state import Question
    from ui import asking
    from ui.options import read_budget, read_settings

    settings = read_settings(allow_private or (), base_url)
    asked = Question(text=question, sites=tuple(site or ()), budget=read_budget(budget), seed=seed)
    chosen = " ".join(model or []) or settings.model or "offline"
    asking.run(settings, asking.start(settings, asked, graph, chosen, None), as_json=as_json)


def try_(
    graph: Annotated[str, GRAPH],
    other: Annotated[str, OTHER],
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Questions as JSON lines: question, sites, and with gold an answer.",
        ),
    ] = None,
    ask: Annotated[
        list[str] | None, typer.Option(metavar="QUESTION", help="A question; repeatable.")
    ] = None,
    site: Annotated[list[str] | None, SITE] = None,
    sites: Annotated[
        str,
        typer.Option(
            metavar="ID=ADDRESS,…|FILE", help="Where sites are that the file names otherwise."
        ),
    ] = "",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    budget: Annotated[str, BUDGET] = "",
    seed: Annotated[int, SEED] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rows, as JSON lines.")
    ] = None,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask the same questions of two graphs: right answers, page loads, calls, spend.

    The second reads the pages that the first has read: they are fetched once. The page Bench of
    the web UI shows the rows.
    """
    from graphs.experiments.question_set import read_sites
    from graphs.experiments.trial import Trial, checked, chosen, read_file, result_file, typed
    from graphs.sessions.model_choice import choose_models
    from ui.options import read_budget, read_settings
    from ui.trying import try_graphs

    settings = read_settings(allow_private or (), base_url)
    known = read_sites(sites) if sites else {}
    filed = read_file(questions) if questions else ()
    records = checked((*filed, *(typed(each, site or ()) for each in ask or ())), known)
    trial = Trial(
        records=records,
        graphs=chosen(settings, graph, other),
        model=choose_models(model, settings),
        sites=known,
        seed=seed,
        budget=read_budget(budget),
        out=out or result_file(settings),
    )
    try_graphs(settings, trial, as_json=as_json)


VERBS = (run, try_)
