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

from bench.apps.action_scripts import Deed, scripts
from bench.apps.app import App
from bench.apps.datasette_table import datasette_app
from bench.apps.django_admin import django_admin
from bench.apps.dokuwiki import dokuwiki
from bench.apps.dokuwiki import missing as no_dokuwiki
from bench.apps.fossil import fossil
from bench.apps.fossil import missing as no_fossil
from bench.apps.mediawiki import mediawiki
from bench.apps.mediawiki import missing as no_mediawiki
from bench.apps.roundup_tracker import roundup_tracker
from bench.browser.chromium import chromium
from forager.adapters.browser.actions.action_check import read_action_control
from forager.adapters.browser.tabs import Tabs
from forager.browsing.safety import judge
from forager.errors import WebError

APPS: Final[dict[str, Callable[[Path], AbstractContextManager[App]]]] = {
    "datasette": datasette_app,
    "django": django_admin,
    "dokuwiki": dokuwiki,
    "fossil": fossil,
    "mediawiki": mediawiki,
    "roundup": roundup_tracker,
}
MISSING: Final = {"dokuwiki": no_dokuwiki, "fossil": no_fossil, "mediawiki": no_mediawiki}
HELD_BACK: Final = ("fossil",)
TRIVIAL: Final = frozenset({"type"})
"""Kinds that are told apart, as there are many and none changes anything by itself."""


class Row(NamedTuple):
    """An action, whether it changed something, and what was said of it before and after."""

    app: str
    line: str
    changed: bool
    before: str
    after: str
    fault: str = ""


async def run(apps: Sequence[str], tell: Callable[[str], None]) -> list[Row]:
    """Do the scripts of the applications, each on one started for it. Raises UsageError."""
    rows: list[Row] = []
    async with chromium() as browser:
        for name in apps:
            if missing := MISSING.get(name, str)():
                tell(f"{name} is left out: {missing}")
                continue
            context = await browser.new_context()
            with tempfile.TemporaryDirectory() as folder, APPS[name](Path(folder)) as app:
                async for row in performed(name, scripts()[name], app, context):
                    rows.append(row)
                    tell(line(row))
            await context.close()
    return rows


async def performed(
    name: str, deeds: Iterable[Deed], app: App, context: BrowserContext
) -> AsyncIterator[Row]:
    """Do the deeds one after another; those with `at` are done without being judged."""
    tabs = Tabs(context)
    async with httpx2.AsyncClient(follow_redirects=True, timeout=60) as client:
        for deed in deeds:
            if deed.kind == "at":
                await tabs.open_url(app.root + deed.value)
            else:
                yield await _judged(name, deed, app, tabs, _Witness(app, context, client))
    await tabs.close()


@dataclass(frozen=True)
class _Witness:
    """Knows the server's state."""

    app: App
    context: BrowserContext
    client: httpx2.AsyncClient

    async def state(self) -> tuple[str, bool]:
        """What the application keeps, and whether somebody is logged in."""
        if not self.app.who:
            return self.app.content(), False
        cookies = await self.context.cookies(self.app.root)
        said = "; ".join(f"{each['name']}={each['value']}" for each in cookies)
        self.client.cookies.clear()
        answer = await self.client.get(self.app.who, headers={"Cookie": said} if said else {})
        return self.app.content(), self.app.mark in answer.text


async def _judged(name: str, deed: Deed, app: App, tabs: Tabs, witness: _Witness) -> Row:
    action = deed.action((await tabs.take_snapshot()).tree, app.root)
    if action is None:
        return Row(name, deed.line, False, "", "", "The page has no such element.")
    said = judge.before(await read_action_control(tabs.page, action), action)
    state = await witness.state()
    try:
        done = await tabs.do_action(action)
    except WebError as error:
        return Row(name, deed.line, False, said, "", str(error))
    changed = await witness.state() != state
    shown = (await tabs.take_snapshot()).tree
    return Row(name, deed.line, changed, said, judge.after(done.sent, action, said, shown))


def line(row: Row) -> str:
    """One action as it is told."""
    marks = (("CHANGE" if row.changed else "-"), *("alarm" if each else "-" for each in row[3:5]))
    told = "  ".join(f"{mark:6}" for mark in marks)
    why = row.fault or row.before or row.after
    return f"{row.app:10} {told}  {row.line}" + (f"  [{why}]" if why else "")


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Recall and precision, for all applications and for those held back."""
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
            recall, precision = share(right, changed), share(right, sum(alarms))
            yield f"  {name:6} recall {recall}  precision {precision}"
    if faults := len(rows) - len(done):
        yield f"{faults} actions could not be done."


def share(part: int, whole: int) -> str:
    """A share as it is told."""
    return f"{part / whole:.2f} ({part}/{whole})" if whole else "-"
