"""Entry point of `python -m bench NAME`."""

from bench.commands.main import app

app(prog_name="./run bench")
