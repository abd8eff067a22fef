"""What pages show and offer for download through Streamlit: each file for its owners alone."""

from typing import Final

from streamlit import App
from streamlit.runtime import Runtime
from streamlit.runtime.media_file_storage import MediaFileKind, MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryFile, MemoryMediaFileStorage

from ui.server.backend import find_asker

NOBODY: Final = ""
"""The owner of a file that was made while there were no accounts."""


class OwnedFiles(MemoryMediaFileStorage):
    """Keeps files in memory, and gives each to the accounts whose pages made it.

    The same bytes are one file, so it may have several owners.
    """

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._owners: dict[str, set[str]] = {}

    def load_and_get_id(
        self,
        path_or_data: str | bytes,
        mimetype: str,
        kind: MediaFileKind,
        filename: str | None = None,
    ) -> str:
        """Keep a file for whoever asks; its ID."""
        id = super().load_and_get_id(path_or_data, mimetype, kind, filename)
        self._owners.setdefault(id, set()).add(_asking_account())
        return id

    def get_file(self, filename: str) -> MemoryFile:
        """The file with this ID. Raises MediaFileStorageError for all but its owners."""
        file = super().get_file(filename)
        if _asking_account() not in self._owners.get(filename.partition(".")[0], ()):
            raise MediaFileStorageError(f"No file {filename!r} belongs to who asks.")
        return file

    def delete_file(self, file_id: str) -> None:
        """Delete a file that no page shows any more."""
        super().delete_file(file_id)
        self._owners.pop(file_id, None)


class OwnedApp(App):
    """Streamlit's application, whose files belong to those whose pages made them.

    Streamlit makes the storage itself, and has no setting for another one.
    """

    def _create_runtime(self) -> Runtime:
        runtime = super()._create_runtime()
        files = OwnedFiles("/media")
        runtime.media_file_mgr._storage = files
        return runtime


def _asking_account() -> str:
    asker = find_asker()
    return asker.account.id if asker else NOBODY
