"""The image and the compose file: what can be told of them without a container engine."""

import re
import runpy
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
STEPS = list(
    runpy.run_path(str(ROOT / "scripts" / "image"))["read_steps"](
        (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    )
)
COMPOSE: dict[str, Any] = YAML(typ="safe").load(ROOT / "deploy" / "compose.yaml")
ON_RAY: dict[str, Any] = YAML(typ="safe").load(ROOT / "deploy" / "compose.ray.yaml")
SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)


def copied() -> list[str]:
    """What is copied from the tree."""
    rests = [shlex.split(step.rest) for step in STEPS if step.word == "COPY"]
    return [source for words in rests if "--from" not in words[0] for source in words[:-1]]


@pytest.mark.parametrize("source", copied())
def test_what_is_copied_is_there_and_sent_to_the_engine(source: str) -> None:
    assert (ROOT / source).exists()
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert f"!{source}" in sent


def test_all_that_the_wheel_is_built_of_is_copied() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"targets\.sdist\]\nonly-include = \[(.*?)\]", project, re.DOTALL)
    assert listed
    assert set(re.findall(r'"(.+?)"', listed[1])) <= set(copied())


def test_it_runs_as_an_ordinary_user_from_the_lock_with_no_key_inside() -> None:
    words = [step.word for step in STEPS]
    [user] = [step.rest for step in STEPS if step.word == "USER"]
    assert user not in ("root", "0")
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert not any(SECRET.search(step.rest) for step in STEPS if step.word in ("ENV", "ARG"))
    installs = [step.rest for step in STEPS if "pip install" in step.rest]
    assert all("--require-hashes" in each or "--no-deps" in each for each in installs)
    assert any("--require-hashes -r /src/requirements.lock" in each for each in installs)


def test_compose_builds_it_publishes_on_this_machine_alone_and_takes_keys_from_outside() -> None:
    own = COMPOSE["services"]["forager"]
    folder = ROOT / "deploy" / own["build"]["context"]
    assert (folder / own["build"]["dockerfile"]).is_file()
    assert all(port.startswith("127.0.0.1:") for port in own["ports"])
    keys = {name: value for name, value in own["environment"].items() if SECRET.search(name)}
    assert keys
    assert all(value == f"${{{name}:-}}" for name, value in keys.items())
    for service in COMPOSE["services"].values():
        assert "privileged" not in service
        named = {volume.partition(":")[0] for volume in service["volumes"]}
        assert named <= COMPOSE["volumes"].keys()


@pytest.mark.parametrize("name", ["compose.yaml", "compose.ray.yaml"])
def test_a_compose_file_is_as_its_schema_says(name: str) -> None:
    words = ["check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    subprocess.run([sys.executable, "-m", *words, str(ROOT / "deploy" / name)], check=True)


def test_the_ray_services_are_of_one_image_with_ray_in_it_and_reached_by_none_outside() -> None:
    services = ON_RAY["services"]
    assert {each["image"] for each in services.values()} == {"forager-ray"}
    assert services["forager"]["build"]["args"] == {"EXTRAS": "ray"}
    assert services["forager"]["environment"]["FORAGER_RAY"] == "ray://ray-head:10001"
    pages = services["forager"]["environment"]["FORAGER_BLOBS"]
    for service in services.values():
        assert "ports" not in service
        assert "RAY_AUTH_TOKEN" in service["environment"]
        assert service["volumes"] == [f"pages:{pages}"]
    [folders] = [step.rest for step in STEPS if "install -d" in step.rest]
    assert pages in folders.split()  # a new volume has the owner of the image's folder


@pytest.mark.parametrize("service", ["ray-head", "ray-worker"])
def test_ray_knows_the_options_of_its_services(service: str) -> None:
    scripts = pytest.importorskip("ray.scripts.scripts")
    word, *options = ON_RAY["services"][service]["command"]
    known = {name for each in scripts.cli.commands[word].params for name in each.opts}
    assert {option.partition("=")[0] for option in options} <= known


def test_ray_is_the_version_that_is_locked() -> None:
    lock = (ROOT / "requirements-ray.lock").read_text(encoding="utf-8")
    locked = re.search(r"^ray==(\S+)", lock, re.MULTILINE)
    assert locked
    chart = YAML(typ="safe").load(ROOT / "deploy" / "helm" / "values.yaml")
    assert chart["ray"]["version"] == locked[1]
    other = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    assert f"\nray=={locked[1]} " in other


def test_the_dockerfile_is_as_hadolint_wants_it() -> None:
    """But for versions of Debian's packages: of each, its mirrors hold the newest alone."""
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    words = [str(hadolint), "--no-color", "--ignore", "DL3008", "deploy/Dockerfile"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (0, ""), told.stdout


def test_its_chroma_is_the_version_that_is_locked() -> None:
    image = COMPOSE["services"]["chroma"]["image"]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = re.search(r"^chromadb==(\S+)", lock, re.MULTILINE)
    assert locked
    assert image == f"chromadb/chroma:{locked[1]}"


def test_a_comment_is_no_step_and_a_long_line_is_one() -> None:
    read = runpy.run_path(str(ROOT / "scripts" / "image"))["read_steps"]
    assert list(read("# a\nRUN one \\\n  two\n\nuser me\n")) == [
        ("RUN", "one    two"),
        ("USER", "me"),
    ]
