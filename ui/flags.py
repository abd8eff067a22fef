"""The options that several commands share."""

import typer

SITE = typer.Option(
    metavar="ADDRESS",
    help="A site to read, by its front page; repeatable. Without one the web is searched.",
)
GRAPH = typer.Option(
    metavar="NAME|FILE", help="The graph: a preset, a saved one (NAME or NAME@N), or a file."
)
MODEL = typer.Option(
    metavar="[ROLE=]PROVIDER:NAME",
    help="The model of all roles, or of one; offline needs none, replay:DIR plays a recording.",
)
BASE_URL = typer.Option(metavar="ADDRESS", help="An OpenAI-compatible endpoint, up to /v1.")
RECORD = typer.Option(metavar="DIR", help="Keep every request and reply there, for replay:DIR.")
BUDGET = typer.Option(
    metavar="NAME=N,…", help="Limits: rounds, steps, pages, seconds, calls, tokens, usd."
)
ALLOW = typer.Option(metavar="HOST", help="A host that may be private or local; repeatable.")
BRAVE = typer.Option(
    "--yes-destructive", help="Approve unasked of actions that may change something on a site."
)
HEADED = typer.Option("--headed", help="Show the browser, so that you can take over in it.")
SECRETS = typer.Option(
    metavar="FILE", help="YAML of what may be typed for {{name}}: name: {domain: …, value: …}."
)
JSON = typer.Option("--json", help="Print one JSON object.")
ID = typer.Argument(metavar="ID", help="The session.")
FILE = typer.Argument(metavar="FILE", help="A graph in YAML or JSON, or the name of one.")
