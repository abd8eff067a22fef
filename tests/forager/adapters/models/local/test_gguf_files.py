"""Files of models: fetched by address, checked, listed, removed."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.adapters.models.local.gguf_files import (
    FOLDER,
    fetch_file,
    find_file,
    list_files,
    remove_file,
)
from forager.errors import ModelError, StoreError, UsageError
from tests.local_models import local_settings
from tests.servers import Asked, Reply, Site

BODY = b"GGUF" + bytes(range(256)) * 4000
HASH = hashlib.sha256(BODY).hexdigest()
PLAIN = "application/octet-stream"


def serve_range(asked: Asked) -> Reply:
    """The part that is asked for, as file servers give it."""
    start = int(asked.headers.get("range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
    if start >= len(BODY):
        return Reply(status=416)
    return Reply(BODY[start:], 206 if start else 200, PLAIN)


@pytest.fixture
def files() -> Iterator[Site]:
    with Site({"/small-135M.gguf": serve_range, "/page.gguf": "<p>Log in first.</p>"}) as site:
        yield site


def ignore(what: str, done: int, total: int) -> None:
    """Hear no report."""


def test_a_file_is_fetched_checked_listed_and_removed(tmp_path: Path, files: Site) -> None:
    told: list[tuple[str, int, int]] = []

    def report(what: str, done: int, total: int) -> None:
        told.append((what, done, total))

    got = fetch_file(
        files.url("/small-135M.gguf?download=true"), HASH, local_settings(tmp_path), report
    )
    assert got.path.read_bytes() == BODY
    assert (got.name, got.bytes) == ("small-135M", len(BODY))
    assert [each.name for each in list_files(tmp_path)] == ["small-135M"]
    assert told[-2:] == [("fetching", len(BODY), len(BODY)), ("checking", 0, 0)]
    remove_file(tmp_path, "small-135M")
    assert list_files(tmp_path) == ()


def test_a_transfer_that_broke_off_is_continued(tmp_path: Path, files: Site) -> None:
    part = tmp_path / FOLDER / "small-135M.gguf.part"
    part.parent.mkdir()
    part.write_bytes(BODY[:5000])
    got = fetch_file(files.url("/small-135M.gguf"), HASH, local_settings(tmp_path), ignore)
    assert got.path.read_bytes() == BODY
    assert files.asked[-1].headers["range"] == "bytes=5000-"
    assert not part.exists()


def test_what_is_there_whole_is_not_fetched_again(tmp_path: Path, files: Site) -> None:
    part = tmp_path / FOLDER / "small-135M.gguf.part"
    part.parent.mkdir()
    part.write_bytes(BODY)
    got = fetch_file(files.url("/small-135M.gguf"), HASH, local_settings(tmp_path), ignore)
    assert got.path.read_bytes() == BODY


def test_a_file_with_another_hash_is_deleted(tmp_path: Path, files: Site) -> None:
    with pytest.raises(ModelError) as raised:
        fetch_file(files.url("/small-135M.gguf"), "0" * 64, local_settings(tmp_path), ignore)
    assert HASH in raised.value.what
    assert list((tmp_path / FOLDER).glob("*.gguf*")) == []


def test_a_page_is_no_model(tmp_path: Path, files: Site) -> None:
    with pytest.raises(ModelError, match=r"is no GGUF file"):
        fetch_file(files.url("/page.gguf"), HASH, local_settings(tmp_path), ignore)


def test_an_address_without_a_file_says_so(tmp_path: Path, files: Site) -> None:
    with pytest.raises(ModelError, match=r"HTTP 404"):
        fetch_file(files.url("/absent.gguf"), HASH, local_settings(tmp_path), ignore)
    with pytest.raises(ModelError, match=r"Start it again: what is there already is kept"):
        fetch_file("http://127.0.0.1:9/a.gguf", HASH, local_settings(tmp_path), ignore)


@pytest.mark.parametrize(
    ("url", "sha256", "words"),
    [
        ("http://example.org/a.gguf", "", "is not encrypted"),
        ("https://example.org/a.gguf", "abc", "A SHA-256 has 64 hexadecimal digits"),
        ("https://example.org/a.zip", "", "names no file that ends in .gguf"),
        ("https://example.org/..%2F.gguf", "", "names no file that ends in .gguf"),
        ("ftp://example.org/a.gguf", "", "is not an address"),
        ("https:///a.gguf", "", "is not an address"),
    ],
)
def test_an_address_that_is_none_is_refused(
    tmp_path: Path, url: str, sha256: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        fetch_file(url, sha256, local_settings(tmp_path), ignore)


def test_a_name_that_is_nearly_right_is_suggested(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "qwen-1.5b.gguf").write_bytes(BODY)
    with pytest.raises(UsageError, match=r"Did you mean 'qwen-1.5b'"):
        find_file(tmp_path, "qwen-15b")


def test_a_folder_that_is_a_file_is_said(tmp_path: Path, files: Site) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot be read or written"):
        fetch_file(files.url("/small-135M.gguf"), HASH, local_settings(tmp_path), ignore)
