"""Searches the crawled pages in a separate process: FOLDER QUERY. Prints the URLs found."""

import sys
from pathlib import Path

from forager.adapters.search.page_index import PageIndex
from forager.adapters.store.blobs import SqliteBlobs

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    blobs = SqliteBlobs(folder / "blobs.sqlite")
    index = PageIndex(folder, blobs)
    rows = index.search(sys.argv[2], 1000)
    sys.stdout.write("\n".join(sorted(row.url for row in rows)) + "\n")
    index.close()
    blobs.close()
