"""Pages per second of Forager's survey, a bare loop and Scrapy, on the same site."""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.survey.crawlers.outcome import CrawlOutcome

CRAWLERS = {
    "forager": "bench.survey.crawlers.forager_survey",
    "bare loop": "bench.survey.crawlers.bare_loop",
    "scrapy": "bench.survey.crawlers.scrapy_spider",
}
SECONDS = 600
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CrawlComparison:
    """The outcomes by crawler, one per round, and the errors of crawlers that failed."""

    site: str
    outcomes: dict[str, list[CrawlOutcome]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    def pages_per_second(self, name: str) -> float:
        """Return pages per second, the median of the rounds."""
        return statistics.median(one.pages / one.seconds for one in self.outcomes[name])

    def speed_ratio(self, name: str) -> float:
        """Return how many times as fast as this crawler Forager is, the median of the rounds."""
        pairs = zip(self.outcomes["forager"], self.outcomes[name], strict=True)
        return statistics.median(
            (ours.pages / ours.seconds) / (other.pages / other.seconds) for ours, other in pairs
        )

    def table_lines(self) -> list[str]:
        """Return the table and the errors."""
        head = f"{'crawler':10} {'pages':>6} {'links':>8} {'pages/s':>8} {'seconds':>8} {'MB':>6}"
        rows = [f"{self.site}, rounds: {max(map(len, self.outcomes.values()), default=0)}", head]
        for name, found in self.outcomes.items():
            seconds = statistics.median(one.seconds for one in found)
            megabytes = max(one.megabytes for one in found)
            last = f"{self.pages_per_second(name):8.1f} {seconds:8.2f} {megabytes:6.0f}"
            rows.append(f"{name:10} {found[-1].pages:6} {found[-1].links:8} {last}")
            if name != "forager" and "forager" in self.outcomes:
                rows[-1] += f"   forager is {self.speed_ratio(name):.2f} times as fast"
        return rows + [f"{name}: {fault}" for name, fault in self.faults.items()]


def compare_crawlers(
    site: str,
    say: Say,
    limit: int = 2000,
    rounds: int = 3,
    crawlers: Sequence[str] = tuple(CRAWLERS),
) -> CrawlComparison:
    """Crawl one site with each crawler in turn; the order is reversed every other round."""
    found = CrawlComparison(site)
    for number in range(rounds):
        names = crawlers[:: 1 if number % 2 == 0 else -1]
        for name in (name for name in names if name not in found.faults):
            _run_crawler(found, name, limit)
    for line in found.table_lines():
        say(line)
    return found


def _run_crawler(found: CrawlComparison, name: str, limit: int) -> None:
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", CRAWLERS[name], found.site, str(limit), data]
        ended = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    if ended.returncode:
        last = (ended.stderr.strip() or "no error message").splitlines()[-1]
        found.faults[name] = f"failed: {last}"
        found.outcomes.pop(name, None)
        return
    outcome = CrawlOutcome(**json.loads(ended.stdout.splitlines()[-1]))
    found.outcomes.setdefault(name, []).append(outcome)
