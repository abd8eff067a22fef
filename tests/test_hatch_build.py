"""The build puts the embedder's model into the package, or refuses to make a wheel without it."""

import os
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import hatch_build
from hatch_build import FILES, MODEL, ModelHook
from tests.test_dependencies import ROOT


def hook(root: Path) -> ModelHook:
    project = ProjectMetadata(str(root), PluginManager())
    return ModelHook(str(root), {}, None, project, "", "wheel")


def test_a_wheel_without_the_model_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hatch_build, "NEEDED", ("no_such_package",))
    with pytest.raises(RuntimeError, match="no_such_package not installed"):
        hook(tmp_path).initialize("standard", {})
    hook(tmp_path).initialize("editable", {})
    assert not any(tmp_path.iterdir())


def test_the_model_is_made_once_and_again_for_other_trained_weights(tmp_path: Path) -> None:
    trained = Path("forager", "data", "cross_encoder.npz")
    for name in (Path("scripts", "minilm_graph.py"), trained):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    hook(tmp_path).initialize("editable", {})
    files = [tmp_path / MODEL / name for name in FILES]
    made = [file.stat().st_mtime_ns for file in files]
    hook(tmp_path).initialize("standard", {})
    assert [file.stat().st_mtime_ns for file in files] == made
    os.utime(tmp_path / trained, ns=(max(made) + 1, max(made) + 1))
    hook(tmp_path).initialize("standard", {})
    assert min(file.stat().st_mtime_ns for file in files) > max(made)
