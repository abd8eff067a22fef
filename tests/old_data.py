"""The data folder of version 0.1 that tests open; tests/data/README.md says what is in it."""

import tarfile
from pathlib import Path
from typing import Any

from forager.settings import Settings

ARCHIVE = Path(__file__).parent / "data" / "data-folder-0.1.tar.gz"
CENTURY = 100 * 365.25 * 24 * 3600.0


def unpack(folder: Path, archive: Path = ARCHIVE) -> Path:
    """Unpack an archived data folder into an empty folder; the folder."""
    folder.mkdir(parents=True)
    with tarfile.open(archive) as file:
        file.extraction_filter = getattr(tarfile, "data_filter", None)  # not in Python 3.11.2
        file.extractall(folder)  # noqa: S202  # our own archive
    return folder


def old_settings(folder: Path, **settings: Any) -> Settings:
    """Settings by which the pages of an old folder are never too old to be read from it."""
    return Settings(
        data=folder, allow_private=("127.0.0.1",), survey_age_seconds=CENTURY, **settings
    )
