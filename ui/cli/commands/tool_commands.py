"""The commands for other programs and for many questions."""

from pathlib import Path
from typing import Annotated

import typer

from ui.cli.flags import ALLOW_PRIVATE, BASE_URL, BUDGET, GRAPH, MODEL, SET, SITE


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, not over standard input and output.")
    ] = False,
    address: Annotated[
        str, typer.Option(metavar="A", help="With --http, the address of this machine to serve on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="P", min=0, max=65535, help="With --http, the port.")
    ] = 8600,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
) -> None:
    """Serve Forager's tools to an MCP client, such as an assistant or an editor."""
    import asyncio

    from ui.cli.logs import log_to_file
    from ui.cli.options import choose_model, read_settings
    from ui.mcp.mcp_server import serve_http, serve_stdio

    settings = read_settings(allow_private or (), base_url)
    line = choose_model(model, settings)
    log_to_file(settings)
    try:
        if http:
            serve_http(
                settings,
                line,
                address,
                port,
                lambda url, token: typer.echo(
                    f"MCP at {url} until you press Ctrl-C. The token is in {token}."
                ),
            )
        else:
            asyncio.run(serve_stdio(settings, line))
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)


def batch(
    questions: Annotated[
        Path, typer.Argument(metavar="FILE", help="The questions: CSV or JSON lines.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the answers go: JSON lines, or .csv.")
    ],
    site: Annotated[list[str] | None, SITE] = None,
    graph: Annotated[str, GRAPH] = "forager",
    set: Annotated[list[str] | None, SET] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    budget: Annotated[str, BUDGET] = "",
    at_once: Annotated[
        int, typer.Option(metavar="N", min=1, max=200, help="How many questions at once.")
    ] = 4,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask rows that failed again.")
    ] = False,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
) -> None:
    """Answer a file of questions; started again, go on where it stopped.

    Exit codes: 0 every row has an outcome, 1 a row failed, 2 bad usage.
    """
    from ui.cli.actions.batch import BatchChoice, answer_batch
    from ui.cli.options import choose_model, read_budget, read_settings, read_values

    settings = read_settings(allow_private or (), base_url)
    chosen = BatchChoice(
        sites=site or (),
        graph=graph,
        values=read_values(set or ()),
        model=choose_model(model, settings),
        budget=read_budget(budget),
        at_once=at_once,
        retry_failed=retry_failed,
    )
    answer_batch(settings, questions, out, chosen)
