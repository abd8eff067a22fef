"""Debian's DokuWiki on PHP's built-in server."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from bench.apps.app import App
from bench.apps.content_digest import digest_files
from bench.apps.server_process import run_server

INSTALLED: Final = Path("/usr/share/dokuwiki")
DEFAULTS: Final = Path("/etc/dokuwiki")
USER: Final = "keeper"
PASSWORD: Final = "lantern-and-log"  # noqa: S105  of a server that runs only during a benchmark

PRELOAD: Final = """<?php
define('DOKU_CONF', '{conf}/');
error_reporting(0);
"""
LOCAL: Final = """<?php
$conf['title'] = 'Harbour';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['savedir'] = '{data}';
$conf['subscribers'] = 1;
$conf['updatecheck'] = 0;
$conf['autopasswd'] = 0;
"""
PAGES: Final = {
    "start": "====== Harbour ======\n\nSee [[pilots]] and [[tides]].\n",
    "pilots": "====== Pilots ======\n\nAt the buoy.\n\n===== Rates =====\n\nBy draught.\n",
    "tides": "====== Tides ======\n\nHigh water comes twice a day.\n",
    "moorings": "====== Moorings ======\n\nTwelve of them.\n",
}
FOLDERS: Final = "attic cache index locks log media media_attic media_meta meta pages tmp"
CONTENT: Final = (
    "data/pages/**/*.txt",
    "data/attic/**/*",
    "data/media/**/*",
    "data/meta/**/*.changes",
    "data/meta/**/*.mlist",
    "conf/*",
)


def describe_missing() -> str:
    """Say which packages are missing; empty if none is."""
    there = INSTALLED.exists() and shutil.which("php")
    return "" if there else "DokuWiki and PHP (apt-get install dokuwiki php-cli) are missing."


@contextmanager
def serve_dokuwiki(folder: Path) -> Iterator[App]:
    """Serve a wiki of four pages with one administrator."""
    _install_wiki(folder)
    command = ("php", "-S", "127.0.0.1:0", "-t", folder / "wiki")
    sessions = ("-d", f"session.save_path={folder / 'sessions'}", "-d", "display_errors=0")
    with run_server((*command, *sessions), folder) as root:
        content = partial(digest_files, folder, CONTENT)
        yield App(root, content, login_url=f"{root}/doku.php", login_mark="do=logout")


def _install_wiki(folder: Path) -> None:
    wiki, conf, data = folder / "wiki", folder / "conf", folder / "data"
    shutil.copytree(INSTALLED, wiki)
    shutil.copytree(DEFAULTS, conf, ignore_dangling_symlinks=True)
    for name in FOLDERS.split():
        (data / name).mkdir(parents=True)
    (folder / "sessions").mkdir()
    for name, text in PAGES.items():
        (data / "pages" / f"{name}.txt").write_text(text, encoding="utf-8")
    (wiki / "inc" / "preload.php").write_text(PRELOAD.format(conf=conf), encoding="utf-8")
    (conf / "local.php").write_text(LOCAL.format(data=data), encoding="utf-8")
    (conf / "acl.auth.php").write_text("* @ALL 1\n* @user 16\n", encoding="utf-8")
    hashed = hashlib.sha1(PASSWORD.encode(), usedforsecurity=False).hexdigest()
    user = f"{USER}:{hashed}:Keeper:keeper@example.org:admin,user\n"
    (conf / "users.auth.php").write_text(user, encoding="utf-8")
