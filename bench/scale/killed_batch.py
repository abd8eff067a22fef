"""A batch whose process is killed at random and started again, and what its rows came to."""

import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.scale.counted_sites import CountedSite, serve_counted_sites
from bench.scale.stub_model import MODEL, serve_stub_model
from bench.ui.server import WORDS, begin_with

DATABASE = "FORAGER_DATABASE_URL"
MOST_FETCHES = 2
"""How often a page may be asked for."""
Say = Callable[[str], None]


@dataclass(frozen=True)
class BatchPlan:
    """How many rows over how many sites, and when and how often the process is killed."""

    folder: Path
    rows: int = 1000
    sites: int = 10
    kill_seconds: float = 20.0
    kills: int = 200
    at_once: int = 8
    latency: float = 0.5
    seed: int = 0


@dataclass(frozen=True)
class BatchOutcome:
    """What the answers' file and the sites say in the end."""

    rows: int
    statuses: Counter[str]
    lost: tuple[str, ...]
    twice: tuple[str, ...]
    wrong: tuple[str, ...]
    fetched: Counter[str]
    kills: int
    seconds: float
    calls: int
    repeated: int

    @property
    def too_often(self) -> list[str]:
        """Pages that were asked for more often than they may be."""
        return [page for page, count in self.fetched.items() if count > MOST_FETCHES]

    @property
    def has_passed(self) -> bool:
        """Whether every row was answered once, and no page was asked for too often."""
        failed = self.statuses["failed"]
        return not (self.lost or self.twice or self.wrong or self.too_often or failed)


def run_killed_batch(plan: BatchPlan, say: Say, database: str = "") -> BatchOutcome:
    """Answer all rows, killing and starting the process again until it ends by itself.

    Sessions are kept in the database at that address, or else in files.
    """
    draw = random.Random(plan.seed)  # no secret
    plan.folder.mkdir(parents=True, exist_ok=True)
    with serve_counted_sites(plan.sites) as sites, serve_stub_model(plan.latency) as model:
        rows = list(batch_rows(plan.rows, sites))
        questions, out = plan.folder / "questions.jsonl", plan.folder / "answers.jsonl"
        questions.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        began, kills = time.monotonic(), 0
        own = {"FORAGER_BASE_URL": model.url} | ({DATABASE: database} if database else {})
        while _run_for(plan, own, _lifetime(plan, draw, kills)):
            kills += 1
            say(f"killed {kills} times, {_count_lines(out)} of {len(rows)} rows answered")
        text = out.read_text(encoding="utf-8") if out.exists() else ""
        return judge_rows(
            rows,
            [json.loads(line) for line in text.splitlines()],
            fetched=count_pages(sites),
            kills=kills,
            seconds=time.monotonic() - began,
            calls=model.asked.total(),
            repeated=model.repeated,
        )


def batch_rows(count: int, sites: Sequence[CountedSite]) -> Iterator[dict[str, str]]:
    """So many rows, spread over the sites."""
    for number in range(count):
        site = sites[number % len(sites)]
        question = site.question(number // len(sites))
        yield {"id": f"row-{number}", "question": question, "site": site.url}


def count_pages(sites: Sequence[CountedSite]) -> Counter[str]:
    """How often each page of the sites was asked for."""
    found = {f"{site.url}{path[1:]}": n for site in sites for path, n in site.fetched.items()}
    return Counter(found)


def judge_rows(  # noqa: PLR0913
    rows: Sequence[Mapping[str, str]],
    lines: Sequence[Mapping[str, object]],
    *,
    fetched: Counter[str],
    kills: int,
    seconds: float,
    calls: int,
    repeated: int,
) -> BatchOutcome:
    """Which rows have no answer, several, or that of another question."""
    asked = {row["id"]: row["question"] for row in rows}
    found = Counter(str(line["id"]) for line in lines)
    return BatchOutcome(
        rows=len(rows),
        statuses=Counter(str(line["status"]) for line in lines),
        lost=tuple(id for id in asked if not found[id]),
        twice=tuple(id for id, count in found.items() if count > 1),
        wrong=tuple(str(x["id"]) for x in lines if asked.get(str(x["id"])) != x["question"]),
        fetched=fetched,
        kills=kills,
        seconds=seconds,
        calls=calls,
        repeated=repeated,
    )


def outcome_lines(outcome: BatchOutcome) -> Iterator[tuple[str, str]]:
    """Names and figures."""
    statuses = ", ".join(f"{count} {name}" for name, count in outcome.statuses.most_common())
    times = Counter(outcome.fetched.values())
    yield "rows", f"{outcome.rows} ({statuses})"
    yield (
        "lost, twice, of another question",
        (f"{len(outcome.lost)}, {len(outcome.twice)}, {len(outcome.wrong)}"),
    )
    yield (
        "pages asked for once, twice, more often",
        (f"{times[1]}, {times[2]}, {len(outcome.too_often)}"),
    )
    yield "the most often", ", ".join(f"{n}x {p}" for p, n in outcome.fetched.most_common(1))
    yield "kills", str(outcome.kills)
    yield "model calls, of these word for word again", f"{outcome.calls}, {outcome.repeated}"
    yield "rows a minute, kills included", f"{outcome.rows / outcome.seconds * 60:.0f}"


def _lifetime(plan: BatchPlan, draw: random.Random, kills: int) -> float | None:
    """The seconds after which the next process is killed; None for one that may end by itself."""
    return draw.uniform(0.5, 1.5) * plan.kill_seconds if kills < plan.kills else None


def _run_for(plan: BatchPlan, own: Mapping[str, str], seconds: float | None) -> bool:
    """Run the batch for so long at most; whether it had to be killed."""
    words = ["batch", str(plan.folder / "questions.jsonl"), "--out"]
    words += [str(plan.folder / "answers.jsonl"), "--model", MODEL]
    words += ["--at-once", str(plan.at_once)]
    fixed = {"FORAGER_DATA": str(plan.folder / "data"), "FORAGER_MEMORY": "false"}
    with (plan.folder / "batch.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603
            [*begin_with({**fixed, **own}), "-c", WORDS, *words, "--allow-private", "127.0.0.1"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    finally:
        process.kill()
        process.wait()
    return False


def _count_lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0
