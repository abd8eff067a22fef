"""Debian's MediaWiki with SQLite on PHP's built-in server."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from bench.apps.app import App
from bench.apps.content_digest import digest_tables
from bench.apps.server_process import run_server
from forager.errors import UsageError

INSTALLED: Final = Path("/usr/share/mediawiki")
USER: Final = "Keeper"
PASSWORD: Final = "lantern-and-log-12"  # noqa: S105  of a server that runs only during a benchmark
SETTINGS: Final = """
$wgServer = 'http://' . ( $_SERVER['HTTP_HOST'] ?? '127.0.0.1' );
$wgSessionCacheType = CACHE_DB;
$wgMainCacheType = CACHE_NONE;
$wgEnableUploads = false;
$wgJobRunRate = 0;
"""
PREPEND: Final = "<?php define('MW_CONFIG_FILE', '{settings}'); error_reporting(0);\n"
BLIND: Final = ("page_touched", "user_touched", "page_links_updated", "wl_notificationtimestamp")
CACHES: Final = ("objectcache", "l10n_cache", "module_deps", "querycache", "querycache_info", "job")
DERIVED: Final = ("pagelinks", "externallinks", "categorylinks", "templatelinks", "page_props")
WITHOUT: Final = (*CACHES, *DERIVED, "site_stats", "searchindex", "updatelog", "recentchanges")


def describe_missing() -> str:
    """Say which packages are missing; empty if none is."""
    there = INSTALLED.exists() and shutil.which("php")
    return "" if there else "MediaWiki and PHP (apt-get install mediawiki php-sqlite3) are missing."


@contextmanager
def serve_mediawiki(folder: Path) -> Iterator[App]:
    """Serve a wiki of one page with one administrator."""
    _install_wiki(folder)
    settings, prepend = folder / "LocalSettings.php", folder / "prepend.php"
    with settings.open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    prepend.write_text(PREPEND.format(settings=settings), encoding="utf-8")
    command = ("php", "-S", "127.0.0.1:0", "-t", INSTALLED, "-d", f"auto_prepend_file={prepend}")
    sessions = ("-d", f"session.save_path={folder}", "-d", "display_errors=0")
    with run_server((*command, *sessions), folder) as root:
        content = partial(
            digest_tables, folder / "data" / "harbour.sqlite", without=WITHOUT, blind=BLIND
        )
        yield App(
            root,
            content,
            login_url=f"{root}/api.php?action=query&meta=userinfo&format=json",
            login_mark=f'"name":"{USER}"',
        )


def _install_wiki(folder: Path) -> None:
    script = INSTALLED / "maintenance" / "install.php"
    options = {"dbtype": "sqlite", "dbname": "harbour", "dbpath": folder / "data"}
    options |= {"confpath": folder, "pass": PASSWORD, "server": "http://127.0.0.1"}
    words = [f"--{name}={value}" for name, value in options.items()]
    command = ["php", str(script), *words, "--scriptpath=", "Harbour", USER]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if ended.returncode:
        raise UsageError(f"MediaWiki could not be installed: {ended.stdout[-400:]}")
