"""The benches as commands: `./run bench NAME`."""

from typing import Annotated

import typer

app = typer.Typer(
    help="Measure answers, surveys, crawls and the bandit.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def main() -> None:
    """Measure; a bench is no test and takes its time."""


@app.command()
def crawl(
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="The site to crawl.")],
    pages: Annotated[int, typer.Option(min=1, help="Pages at the most.")] = 2000,
    rounds: Annotated[int, typer.Option(min=1, help="How often each crawler runs.")] = 3,
) -> None:
    """Pages a second, beside Scrapy and a bare loop doing the same work."""
    from bench.crawl import run

    run(site, typer.echo, pages, rounds)


@app.command()
def bandit(
    runs: Annotated[int, typer.Option(min=1, help="Runs per cell.")] = 2000,
    signal: Annotated[float, typer.Option(min=0, max=1, help="Evidence on the gold arm.")] = 0.5,
    noise: Annotated[float, typer.Option(min=0, max=1, help="Evidence on another arm.")] = 0.1,
    seed: Annotated[int, typer.Option(help="Seeds every draw.")] = 0,
) -> None:
    """How often the bandit's updates find the arm that holds the answer, in simulation."""
    from rich.console import Console

    from bench.bandit import simulate, table

    Console().print(table(simulate(runs, signal=signal, noise=noise, seed=seed)))
