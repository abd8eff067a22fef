"""The figures that a crawler reports."""

import json
import resource
import sys
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class CrawlOutcome:
    """Pages read, links found, seconds of crawling; peak MB and CPU seconds of the process."""

    pages: int
    links: int
    seconds: float
    megabytes: float = 0.0
    cpu: float = 0.0

    def print_json(self) -> None:
        """Print the figures with the memory and CPU use of this process as one line of JSON."""
        both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        figures = asdict(self) | {
            "megabytes": sum(used.ru_maxrss for used in both) / 1024,
            "cpu": sum(used.ru_utime + used.ru_stime for used in both),
        }
        sys.stdout.write(json.dumps(figures) + "\n")
