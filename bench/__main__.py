"""`python -m bench NAME`."""

from bench.cli import app

app(prog_name="./run bench")
