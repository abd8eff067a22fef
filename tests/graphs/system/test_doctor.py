from importlib.metadata import version
from pathlib import Path

import pytest

from forager.settings import Settings, environment_proxies
from graphs.system.doctor import (
    ROOT,
    check_browser,
    check_embedder,
    check_folder,
    check_model,
    check_packages,
    check_sqlite,
    run_checks,
)
from tests.browsers import needs_browser


def test_every_check_reports_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in environment_proxies():
        monkeypatch.delenv(name)
    checks = run_checks(Settings(data=tmp_path, embedding_url="http://127.0.0.1:9/v1"))
    assert [check.name for check in checks] == [
        "Python",
        "Packages",
        "Data folder",
        "Stored data",
        "SQLite",
        "Browser",
        "Embedder",
        "Language model",
        "Web search",
        "Memory",
    ]
    assert all(check.found for check in checks)
    assert all(check.mend for check in checks if check.state == "missing")


def test_proxies_of_the_environment_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://kim:correct-horse@proxy.example:3128")
    [check] = [each for each in run_checks(Settings(data=tmp_path)) if each.name == "Proxy"]
    assert (check.state, check.found) == ("off", "HTTPS_PROXY in the environment, not used")
    assert "FORAGER_PROXY" in check.mend
    monkeypatch.setenv("FORAGER_PROXY", "http://kim:correct-horse@proxy.example:3128")
    [check] = [each for each in run_checks(Settings(data=tmp_path)) if each.name == "Proxy"]
    assert check.state == "ok"
    assert check.found.startswith("proxy.example for language models")


def test_this_environment_is_as_locked() -> None:
    check = check_packages(ROOT / "requirements.lock")
    assert check.state == "ok", check.found


def test_a_package_of_another_version_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(
        "absent-package==1 \\\n    --hash=sha256:0\n"
        f"pytest=={version('pytest')} \\\n    --hash=sha256:0\n"
        "pydantic==0.1 \\\n    --hash=sha256:0\n"
        "colorama==0.1 ; sys_platform == 'nowhere' \\\n    --hash=sha256:0\n"
    )
    check = check_packages(lock)
    assert check.state == "missing"
    assert check.found == "2 of 3 are not as locked: absent-package, pydantic"


def test_without_a_lock_there_is_nothing_to_compare(tmp_path: Path) -> None:
    assert check_packages(tmp_path / "requirements.lock").state == "off"


def test_the_data_folder_is_made(tmp_path: Path) -> None:
    check = check_folder(tmp_path / "new" / "data")
    assert check.state == "ok"
    assert list((tmp_path / "new" / "data").iterdir()) == []


def test_a_data_folder_that_cannot_be_written_is_missing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    check = check_folder(tmp_path / "file" / "data")
    assert check.state == "missing"
    assert "FORAGER_DATA" in check.mend


def test_sqlite_has_full_text_search() -> None:
    assert check_sqlite().state == "ok"


def test_a_named_browser_that_does_not_exist_is_missing(tmp_path: Path) -> None:
    check = check_browser(tmp_path / "absent")
    assert check.state == "missing"
    assert str(tmp_path / "absent") in check.found


def test_a_browser_that_does_not_start_is_missing(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    check = check_browser(broken)
    assert (check.state, check.found) == ("missing", f"{broken} does not start")


def test_a_browser_that_opens_no_page_is_missing(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1\n')
    broken.chmod(0o755)
    check = check_browser(broken)
    assert (check.state, check.found) == ("missing", f"Chromium 1 at {broken} opens no page")


@pytest.mark.parametrize(
    ("root", "allowed", "state"),
    [(False, False, "missing"), (False, True, "ok"), (True, False, "ok")],
)
def test_a_browser_whose_sandbox_cannot_start_is_missing_unless_it_may_go_without(
    tmp_path: Path, root: bool, allowed: bool, state: str
) -> None:
    bare = tmp_path / "chromium"
    bare.write_text(
        '#!/bin/sh\ncase "$*" in --version) echo Chromium 1;; '
        "*--no-sandbox*) echo '<html></html>';; *) exit 1;; esac\n"
    )
    bare.chmod(0o755)
    check = check_browser(bare, no_sandbox=allowed, root=root)
    assert check.state == state
    assert ("FORAGER_NO_SANDBOX" in check.mend) == (state == "missing")


@needs_browser
def test_the_browser_opens_a_page() -> None:
    assert check_browser(None).state == "ok"


def test_the_packaged_weights_are_the_pinned_ones(tmp_path: Path) -> None:
    check = check_embedder(Settings(data=tmp_path))
    assert check.state == "ok", check.found


def test_an_endpoint_is_named_and_not_asked(tmp_path: Path) -> None:
    check = check_embedder(Settings(data=tmp_path, embedding_url="http://127.0.0.1:9/v1"))
    assert check.state == "ok"
    assert "127.0.0.1:9" in check.found


def test_offline_is_a_choice() -> None:
    assert check_model(Settings(model=None)).state == "off"
    assert check_model(Settings(model="offline")).state == "off"


def test_a_model_without_a_key_is_missing() -> None:
    check = check_model(Settings(model="openai:gpt"))
    assert check.state == "missing"
    assert "OPENAI_API_KEY" in check.mend
    assert check_model(Settings(model="opnai")).state == "missing"


def test_a_usable_model_is_named() -> None:
    check = check_model(Settings(model="openai:gpt", base_url="http://127.0.0.1:9/v1"))
    assert check.state == "ok"
    assert "openai:gpt" in check.found
