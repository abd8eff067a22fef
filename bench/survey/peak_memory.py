"""Peak memory of a survey with embeddings, measured in its own process."""

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


class PeakUse(Frozen):
    """Pages, seconds, and the peak memory in MB of the process and of its page-reading helper."""

    pages: int
    seconds: float
    megabytes: float
    helper: float
    embedded: bool


def measure_peaks(site: str, pages: int, say: Say) -> list[PeakUse]:
    """Survey with an empty data folder, then again with the filled one. Raises ForagerError."""
    found: list[PeakUse] = []
    with tempfile.TemporaryDirectory() as data:
        for name in ("first", "again"):
            used = _measure_in_process(site, pages, data)
            with_them = "with embeddings" if used.embedded else "without embeddings"
            say(
                f"{name}: {used.pages} pages {with_them}, {used.seconds:.1f} s, "
                f"peak {used.megabytes:.0f} MB, helper {used.helper:.0f} MB"
            )
            found.append(used)
    return found


def _measure_in_process(site: str, pages: int, data: str) -> PeakUse:
    command = [sys.executable, "-m", "bench.survey.peak_memory", site, str(pages), data]
    ended = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if ended.returncode:
        last = (ended.stderr.strip() or "no error message").splitlines()[-1]
        raise ForagerError(f"{site} could not be surveyed: {last}", "Check the address.")
    return PeakUse.model_validate_json(ended.stdout.splitlines()[-1])


async def measure_survey(site: str, pages: int, data: Path) -> PeakUse:
    """Survey, index, embed and rank in this process."""
    settings = Settings(data=data, allow_private=(urlsplit(site).hostname or "",))
    state = State(question=Question(text=QUESTION, sites=(site,)))
    started = time.perf_counter()
    with open_adapters(settings) as doors:
        async with doors("offline", time.time()) as ports:
            update = await survey(state, ports, SurveyorParams(pages=pages))
            embedded = ports.embedder.available
    return PeakUse(
        pages=sum(update["survey"].pages.values()),
        seconds=time.perf_counter() - started,
        megabytes=_peak_megabytes(resource.RUSAGE_SELF),
        helper=_peak_megabytes(resource.RUSAGE_CHILDREN),
        embedded=embedded,
    )


def _peak_megabytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / KB_A_MB


if __name__ == "__main__":
    site, pages, data = sys.argv[1:]
    used = asyncio.run(measure_survey(site, int(pages), Path(data)))
    sys.stdout.write(json.dumps(used.model_dump()) + "\n")
