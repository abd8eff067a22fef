"""Finds a Chromium-family browser on this machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from forager.adapters.browser.process.temporary_folders import make_folder

HEADLESS_COMMANDS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without windows: it opens the same pages for a fraction of the processor's time."""
COMMANDS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
APPLICATIONS = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
HEADLESS_BUNDLED = (
    "chromium_headless_shell-*/chrome-linux*/headless_shell",
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell*",
)
BUNDLED = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)


def find_chromium(
    override: Path | None = None,
    *,
    headed: bool = False,
    path: str | None = None,
    bundle: Path | None = None,
) -> Path | None:
    """The browser to drive: `override`, else one of the system, else Playwright's own.

    Unless `headed`, a headless shell comes before a browser that has windows. `path` replaces PATH,
    and `bundle` Playwright's folder of browsers. If `override` cannot be run, the result is None
    rather than another browser.
    """
    if override is not None:
        return override if _is_executable(override) else None
    folder = bundle or playwright_folder()
    shell = None if headed else _find_headless_shell(path, folder)
    return shell or _find_browser(path, folder)


def _find_headless_shell(path: str | None, folder: Path) -> Path | None:
    return _find_command(HEADLESS_COMMANDS, path) or _newest_bundled(folder, HEADLESS_BUNDLED)


def _find_browser(path: str | None, folder: Path) -> Path | None:
    applications = APPLICATIONS if path is None else ()
    application = next((each for each in applications if _is_executable(each)), None)
    return _find_command(COMMANDS, path) or application or _newest_bundled(folder, BUNDLED)


def _find_command(commands: tuple[str, ...], path: str | None) -> Path | None:
    found = (shutil.which(command, path=path) for command in commands)
    return next((Path(each) for each in found if each), None)


def playwright_folder() -> Path:
    """Where `playwright install` puts its browsers."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path.home() / "AppData" / "Local" / "ms-playwright"
    return Path.home() / ".cache" / "ms-playwright"


def browser_version(browser: Path, *, seconds: float = 10.0) -> str | None:
    """The browser's version line; None if it does not start (a library may be missing)."""
    try:
        said = subprocess.run(  # noqa: S603  a fixed argument to a browser of the user's own
            [browser, "--version"], capture_output=True, text=True, timeout=seconds, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip() or browser.name


def browser_opens(browser: Path, *, sandbox: bool, seconds: float = 20.0) -> bool:
    """Can the browser open a blank page headlessly?"""
    flags = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    profile = make_folder()
    flags += [f"--user-data-dir={profile}", *([] if sandbox else ["--no-sandbox"])]
    try:
        said = subprocess.run(  # noqa: S603  fixed arguments to a browser of the user's own
            [browser, *flags, "--dump-dom", "about:blank"],
            capture_output=True,
            timeout=seconds,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    finally:
        shutil.rmtree(profile, ignore_errors=True)
    return b"<html" in said.stdout


def runs_as_root() -> bool:
    """Is this process root's? Chromium has no sandbox for root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def sandbox_attempts(*, root: bool, allowed: bool) -> tuple[bool, ...]:
    """With or without its sandbox: the ways to start the browser, in the order to try them.

    Without one only as `root`, which never has one, and where the setting `no_sandbox` has
    `allowed` it.
    """
    if root:
        return (False,)
    return (True, False) if allowed else (True,)


def _newest_bundled(folder: Path, patterns: tuple[str, ...]) -> Path | None:
    """The browser below `folder` whose folder name has the highest revision."""
    browsers = [each for pattern in patterns for each in folder.glob(pattern)]
    runnable = [each for each in browsers if _is_executable(each)]
    return max(runnable, key=lambda each: _revision_of(each.relative_to(folder)), default=None)


def _revision_of(browser: Path) -> int:
    digits = browser.parts[0].rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0


def _is_executable(file: Path) -> bool:
    return file.is_file() and os.access(file, os.X_OK)
