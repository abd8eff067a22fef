"""Bytes under their hash, in a file of the data folder and in a store at an address."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer
from s3fs import S3FileSystem

from forager.adapters.store.blob_store import BlobStore, has_blobs, open_blob_store
from forager.errors import MissingBlobError, StoreError, UsageError
from forager.settings import Settings

PAGE = b"The Skarn lighthouse is 34 metres tall. " * 50


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty bucket, whose driver is told of the server by its own variables."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tester")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    name = tmp_path.name.replace("_", "-")
    S3FileSystem(skip_instance_cache=True).mkdir(name)
    return f"s3://{name}"


@pytest.fixture(params=["file", "folder", "memory", "s3"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    match request.param:
        case "file":
            address = ""
        case "folder":
            address = str(tmp_path / "store")
        case "memory":
            address = f"memory://{tmp_path}"
        case _:
            address = f"{request.getfixturevalue('bucket')}/pages"
    return Settings(data=tmp_path / "data", blobs=address)


@pytest.fixture
def blobs(settings: Settings) -> Iterator[BlobStore]:
    with open_blob_store(settings) as opened:
        yield opened


def test_what_is_put_is_got_by_its_hash_by_another_process_too(
    settings: Settings, blobs: BlobStore
) -> None:
    digest = blobs.put(PAGE, "document")
    assert blobs.put(PAGE, "document") == digest
    with open_blob_store(settings) as other:
        assert other.get(digest) == PAGE
        assert other.find_missing([digest, "0" * 64]) == {"0" * 64}
        sizes = other.read_sizes()
    assert sizes.keys() == {digest}
    assert sizes[digest] < len(PAGE) / 10  # compressed
    assert has_blobs(settings)


def test_one_that_is_missing_or_deleted_is_told(blobs: BlobStore) -> None:
    with pytest.raises(MissingBlobError, match="000000000000 is not in the store"):
        blobs.get("0" * 64)
    digest = blobs.put(PAGE, "picture")
    blobs.delete_blobs([digest, "0" * 64])
    with pytest.raises(MissingBlobError):
        blobs.get(digest)
    assert blobs.read_sizes() == {}
    assert blobs.put(PAGE, "picture") == digest
    assert blobs.get(digest) == PAGE


def test_a_document_that_is_also_fetched_as_a_page_stays_a_document(blobs: BlobStore) -> None:
    both = blobs.put(PAGE, "response")
    alone = blobs.put(b"another page", "response")
    assert blobs.measure_responses([]).keys() == {both, alone}
    blobs.put(PAGE, "document")
    blobs.put(PAGE, "response")
    assert blobs.measure_responses([]).keys() == {alone}
    assert blobs.get(both) == PAGE
    blobs.delete_blobs([both])
    assert blobs.find_missing([both]) == {both}


def test_views_are_read_alone(blobs: BlobStore) -> None:
    blobs.put(PAGE, "document")
    view = blobs.put(b'{"picture": "1"}', "view")
    assert dict(blobs.read_views()) == {view: b'{"picture": "1"}'}


def test_many_threads_put_the_same(blobs: BlobStore) -> None:
    with ThreadPoolExecutor(8) as threads:
        put = [
            threads.submit(blobs.put, PAGE + bytes([each % 5]), "response") for each in range(40)
        ]
        digests = {each.result() for each in put}
    assert len(digests) == 5
    assert {blobs.get(digest)[-1] for digest in digests} == set(range(5))


def test_a_damaged_object_is_deleted_and_written_anew(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", blobs=str(tmp_path / "store"))
    with open_blob_store(settings) as blobs:
        digest = blobs.put(PAGE, "document")
        (path,) = (tmp_path / "store").rglob(digest)
        path.write_bytes(b"damaged")
        with pytest.raises(MissingBlobError, match="was damaged"):
            blobs.get(digest)
        assert not path.exists()
        assert blobs.put(PAGE, "document") == digest
        assert blobs.get(digest) == PAGE
        assert sorted(each.name for each in (tmp_path / "store").rglob("*") if each.is_file()) == [
            digest
        ]  # nothing is left of how it was written


@pytest.mark.parametrize(
    ("address", "told"),
    [("gs://bucket/path", "gcsfs"), ("nonsense://x", "nonsense")],
)
def test_an_address_without_a_driver_is_told(tmp_path: Path, address: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"FORAGER_BLOBS cannot be used: .*{told}"):
        open_blob_store(Settings(data=tmp_path, blobs=address))


def test_a_bucket_that_is_missing_is_told_and_not_made(tmp_path: Path, bucket: str) -> None:
    settings = Settings(data=tmp_path, blobs=f"{bucket}-misspelt")
    told = "could not be stored: The specified bucket does not exist"
    with open_blob_store(settings) as blobs, pytest.raises(StoreError, match=told):
        blobs.put(PAGE, "document")
    assert settings.blobs not in {f"s3://{each}" for each in S3FileSystem().ls("", refresh=True)}


def test_a_store_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    settings = Settings(data=tmp_path / "data", blobs=str(tmp_path / "store"))
    with open_blob_store(settings) as blobs, pytest.raises(StoreError, match="could not be stored"):
        blobs.put(PAGE, "document")
