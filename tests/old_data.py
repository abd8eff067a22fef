"""The data folder of version 0.1 that tests open; tests/data/README.md says what is in it."""

import tarfile
from pathlib import Path

ARCHIVE = Path(__file__).parent / "data" / "data-folder-0.1.tar.gz"


def unpack(folder: Path, archive: Path = ARCHIVE) -> Path:
    """Unpack an archived data folder into an empty folder; the folder."""
    folder.mkdir(parents=True)
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder
