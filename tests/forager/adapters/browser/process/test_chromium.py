from pathlib import Path

import pytest

from forager.adapters.browser.process.chromium import browser_version, find_chromium


def program(file: Path, says: str = "Chromium 1.2.3", code: int = 0) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    file.chmod(0o755)
    return file


def test_an_override_comes_first(tmp_path: Path) -> None:
    mine = program(tmp_path / "mine" / "browser")
    program(tmp_path / "bin" / "chromium")
    assert find_chromium(mine, path=str(tmp_path / "bin"), bundle=tmp_path) == mine


def test_an_override_that_cannot_run_is_not_replaced(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium")
    assert find_chromium(tmp_path / "absent", path=str(tmp_path / "bin"), bundle=tmp_path) is None


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome", "chrome"])
def test_a_browser_of_the_system_comes_before_the_bundled_one(tmp_path: Path, name: str) -> None:
    system = program(tmp_path / "bin" / name)
    program(tmp_path / "bundle" / "chromium-9" / "chrome-linux" / "chrome")
    found = find_chromium(path=str(tmp_path / "bin"), bundle=tmp_path / "bundle")
    assert found == system


def test_the_newest_bundled_browser_is_taken(tmp_path: Path) -> None:
    for revision in ("999", "1255", "1100"):
        program(tmp_path / f"chromium-{revision}" / "chrome-linux64" / "chrome")
    program(tmp_path / "firefox-2000" / "firefox" / "firefox")
    found = find_chromium(path="", bundle=tmp_path)
    assert found == tmp_path / "chromium-1255" / "chrome-linux64" / "chrome"


@pytest.mark.parametrize(
    "shell",
    [
        "bin/chromium-headless-shell",
        "bundle/chromium_headless_shell-1000/chrome-linux/headless_shell",
        "bundle/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell",
    ],
)
def test_a_headless_shell_comes_before_a_browser_with_windows(tmp_path: Path, shell: str) -> None:
    browser = program(tmp_path / "bin" / "chromium")
    smaller = program(tmp_path / shell)
    path, bundle = str(tmp_path / "bin"), tmp_path / "bundle"
    assert find_chromium(path=path, bundle=bundle) == smaller
    assert find_chromium(headed=True, path=path, bundle=bundle) == browser


def test_a_headless_shell_shows_no_window(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium-headless-shell")
    assert find_chromium(headed=True, path=str(tmp_path / "bin"), bundle=tmp_path) is None


def test_a_broken_download_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "chromium-1" / "chrome-linux" / "chrome").chmod(0o644)
    assert find_chromium(path="", bundle=tmp_path) is None


def test_no_browser_anywhere(tmp_path: Path) -> None:
    assert find_chromium(path="", bundle=tmp_path / "absent") is None


def test_a_browser_tells_its_version(tmp_path: Path) -> None:
    assert browser_version(program(tmp_path / "chromium")) == "Chromium 1.2.3"


def test_a_browser_that_does_not_start_has_no_version(tmp_path: Path) -> None:
    assert browser_version(program(tmp_path / "chromium", code=127)) is None
    assert browser_version(tmp_path / "absent") is None
