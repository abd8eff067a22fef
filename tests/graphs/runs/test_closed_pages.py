"""A page that is closed to the run is not answered from the pages beside it."""

from pathlib import Path

import pytest

from forager.domain.state import Question
from graphs.reports.report import Report
from tests.graphs.worker import opened
from tests.servers import Asked, Reply, Route, Site

ASKED = "What is the annual fee of the Gold membership?"
SILVER = "The annual fee of the Silver membership is 30 EUR."
GOLD = "The annual fee of the Gold membership is 90 EUR."
LOGIN = "<title>Sign in</title><form method=post><input name=u><input type=password name=p></form>"
HOME = """<title>Harbour club</title><p>The club of the harbour.</p>
<a href=/silver>Silver membership</a> <a href=/gold>Gold membership: the annual fee</a>
<a href=/boats>Boats</a>"""


def again(asked: Asked) -> Reply:
    """Redirects for ever; without the cookie it is another address each time."""
    return Reply("", 302, headers={"Location": "/gold", "Set-Cookie": "seen=1"})


def once(asked: Asked) -> Reply:
    """Redirects until its cookie comes back."""
    if "seen=1" in asked.headers.get("cookie", ""):
        return Reply(f"<title>Gold membership</title><p>{GOLD}</p>")
    return again(asked)


def club(gold: Route, robots: str = "") -> Site:
    silver = f"<title>Silver membership</title><p>{SILVER}</p>"
    boats = "<title>Boats</title><p>There are twelve boats in the harbour.</p>"
    return Site(
        {
            "/": HOME,
            "/silver": silver,
            "/boats": boats,
            "/gold": gold,
            "/login": LOGIN,
            "/robots.txt": Reply(robots, kind="text/plain"),
            "/sitemap.xml": Reply("", 404),
        }
    )


async def ask(site: Site, folder: Path, graph: str = "forager") -> Report:
    with site:
        question = Question(text=ASKED, sites=(site.url(),))
        async with opened(folder, str(site.port)) as sessions:
            return await sessions.run(await sessions.start(question, graph, "offline"))


ASKING = """<title>Gold membership</title><h1>Members only</h1>
<p>Please log in to see the annual fee of the Gold membership.</p><a href=/login>Log in</a>"""
PAID = """<title>Gold membership</title><p>The annual fee of the Gold membership has been…</p>
<p>You have read your 3 free articles this month. Subscribe for 1 EUR to keep reading.</p>"""
CHECK = "<title>One moment…</title><h1>One moment…</h1><p>We make sure that you are a person.</p>"
PAGE = f"<title>Gold membership</title><p>{GOLD}</p>"
BOXED = f"<form method=post><input name=u><input type=password name=p></form>{PAGE}"
CLOSED: dict[str, tuple[Route, str, str]] = {
    "robots": (PAGE, "User-agent: *\nDisallow: /gold", "is closed by robots.txt"),
    "401": (Reply("Members only.", 401), "", "asks for a login"),
    "403": (Reply("No.", 403), "", "refuses to be read by programs"),
    "login": (Reply("", 302, headers={"Location": "/login"}), "", "asks for a login"),
    "wall": (LOGIN, "", "asks for a login"),
    "sentence": (ASKING, "", "asks for a login"),
    "both": (ASKING + LOGIN, "", "asks for a login"),
    "check": (CHECK, "", "does not say what the links to it name"),
    "loop": (again, "", "redirects in a loop, although its cookies were kept"),
}


@pytest.mark.parametrize("graph", ["forager", "mango"])
@pytest.mark.parametrize("case", CLOSED)
async def test_what_a_closed_page_says_is_not_answered_from_beside_it(
    case: str, graph: str, tmp_path: Path
) -> None:
    gold, robots, why = CLOSED[case]
    report = await ask(club(gold, robots), tmp_path, graph)
    assert report.status in {"partial", "abstained"}
    assert why in report.reason
    assert "/gold" in report.reason
    assert "Please log in" not in report.answer


@pytest.mark.parametrize("case", ["robots", "403"])
async def test_a_page_that_proves_closed_when_it_is_opened_is_not_answered_from_beside_it(
    case: str, tmp_path: Path
) -> None:
    """A graph without a survey knows it only from the step that failed."""
    gold, robots, why = CLOSED[case]
    site = club(gold, robots)
    site.routes["/"] = HOME.replace("Gold membership: the annual fee", "Gold membership")
    report = await ask(site, tmp_path, "webwalker")
    assert report.status in {"partial", "abstained"}
    assert why in report.reason
    assert "/gold" in report.reason


BAIT = "<p>The Gold membership has an annual fee; the fee of a membership is on its page.</p>"


@pytest.mark.parametrize("case", ["401", "sentence", "read"])
async def test_what_repeats_the_question_does_not_answer_for_a_closed_page(
    case: str, tmp_path: Path
) -> None:
    gold, robots, why = {**CLOSED, "read": (PAID, "", "asks for a login")}[case]
    site = club(gold, robots)
    site.routes["/"] = HOME + BAIT
    report = await ask(site, tmp_path)
    assert report.status in {"partial", "abstained"}
    assert why in report.reason


@pytest.mark.parametrize(
    "there", [Reply("Gone.", 404), Reply("", 500), "<title>Hello</title><p>Who are you?</p>"]
)
async def test_a_redirect_to_a_login_is_closed_whatever_the_login_says(
    there: Route, tmp_path: Path
) -> None:
    site = club(Reply("", 302, headers={"Location": "/user/sign-in?next=%2Fgold"}))
    site.routes["/user/sign-in"] = there
    report = await ask(site, tmp_path)
    assert report.status in {"partial", "abstained"}
    assert f"{site.url('/gold')}) asks for a login" in report.reason


@pytest.mark.parametrize("gold", [Reply("", 404), Reply("", 302, headers={"Location": "/lost"})])
async def test_a_page_that_is_gone_is_not_called_closed(gold: Route, tmp_path: Path) -> None:
    assert "login" not in (await ask(club(gold), tmp_path)).reason


@pytest.mark.parametrize("gold", [PAGE, once, BOXED], ids=["open", "cookie", "login box"])
async def test_a_page_that_opens_answers(gold: Route, tmp_path: Path) -> None:
    report = await ask(club(gold), tmp_path)
    assert (report.status, report.reason) == ("answered", "")
    assert GOLD in report.answer


async def test_a_closed_page_that_is_about_something_else_changes_nothing(tmp_path: Path) -> None:
    site = club(PAGE, "User-agent: *\nDisallow: /boats")
    report = await ask(site, tmp_path)
    assert report.status == "answered"


async def test_a_page_is_told_closed_also_when_the_map_is_used_again(tmp_path: Path) -> None:
    site = club(PAGE, "User-agent: *\nDisallow: /gold")
    with site:
        for _ in range(2):
            question = Question(text=ASKED, sites=(site.url(),))
            async with opened(tmp_path, str(site.port)) as sessions:
                report = await sessions.run(await sessions.start(question, "forager", "offline"))
            assert "is closed by robots.txt" in report.reason
