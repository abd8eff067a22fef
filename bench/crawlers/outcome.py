"""What one crawler hands back to the bench."""

import json
import resource
import sys
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """Pages read, links found, seconds from the first request to the last page, peak MB."""

    pages: int
    links: int
    seconds: float
    megabytes: float = 0.0
    cpu: float = 0.0

    def tell(self) -> None:
        """Write this, and what the process used, as one line of JSON."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        figures = asdict(self) | {
            "megabytes": used.ru_maxrss / 1024,
            "cpu": used.ru_utime + used.ru_stime,
        }
        sys.stdout.write(json.dumps(figures) + "\n")
