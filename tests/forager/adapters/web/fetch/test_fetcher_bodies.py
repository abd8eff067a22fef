"""Bodies are limited in size, decompressed, and refused if they are not text."""

import gzip
import zlib
from collections.abc import Iterator

import pytest

from forager.adapters.web.fetch.fetcher import Fetcher
from forager.errors import (
    ContentError,
    TransferError,
)
from tests.servers import Reply, Site


def parts(number: int) -> Iterator[bytes]:
    for _ in range(number):
        yield b"x" * 65_536


async def test_a_page_of_200_mb_in_chunks(site: Site, fetcher: Fetcher) -> None:
    sent: list[int] = []

    def body() -> Iterator[bytes]:
        for part in parts(3200):
            sent.append(len(part))
            yield part

    site.routes["/a"] = Reply(body)
    with pytest.raises(TransferError, match="larger than 1,000,000 bytes"):
        await fetcher.get(site.url("/a"))
    assert sum(sent) < 100_000_000


async def test_a_large_content_length_is_refused(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply(b"x" * 1_000_001)
    with pytest.raises(TransferError, match="larger than 1,000,000 bytes"):
        await fetcher.get(site.url("/a"))


def bomb() -> bytes:
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    return packer.compress(b"\0" * 20_000_000) + packer.flush()


async def test_a_gzip_bomb(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply(bomb(), headers={"Content-Encoding": "gzip"})
    with pytest.raises(TransferError, match="decompresses to more"):
        await fetcher.get(site.url("/a"))


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(b"<p>A", mtime=0)),
        ("deflate", zlib.compress(b"<p>A")),
        ("deflate", zlib.compress(b"<p>A")[2:-4]),
        ("identity", b"<p>A"),
        ("GZIP", gzip.compress(b"<p>A", mtime=0)),
    ],
)
async def test_content_encodings_are_decoded(
    site: Site, fetcher: Fetcher, encoding: str, body: bytes
) -> None:
    site.routes["/a"] = Reply(body, headers={"Content-Encoding": encoding})
    assert (await fetcher.get(site.url("/a"))).data == b"<p>A"


@pytest.mark.parametrize(
    ("encoding", "body", "told"),
    [
        ("br", b"x", "compressed as br"),
        ("gzip", b"plain", "not compressed as its header says"),
        ("gzip", gzip.compress(b"<p>A", mtime=0)[:-9], "broke off"),
    ],
)
async def test_broken_content_encodings_raise_an_error(
    site: Site, fetcher: Fetcher, encoding: str, body: bytes, told: str
) -> None:
    site.routes["/a"] = Reply(body, headers={"Content-Encoding": encoding})
    with pytest.raises(TransferError, match=told):
        await fetcher.get(site.url("/a"))


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "application/zip", "font/woff2"])
async def test_binary_files_are_not_downloaded(site: Site, fetcher: Fetcher, kind: str) -> None:
    site.routes["/a"] = Reply(lambda: parts(3200), kind=kind)
    with pytest.raises(ContentError, match=f"is {kind}, which holds no readable text"):
        await fetcher.get(site.url("/a"))
