"""Surveys a site in a separate process: FOLDER URL LIMIT. Prints the number of mapped pages."""

import asyncio
import sys
from pathlib import Path

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings


async def survey(folder: Path, site: str, limit: int) -> int:
    settings = Settings(data=folder, allow_private=("127.0.0.1",))
    blobs = SqliteBlobs(folder / "blobs.sqlite")
    library = WebLibrary(settings, blobs)
    found = await library.survey(site, limit)
    await library.aclose()
    blobs.close()
    return len(found.pages)


if __name__ == "__main__":
    pages = asyncio.run(survey(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
    sys.stdout.write(f"{pages}\n")
