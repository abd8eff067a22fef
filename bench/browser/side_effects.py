"""Recall and precision of predicted side effects, for actions on real applications.

An action has a side effect if it changes the application's content (see
`bench.apps.content_digest`) or who is logged in. `HELD_BACK` names the applications that were not
looked at while the rules were written.
"""

import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import httpx2
from playwright.async_api import BrowserContext

from bench.apps.action_scripts import ScriptedAction, read_scripts
from bench.apps.app import App
from bench.apps.datasette_table import serve_datasette_app
from bench.apps.django_admin import serve_django_admin
from bench.apps.dokuwiki import describe_missing as no_dokuwiki
from bench.apps.dokuwiki import serve_dokuwiki
from bench.apps.fossil import describe_missing as no_fossil
from bench.apps.fossil import serve_fossil
from bench.apps.mediawiki import describe_missing as no_mediawiki
from bench.apps.mediawiki import serve_mediawiki
from bench.apps.roundup_tracker import serve_roundup
from bench.browser.chromium import open_chromium
from forager.adapters.browser.actions.action_check import read_action_control
from forager.adapters.browser.tabs import Tabs
from forager.browsing.safety import judge
from forager.errors import WebError

APPS: Final[dict[str, Callable[[Path], AbstractContextManager[App]]]] = {
    "datasette": serve_datasette_app,
    "django": serve_django_admin,
    "dokuwiki": serve_dokuwiki,
    "fossil": serve_fossil,
    "mediawiki": serve_mediawiki,
    "roundup": serve_roundup,
}
MISSING: Final = {"dokuwiki": no_dokuwiki, "fossil": no_fossil, "mediawiki": no_mediawiki}
HELD_BACK: Final = ("fossil",)
TRIVIAL: Final = frozenset({"type"})
"""Kinds that are counted apart: there are many, and none has a side effect by itself."""


class JudgedAction(NamedTuple):
    """An action, whether it changed anything, and the reasons to predict so before and after it."""

    app: str
    line: str
    changed: bool
    before: str
    after: str
    fault: str = ""


async def run_scripts(apps: Sequence[str], tell: Callable[[str], None]) -> list[JudgedAction]:
    """Run each application's script on a fresh instance. Raises UsageError."""
    rows: list[JudgedAction] = []
    async with open_chromium() as browser:
        for name in apps:
            if missing := MISSING.get(name, str)():
                tell(f"{name} is skipped: {missing}")
                continue
            context = await browser.new_context()
            with tempfile.TemporaryDirectory() as folder, APPS[name](Path(folder)) as app:
                async for row in perform_actions(name, read_scripts()[name], app, context):
                    rows.append(row)
                    tell(action_line(row))
            await context.close()
    return rows


async def perform_actions(
    name: str, actions: Iterable[ScriptedAction], app: App, context: BrowserContext
) -> AsyncIterator[JudgedAction]:
    """Perform the actions in order; `at` lines are performed but not judged."""
    tabs = Tabs(context)
    async with httpx2.AsyncClient(follow_redirects=True, timeout=60) as client:
        for scripted in actions:
            if scripted.kind == "at":
                await tabs.open_url(app.root + scripted.value)
            else:
                yield await _judge_action(
                    name, scripted, app, tabs, _ServerWitness(app, context, client)
                )
    await tabs.close()


@dataclass(frozen=True)
class _ServerWitness:
    """Reads the server's state."""

    app: App
    context: BrowserContext
    client: httpx2.AsyncClient

    async def read_state(self) -> tuple[str, bool]:
        """Return the digest of the content, and whether somebody is logged in."""
        if not self.app.login_url:
            return self.app.content(), False
        cookies = await self.context.cookies(self.app.root)
        header = "; ".join(f"{each['name']}={each['value']}" for each in cookies)
        self.client.cookies.clear()
        answer = await self.client.get(
            self.app.login_url, headers={"Cookie": header} if header else {}
        )
        return self.app.content(), self.app.login_mark in answer.text


async def _judge_action(
    name: str, scripted: ScriptedAction, app: App, tabs: Tabs, witness: _ServerWitness
) -> JudgedAction:
    action = scripted.to_action((await tabs.take_snapshot()).tree, app.root)
    if action is None:
        return JudgedAction(name, scripted.line, False, "", "", "The page has no such element.")
    predicted = judge.expected_side_effect(await read_action_control(tabs.page, action), action)
    state = await witness.read_state()
    try:
        done = await tabs.do_action(action)
    except WebError as error:
        return JudgedAction(name, scripted.line, False, predicted, "", str(error))
    changed = await witness.read_state() != state
    shown = (await tabs.take_snapshot()).tree
    return JudgedAction(
        name,
        scripted.line,
        changed,
        predicted,
        judge.confirmed_side_effect(done.sent, action, predicted, shown),
    )


def action_line(row: JudgedAction) -> str:
    """Format an action as a progress line."""
    marks = (("CHANGE" if row.changed else "-"), *("alarm" if each else "-" for each in row[3:5]))
    verdicts = "  ".join(f"{mark:6}" for mark in marks)
    why = row.fault or row.before or row.after
    return f"{row.app:10} {verdicts}  {row.line}" + (f"  [{why}]" if why else "")


def score_lines(rows: Sequence[JudgedAction]) -> Iterator[str]:
    """Yield recall and precision for all applications, the known ones and those held back."""
    done = [row for row in rows if not row.fault]
    groups = {
        "all": done,
        "known": [row for row in done if row.app not in HELD_BACK],
        "held back": [row for row in done if row.app in HELD_BACK],
    }
    yield ""
    for group, chosen in groups.items():
        typed = sum(row.line.split()[0] in TRIVIAL for row in chosen)
        changed = sum(row.changed for row in chosen)
        yield (f"{group}: {len(chosen)} actions, {typed} only type, {changed} change something")
        for name, alarms in {
            "before": [bool(row.before) for row in chosen],
            "after": [bool(row.after) for row in chosen],
            "both": [bool(row.before and row.after) for row in chosen],
        }.items():
            right = sum(row.changed and alarm for row, alarm in zip(chosen, alarms, strict=True))
            recall, precision = format_share(right, changed), format_share(right, sum(alarms))
            yield f"  {name:6} recall {recall}  precision {precision}"
    if faults := len(rows) - len(done):
        yield f"{faults} actions could not be performed."


def format_share(part: int, whole: int) -> str:
    """Format a share with its counts."""
    return f"{part / whole:.2f} ({part}/{whole})" if whole else "-"
