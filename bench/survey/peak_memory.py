"""The memory that a survey takes at its peak, embeddings and all, in a process of its own."""

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from forager.domain.base import Frozen
from forager.domain.state import Question, State
from forager.errors import ForagerError
from forager.settings import Settings
from graphs.runtime.composition import open_adapters
from nodes.surveyor import SurveyorParams, survey

Say = Callable[[str], None]
SECONDS = 1800
KB_A_MB = 1024
QUESTION = "When was the first version of this made, by whom, and what did it replace?"


class Used(Frozen):
    """Pages, seconds, the peak of the process in MB, and of the helper that reads pages for it."""

    pages: int
    seconds: float
    megabytes: float
    helper: float
    embedded: bool


def run(site: str, pages: int, say: Say) -> list[Used]:
    """Survey on an empty data folder, then again on what the first left. Raises ForagerError."""
    found: list[Used] = []
    with tempfile.TemporaryDirectory() as data:
        for name in ("first", "again"):
            used = _measure(site, pages, data)
            with_them = "with embeddings" if used.embedded else "without embeddings"
            say(
                f"{name}: {used.pages} pages {with_them}, {used.seconds:.1f} s, "
                f"peak {used.megabytes:.0f} MB, helper {used.helper:.0f} MB"
            )
            found.append(used)
    return found


def _measure(site: str, pages: int, data: str) -> Used:
    command = [sys.executable, "-m", "bench.survey.peak_memory", site, str(pages), data]
    ended = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if ended.returncode:
        last = (ended.stderr.strip() or "no reason given").splitlines()[-1]
        raise ForagerError(f"{site} could not be surveyed: {last}", "Check the address.")
    return Used.model_validate_json(ended.stdout.splitlines()[-1])


async def measure(site: str, pages: int, data: Path) -> Used:
    """Survey, index, embed and rank in this process."""
    settings = Settings(data=data, allow_private=(urlsplit(site).hostname or "",))
    state = State(question=Question(text=QUESTION, sites=(site,)))
    started = time.perf_counter()
    with open_adapters(settings) as doors:
        async with doors("offline", time.time()) as ports:
            update = await survey(state, ports, SurveyorParams(pages=pages))
            embedded = ports.embedder.available
    return Used(
        pages=sum(update["survey"].pages.values()),
        seconds=time.perf_counter() - started,
        megabytes=_peak(resource.RUSAGE_SELF),
        helper=_peak(resource.RUSAGE_CHILDREN),
        embedded=embedded,
    )


def _peak(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / KB_A_MB


if __name__ == "__main__":
    site, pages, data = sys.argv[1:]
    used = asyncio.run(measure(site, int(pages), Path(data)))
    sys.stdout.write(json.dumps(used.model_dump()) + "\n")
