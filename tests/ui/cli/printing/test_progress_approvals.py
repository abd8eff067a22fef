"""What a run asks is asked on the terminal, and refused where there is none."""

import asyncio
import io
import os
import pty
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TextIO

import pytest
from rich.console import Console

from forager.adapters.store.recipe_store import Recipes
from forager.adapters.store.sessions.session_store import Event
from forager.domain.actions import Action
from forager.domain.approvals import ApprovalRequest
from forager.domain.experience import Recipe
from forager.settings import Settings
from tests.ui.conftest import Forager
from ui.cli.actions.session_run import resume_command
from ui.cli.printing.progress import NO_TERMINAL, ApprovalPrompt, RunProgress

SAVE = ApprovalRequest(
    kind="approve", what="click “Save”\x1b[2J", why="The form posts.", url="http://site/edit"
)
GATE = ApprovalRequest(kind="take over", what="A CAPTCHA stands here.", url="http://site/")


class Terminal:
    """A terminal that types, and what was shown on it."""

    def __init__(self) -> None:
        self._keys, line = pty.openpty()
        self.source: TextIO = os.fdopen(line, encoding="utf-8")
        self.shown = io.StringIO()
        self.progress = RunProgress(Console(file=self.shown, force_terminal=True, width=80))

    def type(self, text: str) -> None:
        os.write(self._keys, text.encode())

    def close(self) -> None:
        self.source.close()
        os.close(self._keys)

    def approving(self, *, approve_all: bool = False, headed: bool = False) -> ApprovalPrompt:
        return ApprovalPrompt(
            self.progress, approve_all=approve_all, headed=headed, source=self.source
        )


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("what?\ny\n", True)],
)
async def test_an_action_is_approved_by_a_y(terminal: Terminal, typed: str, answer: bool) -> None:
    terminal.type(typed)
    with terminal.progress:
        assert await terminal.approving()(SAVE) is answer
    shown = terminal.shown.getvalue()
    assert "click “Save”" in shown
    assert "The form posts." in shown
    assert "http://site/edit" in shown
    assert "\x1b[2J" not in shown


async def test_an_end_of_input_is_a_no(terminal: Terminal) -> None:
    terminal.type("\x04")
    assert not await terminal.approving()(SAVE)


async def test_a_gate_is_passed_in_a_browser_that_is_shown(terminal: Terminal) -> None:
    terminal.type("\n")
    assert await terminal.approving(headed=True)(GATE)
    terminal.type("n\n")
    assert not await terminal.approving(headed=True)(GATE)
    assert not await terminal.approving(approve_all=True)(GATE)
    assert NO_TERMINAL["take over"].split("; ")[0] in terminal.shown.getvalue()


async def test_a_question_can_be_left(terminal: Terminal) -> None:
    asking = asyncio.ensure_future(terminal.approving()(SAVE))
    async with asyncio.timeout(60):
        while "Approve?" not in terminal.shown.getvalue():
            await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_without_a_terminal_everything_is_refused_and_that_is_said_once() -> None:
    shown = io.StringIO()
    progress = RunProgress(Console(file=shown, width=200))
    approving = ApprovalPrompt(progress, approve_all=False, headed=True, source=io.StringIO("y\n"))
    assert not await approving(SAVE)
    assert not await approving(SAVE)
    assert not await approving(GATE)
    assert shown.getvalue().splitlines() == [NO_TERMINAL["approve"], NO_TERMINAL["take over"]]


@pytest.mark.parametrize(
    ("node", "line"), [("", "Not approved: Click it."), ("act", "act: Not approved: Click it.")]
)
def test_a_line_of_no_node_begins_with_its_message(node: str, line: str) -> None:
    shown = io.StringIO()
    message = "Not approved: Click it."
    told = Event(session="s", seq=1, time=0.0, node=node, kind="decided", message=message, data={})
    RunProgress(Console(file=shown, width=200))(told)
    assert shown.getvalue() == f"{line}\n"


async def test_the_brave_are_not_asked() -> None:
    progress = RunProgress(Console(file=io.StringIO()))
    approving = ApprovalPrompt(progress, approve_all=True, headed=False, source=io.StringIO())
    assert await approving(SAVE)
    assert not await approving(GATE)


def test_to_go_on_is_to_go_on_as_it_was() -> None:
    settings = Settings(headed=True, secrets=Path("my secrets.yaml"), allow_private=("h",))
    line = "forager resume one --allow-private h --headed --secrets 'my secrets.yaml'"
    assert resume_command(settings, "one") == line


def test_recipes_are_listed_and_forgotten(forager: Forager, tmp_path: Path) -> None:
    assert forager("recipes", "list").stdout == ""
    with closing(Recipes(tmp_path / "data" / "recipes.sqlite")) as recipes:
        action = Action(kind="goto", target="http://site/")
        recipe = Recipe(question="Who\nasked?", site="http://site/", actions=(action,))
        asyncio.run(recipes.keep(recipe))
    number, _, site, question = forager("recipes", "list").stdout.rstrip().split("\t")
    assert (site, question) == ("http://site/", "Who asked?")
    assert forager("recipes", "delete", number).exit_code == 0
    gone = forager("recipes", "delete", number)
    assert gone.exit_code == 2
    assert "There is no recipe" in gone.stderr
