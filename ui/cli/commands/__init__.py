"""Typer definitions of the commands. Each imports what it needs, so that `--help` is quick."""
