"""The bench of two passes as a command."""

import time
from pathlib import Path
from typing import Annotated

import typer


def passes(
    questions: Annotated[
        Path, typer.Option(metavar="FILE", help="Questions with gold answers, as JSON lines.")
    ],
    sites: Annotated[
        str, typer.Option(metavar="ID=ADDRESS,…|FILE", help="Where their sites are served.")
    ],
    graph: Annotated[str, typer.Option(metavar="NAME|FILE", help="The graph.")] = "forager",
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="As in `ask`.")] = "",
    types: Annotated[
        str, typer.Option(metavar="A,B,…", help="Only questions of these types.")
    ] = "single,multi,cross,abstain",
    limit: Annotated[int, typer.Option(min=0, help="Only N questions; 0 means all.")] = 0,
    seed: Annotated[int, typer.Option(help="Seeds the choice, the order and every draw.")] = 0,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where surveys and sessions are kept.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Rows, one file for each pass beside it.")
    ] = None,
) -> None:
    """Right answers and page loads of a set asked twice over, and afresh without memory."""
    from bench.answer import Plan
    from bench.questions import choose, load, read_sites
    from bench.remembering.passes import asked_twice, lines
    from forager.models.roles import OFFLINE
    from forager.spend import Budget
    from graphs.models import settle
    from ui.options import read_settings

    settings = read_settings()
    own = settings.model_copy(update={"data": data or settings.data / "bench"})
    kinds = [name for name in types.split(",") if name]
    plan = Plan(
        records=choose(load(questions), kinds, limit, seed),
        sites=read_sites(sites),
        graphs=[graph],
        model=settle(model or settings.model or OFFLINE, settings, Budget()),
        seed=seed,
        out=out or own.data / time.strftime("passes-%m%d-%H%M%S"),
    )
    found = asked_twice(plan, own, lambda line: typer.echo(line, err=True))
    for line in lines(found, plan.records):
        typer.echo(line)
