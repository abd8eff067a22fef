"""A memory that learned one attempt on each of two sites."""

import time

from forager.domain.experience import Episode
from forager.settings import Settings
from graphs.learning.admin import open_memory

SITES = "http://lights.example/", "http://ports.example/"


async def learn_attempts(settings: Settings, lesson: str, session: str = "ona") -> None:
    """Keep an adequate attempt on each site."""
    async with open_memory(settings) as known:
        for number, site in enumerate(SITES, 1):
            attempt = Episode(
                id=f"{session}:{number}",
                session=session,
                time=time.time(),
                question="Who lit the lamp?",
                url=site,
                site=site,
                outcome="adequate",
                lesson=lesson,
            )
            await known.memory.keep([attempt], [])
