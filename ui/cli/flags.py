"""Options that several commands share."""

import typer

SITE = typer.Option(
    metavar="ADDRESS",
    help="A site to read, by its front page; repeatable. Without one, the web is searched.",
)
GRAPH = typer.Option(
    metavar="NAME|FILE", help="The graph: a preset, a saved graph (NAME or NAME@N), or a file."
)
SET = typer.Option(
    metavar="NAME=VALUE", help="Set a parameter of the graph; repeatable.", show_default=False
)
MODEL = typer.Option(
    metavar="[ROLE=]PROVIDER:NAME",
    help="The model for all roles, or for one. `auto`, the default, takes what is there: a key, a "
    "model on this machine, else `offline`, which needs none; replay:DIR plays a recording.",
)
BASE_URL = typer.Option(metavar="ADDRESS", help="An OpenAI-compatible endpoint, up to /v1.")
RECORD = typer.Option(
    metavar="DIR", help="Record every request and reply in this folder, for replay:DIR."
)
BUDGET = typer.Option(
    metavar="NAME=N,…",
    help="Limits: rounds (up to those of the graph), steps, pages, seconds, calls, tokens, usd.",
)
ALLOW_PRIVATE = typer.Option(metavar="HOST", help="Allow this private or local host; repeatable.")
YES_DESTRUCTIVE = typer.Option(
    "--yes-destructive",
    help="Approve, without asking, actions that may change something on a site.",
)
YES = typer.Option("--yes", help="Do not ask for confirmation.")
HEADED = typer.Option("--headed", help="Show the browser, so that you can take over in it.")
SECRETS = typer.Option(
    metavar="FILE",
    help="A YAML file of secrets to type where an action says {{name}}: "
    "name: {domain: …, value: …}.",
)
SEED = typer.Option(metavar="N", help="The seed of every random draw.")
JSON = typer.Option("--json", help="Print one JSON object.")
ID = typer.Argument(metavar="ID", help="The session.")
QUESTION = typer.Argument(metavar="QUESTION", help="What you want to know.")
HINT = typer.Option(metavar="TEXT", help="A hint for the next steps, such as where to look.")
MORE_SITES = typer.Option(metavar="ADDRESS", help="Another site to read; repeatable.")
FORBID = typer.Option(
    metavar="HOST|ADDRESS", help="Do not read this host, or this address and below; repeatable."
)
