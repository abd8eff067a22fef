"""A process that runs sessions: each line of standard input is a job, as JSON.

At the end of a job it writes a line with its outcome, and after the last one a line with the CPU
seconds that it took. Its settings are those of the environment. SIGUSR2 prints its threads.
"""

import asyncio
import faulthandler
import json
import signal
import sys
import time

from bench.scale.worker_pool import SessionJob
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ForagerError
from forager.settings import Settings
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import Sessions, open_sessions


async def do_job(sessions: Sessions, job: SessionJob) -> None:
    """Ask, run to the end, and say what came out."""
    question = Question(text=job.question, sites=(job.site,), budget=Budget(), seed=job.seed)
    line = settle_models(job.model, sessions.context.settings, question.budget)
    status, error = "", ""
    try:
        await sessions.start(question, job.graph, line, job.id)
        report = await sessions.run(job.id)
        status, error = report.status, report.error
    except ForagerError as failure:
        error = str(failure)
    say({"id": job.id, "status": status, "error": error})


async def work(settings: Settings) -> None:
    """Do all jobs, those that are given together at the same time."""
    async with open_sessions(settings) as sessions, asyncio.TaskGroup() as group:
        while line := await asyncio.to_thread(sys.stdin.readline):
            group.create_task(do_job(sessions, SessionJob.model_validate_json(line)))
    say({"cpu": time.process_time()})


def say(values: dict[str, object]) -> None:
    """Write a line to the bench."""
    sys.stdout.write(f"{json.dumps(values)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR2)
    asyncio.run(work(Settings()))
