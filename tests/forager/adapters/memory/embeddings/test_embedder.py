"""The choice of the embedder, and the cache, by which a text is embedded only once."""

import gc
import json
import sqlite3
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from pydantic import SecretStr

from forager.adapters.memory.embeddings.embedder import LexicalOnly, closing_embedder, open_embedder
from forager.adapters.memory.embeddings.embedding_endpoint import EndpointEmbedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder
from forager.errors import ModelError, StoreError
from forager.ports import Vectors
from forager.settings import Settings
from tests.servers import Site


def test_who_opens_the_embedder_again_shares_its_model(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    one, other = open_embedder(settings), open_embedder(settings)
    assert isinstance(one, CachedEmbedder)
    assert isinstance(other, CachedEmbedder)
    assert one.inner is other.inner


class Counting:
    """Unit vectors made from the text's length; counts its calls."""

    available = True
    rater = None
    matcher = None
    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        angles = np.array([len(text) / 10 for text in texts], np.float32)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)


class Endpoint(BaseHTTPRequestHandler):
    """Answers as the embeddings API does, in reverse order; fails as the server's list says."""

    server: "EndpointServer"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, self.headers["Authorization"], body))
        if self.server.failures:
            status, reply = self.server.failures.pop(0)
        else:
            rows = [
                {"index": index, "embedding": [float(len(text)), 1.0]}
                for index, text in enumerate(body["input"])
            ]
            status, reply = 200, json.dumps({"data": rows[::-1]})
        self.send_response(status)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class EndpointServer(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Endpoint)
        self.requests: list[tuple[str, str | None, dict[str, object]]] = []
        self.failures: list[tuple[int, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


@pytest.fixture
def endpoint() -> Iterator[EndpointServer]:
    with EndpointServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def asking(server: EndpointServer, key: str | None = None) -> Iterator[EndpointEmbedder]:
    embedder = EndpointEmbedder(server.url, "small", key)
    try:
        yield embedder
    finally:
        embedder.close()


def test_the_built_in_model_opens_lazily_and_keeps_its_vectors(tmp_path: Path) -> None:
    embedder = open_embedder(Settings(data=tmp_path / "data"))
    assert embedder.available
    assert embedder.name == "all-MiniLM-L6-v2"
    assert not (tmp_path / "data").exists()
    first = embedder.embed(["a page", "a question"])
    assert (tmp_path / "data" / "vectors.sqlite").is_file()
    again = open_embedder(Settings(data=tmp_path / "data"))
    np.testing.assert_array_equal(again.embed(["a question", "a page"])[::-1], first)
    assert isinstance(again, CachedEmbedder)


def test_a_proxy_is_used_only_if_the_settings_name_one(
    tmp_path: Path, endpoint: EndpointServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, site.url())
    direct = Settings(data=tmp_path / "a", embedding_url=endpoint.url)
    with closing_embedder(direct) as embedder:
        embedder.embed(["a page"])
    assert site.asked == []
    named = Settings(
        data=tmp_path / "b", embedding_url="http://models.invalid/v1", proxy=site.url()
    )
    with closing_embedder(named) as embedder, pytest.raises(ModelError, match="404"):
        embedder.embed(["a page"])
    assert site.asked[0].path == "http://models.invalid/v1/embeddings"


def test_no_connection_is_left_open(tmp_path: Path, site: Site) -> None:
    settings = Settings(data=tmp_path, embedding_url=site.url())
    with warnings.catch_warnings(record=True, action="always") as told:
        with closing_embedder(settings) as embedder, pytest.raises(ModelError, match="404"):
            embedder.embed(["a page"])
        del embedder
        gc.collect()
    assert [str(each.message) for each in told if each.category is ResourceWarning] == []


def test_one_setting_chooses_an_endpoint(tmp_path: Path, endpoint: EndpointServer) -> None:
    settings = Settings(
        data=tmp_path,
        embedding_url=endpoint.url,
        embedding_model="small",
        embedding_key=SecretStr("key"),
    )
    with closing_embedder(settings) as embedder:
        assert embedder.name == f"small at {endpoint.url}"
        vectors = embedder.embed(["abc"])
    np.testing.assert_allclose(vectors, [[3 / 10**0.5, 1 / 10**0.5]], atol=1e-3)
    path, authorization, body = endpoint.requests[0]
    assert (path, authorization) == ("/v1/embeddings", "Bearer key")
    assert body == {"model": "small", "input": ["abc"]}


def test_lexical_only_keeps_the_reason() -> None:
    embedder = LexicalOnly("onnxruntime not installed")
    assert not embedder.available
    assert "onnxruntime not installed" in embedder.name
    with pytest.raises(ModelError, match="onnxruntime not installed"):
        embedder.embed(["x"])


def test_a_text_is_embedded_once_ever(tmp_path: Path) -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, tmp_path / "vectors.sqlite")
    first = cached.embed(["bb", "a", "bb", "\ud800"])
    assert sorted(inner.asked) == ["a", "bb", "\ud800"]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(first[0], inner.embed(["bb"])[0], atol=1e-3)
    cached.close()

    fresh = Counting()
    other = CachedEmbedder(fresh, tmp_path / "vectors.sqlite")
    np.testing.assert_array_equal(other.embed(["bb", "a", "bb", "\ud800"]), first)
    assert fresh.asked == []
    assert other.embed([]).shape[0] == 0
    other.close()


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    one, two = Counting(), Counting()
    two.name = "another"
    CachedEmbedder(one, tmp_path / "vectors.sqlite").embed(["a"])
    CachedEmbedder(two, tmp_path / "vectors.sqlite").embed(["a"])
    assert two.asked == ["a"]


def test_thousands_of_texts_and_several_threads_keep_their_order(tmp_path: Path) -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, tmp_path / "vectors.sqlite")
    texts = ["x" * (index * 7919 % 1301) for index in range(2000)]
    expected = inner.embed(texts)
    results: list[Vectors] = []
    threads = [
        threading.Thread(target=lambda: results.append(cached.embed(texts))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 3
    for result in results:
        np.testing.assert_allclose(result, expected, atol=2e-3)


def test_a_damaged_cache_is_made_anew_with_a_note(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, inner = tmp_path / "vectors.sqlite", Counting()
    first = CachedEmbedder(inner, path)
    whole = first.embed(["a"])
    first.close()
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192)
    second = CachedEmbedder(inner, path)
    np.testing.assert_array_equal(second.embed(["a"]), whole)
    second.close()
    path.write_bytes(b"not a database" * 1000)
    third = CachedEmbedder(inner, path)
    np.testing.assert_array_equal(third.embed(["a"]), whole)
    np.testing.assert_array_equal(third.embed(["a"]), whole)
    third.close()
    assert "vectors.sqlite was damaged and is made anew" in caplog.text
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM vectors").fetchone() == (1,)


def test_folder_in_place_of_the_cache_raises(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"):
        CachedEmbedder(Counting(), tmp_path / "file" / "vectors.sqlite").embed(["a"])


def test_the_endpoint_is_asked_in_batches_and_order_is_kept(endpoint: EndpointServer) -> None:
    with asking(endpoint) as embedder:
        vectors = embedder.embed(["x" * length for length in range(150)])
        assert embedder.embed([]).shape[0] == 0
    assert [len(body["input"]) for _, _, body in endpoint.requests] == [64, 64, 22]  # type: ignore[arg-type]
    assert endpoint.requests[0][1] is None
    lengths = vectors[:, 0] / vectors[:, 1]
    np.testing.assert_allclose(lengths[1:], np.arange(1, 150), rtol=1e-4)


def test_a_busy_endpoint_is_asked_again(endpoint: EndpointServer) -> None:
    endpoint.failures += [(429, "slow down"), (503, "")]
    with asking(endpoint) as embedder:
        assert embedder.embed(["abc"]).shape == (1, 2)
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize(
    ("failure", "cause"),
    [
        ((401, "no such key"), "status 401: no such key"),
        ((200, "<html>"), "does not fit the embeddings API"),
        ((200, '{"data": []}'), "0 vectors for 1 texts"),
        ((200, '{"data": [{"index": 0, "embedding": []}]}'), "1 vectors for 1 texts"),
    ],
)
def test_an_unusable_endpoint_names_the_cause(
    endpoint: EndpointServer, failure: tuple[int, str], cause: str
) -> None:
    endpoint.failures.append(failure)
    with asking(endpoint) as embedder, pytest.raises(ModelError) as raised:
        embedder.embed(["abc"])
    assert cause in str(raised.value)
    assert "FORAGER_EMBEDDING_URL" in str(raised.value)


def test_busy_or_missing_endpoint_raises(endpoint: EndpointServer) -> None:
    endpoint.failures += [(503, "down")] * 3
    with asking(endpoint) as embedder, pytest.raises(ModelError, match="status 503: down"):
        embedder.embed(["abc"])
    endpoint.server_close()
    with asking(endpoint) as embedder, pytest.raises(ModelError, match="ConnectError"):
        embedder.embed(["abc"])
