"""No test leaves loopback, checkpoints hold only the declared types, and seeds are fixed."""

import errno
import gc
import ipaddress
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from tests.browsers import CHROMIUM, left_open
from tests.postgres import postgres, postgres_server, stored, table_place  # noqa: F401
from tests.ray_cluster import ray_cluster  # noqa: F401

for name in [each for each in os.environ if each.startswith(("FORAGER_", "OPENAI_"))]:
    del os.environ[name]  # the tests' settings are their own
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["OLLAMA_HOST"] = "127.0.0.1:9"  # nor are they answered by a model of this machine
os.environ["FORAGER_MEMORY"] = "false"  # opening Chroma takes a second; tests of it ask for it
SLOW = (
    *("apps/", "attack/", "bench/", "endpoint/", "hostile/", "ui/", "graphs/learning/"),
    *("graphs/runs/", "graphs/runtime/", "graphs/sessions/", "graphs/system/", "graphs/systems/"),
    *("graphs/test_old_data.py", "graphs/reports/test_turns.py", "graphs/test_python_api.py"),
    *("forager/adapters/memory/test_chroma.py", "forager/adapters/memory/test_owner.py"),
    *("forager/adapters/web/crawl/", "forager/adapters/web/read/test_pdf.py"),
)
"""Folders and files whose tests `./run test FAST` leaves out, unless it names them."""
FAST = "not browser and not slow and not fuzz"
BEGUN_WITH = "slow", "browser"
FUZZED = (
    *("attack/", "forager/adapters/web/", "forager/domain/"),
    *("graphs/sessions/test_session_machine.py", "graphs/system/test_cache_machine.py"),
)
"""Where property tests are that `./run fuzz` runs longer: archives, addresses, the page reader, and
the state machines of sessions and of the page cache."""
TESTS = Path(__file__).parent
BESIDE = TESTS.parents[1] / "shared" / "data"
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
settings.register_profile("forager", deadline=None, derandomize=True)
settings.register_profile(
    "fuzz",
    deadline=None,
    derandomize=False,  # `./run fuzz` names the seeds
    database=None,
    max_examples=120,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("forager")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where public files are, whose tests are skipped without; and what `./run test FAST` is."""
    parser.addoption(
        "--question-sets", metavar="FOLDER", help="public files that are not in git, to test on"
    )
    parser.addoption("--fast", action="store_true", help=f"{FAST}; of what is named, all")


def pytest_configure(config: pytest.Config) -> None:
    """The first process chooses for its workers, which would not say what is missing."""
    if hasattr(config, "workerinput"):
        return
    args = config.args if config.args_source is config.ArgsSource.ARGS else []
    named = [config.invocation_params.dir / arg.partition("::")[0] for arg in args]
    refuse_missing(named)
    if config.getoption("--fast"):
        config.option.markexpr = fast_tests(named, config.option.markexpr)


def refuse_missing(named: Sequence[Path]) -> None:
    """Raises UsageError for files and folders that do not exist."""
    if missing := [str(path) for path in named if not path.exists()]:
        raise pytest.UsageError(f"There is no {' and no '.join(missing)}.")


def fast_tests(named: Sequence[Path], marks: str = "") -> str:
    """Which tests `./run test FAST` runs, as `-m` says it: of what is named, all."""
    if named and not any(TESTS.is_relative_to(path.resolve()) for path in named):
        return marks
    return f"({marks}) and {FAST}" if marks else FAST


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Workers do not say why there are no tests."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and not config.option.collectonly:
        said = "There is no such test; `--collect-only -q FILE` lists those of a file."
        terminalreporter.write_line(said, red=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that need a browser are skipped without one; slow and fuzz tests are marked.

    Workers begin with the slow files, so that none is left to a single worker at the end.
    """
    missing = pytest.mark.skip(reason="this machine has no Chromium")
    for item in items:
        if CHROMIUM is None and item.get_closest_marker("browser"):
            item.add_marker(missing)
        if any(f"tests/{place}" in item.path.as_posix() for place in SLOW):
            item.add_marker(pytest.mark.slow)
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False) and any(
            f"tests/{place}" in item.path.as_posix() for place in FUZZED
        ):
            item.add_marker(pytest.mark.fuzz)
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if any(map(item.get_closest_marker, BEGUN_WITH))}
        tests = Counter(item.path for item in items)
        items.sort(key=lambda item: (item.path not in slow, -tests[item.path], item.path))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than processors: tests wait for one another's processes, browsers and servers."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests stay, so nobody looks for garbage among them, neither now nor later."""
    gc.disable()
    try:
        with first_compiles(TESTS / "__pycache__" / "compiled"):
            return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)  # a test leaves little garbage, and looking for it is slow
        gc.enable()


@contextmanager
def first_compiles(compiled: Path) -> Iterator[None]:
    """In a fresh clone, the first process compiles what all import, and the others wait for it."""
    if compiled.exists():
        yield
        return
    compiled.parent.mkdir(exist_ok=True)
    with FileLock(compiled.with_suffix(".lock")) as lock:
        if compiled.exists():
            lock.release()
        yield
        compiled.touch()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test tells what its browser showed."""
    report = yield
    if report.failed:
        report.sections += [("a page left open", shown) for shown in left_open()]
    return report


@pytest.fixture
def public(pytestconfig: pytest.Config) -> Callable[[str], Path]:
    """The path of a public file, named by `--question-sets` or beside the repository."""
    folder = Path(pytestconfig.getoption("--question-sets") or BESIDE)

    def find(name: str) -> Path:
        path = folder / name
        if not path.is_file():
            pytest.skip(f"{name} is not in git; --question-sets names the folder that has it")
        return path

    return find


def _address(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _loopback(host: object) -> bool:
    address = _address(host)
    return address.is_loopback if address else host in {"localhost", b"localhost", "", b"", None}


def _stay_home(event: str, arguments: tuple[object, ...]) -> None:
    """Answers like a machine without a network: no name resolves, no address is reached."""
    if event == "socket.getaddrinfo" and not (_loopback(arguments[0]) or _address(arguments[0])):
        raise socket.gaierror(socket.EAI_NONAME, f"tests resolve no names: {arguments[0]!r}")
    if event in {"socket.connect", "socket.sendto"}:
        address = arguments[1]
        if isinstance(address, tuple) and not _loopback(address[0]):
            raise OSError(errno.ENETUNREACH, f"tests stay on loopback: {address[0]!r}")


sys.addaudithook(_stay_home)
