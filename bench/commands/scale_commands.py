"""The commands of `./run bench scale`."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from bench.commands.options import SEED, print_progress, split_names
from ui.cli.exit_codes import FAILED

app = typer.Typer(
    help="Measure many sessions, rows, processes and users, with a model that answers after 0.5 s.",
    no_args_is_help=True,
)
FOLDER = typer.Option(metavar="FOLDER", help="An empty folder for data and logs, which is kept.")
LATENCY = typer.Option(min=0, help="Seconds until the model answers.")
AT_ONCE = typer.Option(min=1, help="Sessions at once in each process.")


@app.command("workers")
def workers_command(
    workers: Annotated[
        str, typer.Option(metavar="N,M,…", help="Numbers of processes to try.")
    ] = "1,2,4,8",
    at_once: Annotated[int, AT_ONCE] = 1,
    seconds: Annotated[float, typer.Option(min=1, help="How long each takes new jobs.")] = 30.0,
    latency: Annotated[float, LATENCY] = 0.5,
    folder: Annotated[Path | None, FOLDER] = None,
) -> None:
    """Count sessions per minute of several processes on one PostgreSQL and one store of pages."""
    from bench.scale.worker_rates import RatePlan, measure_rates, rate_rows
    from graphs.experiments.text_table import align_columns

    numbers = [int(each) for each in split_names(workers)]
    with _folder(folder) as place:
        found = measure_rates(RatePlan(place, numbers, at_once, seconds, latency), print_progress)
    titles = ("workers", "sessions/min", "ratio", "CPU s", "not answered", "load")
    for line in align_columns(titles, list(rate_rows(found))):
        typer.echo(line)
    _finish(passed=not any(rate.failed for rate in found))


@app.command("sessions")
def sessions_command(
    sessions: Annotated[int, typer.Option(min=1, help="Sessions at once.")] = 200,
    latency: Annotated[float, LATENCY] = 0.5,
    folder: Annotated[Path | None, FOLDER] = None,
) -> None:
    """Measure the memory of many sessions at once in one process, without browsers."""
    from bench.scale.session_memory import measure_sessions, memory_lines

    with _folder(folder) as place:
        found = measure_sessions(place, sessions, latency, print_progress)
    _print_figures(memory_lines(found))
    _finish(passed=found.has_passed)


@app.command("batch")
def batch_command(
    rows: Annotated[int, typer.Option(min=1, help="Rows of the batch.")] = 1000,
    sites: Annotated[int, typer.Option(min=1, help="Sites, over which they are spread.")] = 10,
    kill_seconds: Annotated[
        float, typer.Option(min=0.5, help="Seconds after which the process is killed, on average.")
    ] = 20.0,
    kills: Annotated[int, typer.Option(min=0, help="Kills at the most.")] = 200,
    at_once: Annotated[int, AT_ONCE] = 16,
    latency: Annotated[float, LATENCY] = 0.5,
    postgres: Annotated[
        bool, typer.Option("--postgres", help="Keep the sessions in PostgreSQL.")
    ] = False,
    seed: Annotated[int, SEED] = 0,
    folder: Annotated[Path | None, FOLDER] = None,
) -> None:
    """Kill a batch at random and start it again: rows lost or twice, and pages fetched too often.

    Exits with 1 if a row failed, was lost or is there twice, or a page was fetched more than twice.
    """
    from bench.scale.killed_batch import BatchPlan, outcome_lines, run_killed_batch
    from bench.scale.postgres_server import serve_postgres

    with _folder(folder) as place:
        plan = BatchPlan(place, rows, sites, kill_seconds, kills, at_once, latency, seed)
        if postgres:
            with serve_postgres() as server:
                found = run_killed_batch(plan, print_progress, server.make_database().url)
        else:
            found = run_killed_batch(plan, print_progress)
    _print_figures(outcome_lines(found))
    _finish(passed=found.has_passed)


@app.command("api")
def api_command(
    users: Annotated[int, typer.Option(min=1, help="Users at once.")] = 50,
    minutes: Annotated[float, typer.Option(min=0.01, help="How long they call.")] = 5.0,
    pause: Annotated[float, typer.Option(min=0, help="Seconds between calls of a user.")] = 1.0,
    latency: Annotated[float, LATENCY] = 0.5,
    seed: Annotated[int, SEED] = 0,
    folder: Annotated[Path | None, FOLDER] = None,
) -> None:
    """Let users read from the API of a server with 500 sessions, and ask now and then.

    Exits with 1 after an error, or if the slowest 5 of 100 reads took 0.3 s or longer.
    """
    from bench.scale.api_users import UserPlan, measure_users, user_lines
    from graphs.experiments.text_table import align_columns

    with _folder(folder) as place:
        found = measure_users(UserPlan(place, users, minutes, pause, latency, seed))
    titles = ("call", "calls", "p50 ms", "p95 ms", "p99 ms", "slowest ms")
    for line in align_columns(titles, list(user_lines(found))):
        typer.echo(line)
    statuses = ", ".join(f"{count} {name}" for name, count in found.statuses.items())
    typer.echo(f"sessions asked meanwhile: {statuses or 'none'}; load {found.load:.1f}")
    for error, count in found.errors.most_common():
        typer.echo(f"{count} times {error}")
    _finish(passed=found.has_passed)


@app.command("outages")
def outages_command(
    sessions: Annotated[int, typer.Option(min=3, help="Sessions, four at once.")] = 24,
    silent: Annotated[float, typer.Option(min=0, help="Seconds without a network.")] = 10.0,
    latency: Annotated[float, LATENCY] = 0.5,
    folder: Annotated[Path | None, FOLDER] = None,
) -> None:
    """Restart PostgreSQL under running sessions, then cut it off for a while."""
    from bench.scale.outages import measure_outages, outage_lines

    with _folder(folder) as place:
        found = measure_outages(place, sessions, silent, latency, print_progress)
    _print_figures(outage_lines(found))
    _finish(passed=found.has_passed)


@contextmanager
def _folder(chosen: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        yield chosen or Path(temporary)


def _print_figures(figures: Iterator[tuple[str, str]]) -> None:
    from graphs.experiments.text_table import align_columns

    rows: Sequence[tuple[str, str]] = list(figures)
    for line in align_columns(("figure", "found"), rows):
        typer.echo(line)


def _finish(*, passed: bool) -> None:
    if not passed:
        raise typer.Exit(FAILED)
