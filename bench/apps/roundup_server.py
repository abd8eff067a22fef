"""Serves Roundup's classic tracker: `python -m bench.apps.roundup_server FOLDER`."""

import shutil
import sys
from pathlib import Path

from roundup import instance, password
from roundup.cgi.wsgi_handler import RequestDispatcher

from bench.apps.wsgi_server import LoopbackServer

USER = "admin"
PASSWORD = "lantern-and-log"  # noqa: S105  of a server that runs only during a test
CONFIG = """[main]
admin_email = tracker@example.org
dispatcher_email = tracker@example.org
password_pbkdf2_default_rounds = 1000
[tracker]
web = {root}/
email = tracker@example.org
[mail]
domain = example.org
host = 127.0.0.1
debug = {folder}/mails
[rdbms]
backend = sqlite
"""
ISSUES = 12


def serve_tracker(folder: Path) -> None:
    """Create a tracker in `folder` and serve it until killed."""
    desk, home = LoopbackServer(), folder / "tracker"
    shutil.copytree(Path(sys.prefix) / "share" / "roundup" / "templates" / "classic", home)
    (home / "db").mkdir()
    (home / "db" / "backend_name").write_text("sqlite\n", encoding="ascii")
    config = CONFIG.format(root=desk.root, folder=folder)
    (home / "config.ini").write_text(config, encoding="utf-8")
    tracker = instance.open(str(home))
    tracker.init(password.Password(PASSWORD, config=tracker.config))
    database = tracker.open(USER)
    for number in range(1, ISSUES + 1):
        priority, status = str(number % 5 + 1), str(number % 8 + 1)
        database.issue.create(title=f"Leak {number}", priority=priority, status=status)
    database.commit()
    database.close()
    desk.serve(RequestDispatcher(str(home)))


if __name__ == "__main__":
    serve_tracker(Path(sys.argv[1]))
