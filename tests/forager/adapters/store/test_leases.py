import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from forager.adapters.store.leases import hold_lease, is_held
from forager.errors import SessionError

HOLDER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from forager.adapters.store.leases import hold_lease
with hold_lease(Path(sys.argv[1]), "one"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lease_is_held_once(tmp_path: Path) -> None:
    assert not is_held(tmp_path, "one")
    with hold_lease(tmp_path, "one"):
        assert is_held(tmp_path, "one")
        assert not is_held(tmp_path, "two")
        with (
            pytest.raises(SessionError, match="is running in another process"),
            hold_lease(tmp_path, "one"),
        ):
            pass
    assert not is_held(tmp_path, "one")
    with hold_lease(tmp_path, "one"):
        pass


def test_looks_do_not_meet(tmp_path: Path) -> None:
    with hold_lease(tmp_path, "one"):
        pass
    with ThreadPoolExecutor(4) as threads:
        assert not any(threads.map(lambda _: is_held(tmp_path, "one"), range(400)))


def test_probing_a_lease_creates_no_file(tmp_path: Path) -> None:
    assert not is_held(tmp_path, "one")
    assert [*tmp_path.iterdir()] == []


def test_a_lease_ends_with_its_process(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        assert is_held(tmp_path, "one")
        process.kill()
        process.wait()
    with hold_lease(tmp_path, "one"):
        pass
