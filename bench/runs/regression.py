"""Asks a few questions of kept sites and replays model runs, to see whether anything changed.

A folder of a regression has `packages.toml` and PACKAGE.zip for each site, `questions.jsonl`,
`runs.jsonl` with the questions of the model runs, a recording of each of these in `runs/ID`, and
the outcomes of all in `expected.json`.
"""

import asyncio
import calendar
import os
import shutil
import zipfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from bench.make_set.package_server import serve_packages
from bench.make_set.packages import UnpackedPackage, read_list
from bench.runs.outcomes import (
    Outcome,
    Outcomes,
    compare_outcomes,
    describe_outcome,
    read_outcomes,
)
from bench.runs.set_tasks import SetTask, load_tasks
from forager.adapters.models.model_lines import OFFLINE, REPLAY_PREFIX
from forager.domain.state import Question
from forager.errors import UsageError
from forager.settings import Settings
from graphs.experiments.question_set import Sites, allow_sites
from graphs.experiments.result_rows import FAILED
from graphs.sessions.service import Sessions, open_sessions

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "regression"
QUESTIONS = "questions.jsonl"
RUNS = "runs.jsonl"
RECORDINGS = "runs"
EXPECTED = "expected.json"
GRAPH = "forager"
SEED = 7
PORT = 18130
"""Where sites are served while a model run is recorded; prompts and pages name the address."""

INTENDED = "If intended, run `./run bench regression --record`, and say why where you commit it."
OUTDATED = """\
{id}: the recording {place} no longer fits.
    {error}
    If only the wording of a prompt has changed: `./run bench regression --keep-replies`
    Otherwise, with a language model: `./run bench regression --record-runs PROVIDER:NAME`"""

Say = Callable[[str], None]


def run_regression(folder: Path, data: Path, say: Say) -> dict[str, Outcome]:
    """The outcomes of all turns and model runs, in an empty data folder.

    Settings of the user do not count. Raises UsageError.
    """
    packages = _unpack_sites(folder, data / "sites")
    names = [package.site.package for package in packages]
    recorded = {name: f"http://127.0.0.1:{port}/" for port, name in enumerate(names, PORT)}
    replay = f"{REPLAY_PREFIX}{folder / RECORDINGS}/{{id}}"
    found: dict[str, Outcome] = {}
    with serve_packages(packages) as sites:
        for file, served, model in ((QUESTIONS, sites, OFFLINE), (RUNS, recorded, replay)):
            if (folder / file).exists():
                tasks = load_tasks("questions", folder / file, {}, served)
                own = allow_sites(_plain_settings(data / file), served)
                found |= asyncio.run(_ask_all(tasks, own, served, model, say))
    return found


def record_runs(folder: Path, data: Path, model: str, settings: Settings, say: Say) -> None:
    """Record the model runs anew with a language model. Raises UsageError."""
    packages = _unpack_sites(folder, data / "sites")
    with serve_packages(packages, PORT) as sites:
        for run in load_tasks("questions", folder / RUNS, {}, sites):
            place = folder / RECORDINGS / run.id
            shutil.rmtree(place, ignore_errors=True)
            own = settings.in_folder(data / run.id).model_copy(update={"record": place})
            asyncio.run(_ask_all([run], allow_sites(own, sites), sites, model, say))


def find_differences(folder: Path, found: Outcomes) -> list[str]:
    """What differs from the recorded outcomes, in words. Raises UsageError."""
    failed = find_failures(folder, found)
    expected = read_outcomes(folder / EXPECTED)
    return [
        *failed.values(),
        *compare_outcomes(_without(expected, failed), _without(found, failed)),
    ]


def find_failures(folder: Path, found: Outcomes) -> dict[str, str]:
    """The turns that failed, and why; of a model run, that its recording does not fit."""
    return {
        id: OUTDATED.format(id=id, place=folder / RECORDINGS / id, error=outcome.error)
        if (folder / RECORDINGS / id).is_dir()
        else f"{id}: it failed. {outcome.error}"
        for id, outcome in found.items()
        if outcome.status == FAILED
    }


def _without(outcomes: Outcomes, failed: Collection[str]) -> Outcomes:
    return {id: one for id, one in outcomes.items() if id not in failed}


def _plain_settings(data: Path) -> Settings:
    """The defaults, whatever the environment says."""
    return Settings.model_construct(data=data, memory=False, screenshots=False)


def _unpack_sites(folder: Path, to: Path) -> list[UnpackedPackage]:
    """Unpack the sites of a regression; files keep their times, which servers tell."""
    unpacked = []
    for package in read_list(folder).values():
        path = folder / f"{package.package}.zip"
        try:
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    file = archive.extract(member, to / package.package)
                    stamp = calendar.timegm(member.date_time)
                    os.utime(file, (stamp, stamp))
        except (OSError, zipfile.BadZipFile) as error:
            raise UsageError(f"{path} cannot be unpacked: {error}.", "Restore it.") from error
        unpacked.append(UnpackedPackage(package, to / package.package))
    return unpacked


async def _ask_all(
    tasks: Sequence[SetTask],
    settings: Settings,
    sites: Sites,
    model: str,
    say: Say,
) -> dict[str, Outcome]:
    """The outcomes of tasks; `{id}` in the model line stands for the task's id."""
    found: dict[str, Outcome] = {}
    async with open_sessions(settings) as sessions:
        for task in tasks:
            turns = await _ask_task(task, sessions, sites, model.replace("{id}", task.id))
            say(", ".join(f"{id}: {turn.status}" for id, turn in turns.items()))
            found |= turns
    return found


async def _ask_task(
    task: SetTask, sessions: Sessions, sites: Sites, model: str
) -> dict[str, Outcome]:
    """The outcomes of the turns of a task, which are asked in one session."""
    found: dict[str, Outcome] = {}
    session = ""
    for turn in task.questions:
        if session:
            await sessions.follow(session, turn.text)
        else:
            question = Question(text=turn.text, sites=task.sites, seed=SEED)
            session = await sessions.start(question, GRAPH, model)
        report = await sessions.run(session)
        found[turn.id] = describe_outcome(turn.text, turn.gold, report, sites)
    return found
