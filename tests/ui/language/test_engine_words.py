"""What tools, trials, debugging, conditions and imports refuse is told in every language."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forager.conditions.condition import read_condition
from forager.errors import ConditionError, ForagerError
from forager.offline.navigator import NOTHING_LEFT
from forager.settings import Settings
from graphs.exchange.carried_yaml import read_carried
from graphs.exchange.python_reader import read_python
from graphs.experiments.trial import check_questions, choose_graphs, parse_questions
from graphs.sessions.debugging.state_edit import NEEDED_TEXTS
from graphs.spec.fold import fold_nodes, unfold_node
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph
from graphs.system.tool_servers import add_server, remove_server
from nodes.navigator.links import NO_LINK
from nodes.navigator.params import CALL_REFUSED, DRAWN, NOTHING_OPEN
from tests.ui.language.said_texts import ROOT, called
from tests.ui.language.test_catalogues import OTHERS
from ui.language.catalogue import translate_told

ACTING = frozenset({"Action", "_act_on", "Choice", "SiteChoice", "LinkChoice", "last_action"})
WEBWALKER = load_graph("webwalker")
CONDITIONS = (
    "open",
    "open == 0 and rounds",
    "kind == list",
    "1 < open < 4",
    "(open == 0",
    "open == 0)",
    "open == 0 AND rounds == 1",
    "open == 0 rounds",
    "open == 3x",
    f"{'(' * 40}open == 0{')' * 40}",
)
REFUSED: tuple[Callable[[Settings], object], ...] = (
    lambda _: fold_nodes(WEBWALKER, (), "walk"),
    lambda _: fold_nodes(WEBWALKER, ("nobody",), "walk"),
    lambda _: fold_nodes(WEBWALKER, ("act", "aggregate"), "walk"),
    lambda _: fold_nodes(WEBWALKER, ("act",), "judge"),
    lambda _: unfold_node(WEBWALKER, "judge"),
    lambda _: parse_questions("no question"),
    lambda _: check_questions((), {}),
    lambda _: check_questions(parse_questions('{"question": "Who?", "sites": ["ona"]}'), {}),
    lambda settings: choose_graphs(settings, "webwalker", "webwalker"),
    lambda settings: add_server(settings, "a b", command=("run",)),
    lambda settings: add_server(settings, "mine"),
    lambda settings: remove_server(settings, "mine"),
    lambda _: read_carried(b"<svg></svg>"),
    lambda _: read_python("import os", REGISTRY),
    lambda _: read_python("def f(:", REGISTRY),
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Those of an empty data folder."""
    return Settings(data=tmp_path, memory=False)


def refusals(settings: Settings) -> Iterator[ForagerError]:
    """What is said of things that cannot be done."""
    for refused in REFUSED:
        with pytest.raises(ForagerError) as caught:
            refused(settings)
        yield caught.value


@pytest.mark.parametrize("language", OTHERS)
def test_refusals_are_told(language: str, settings: Settings) -> None:
    told = {text for error in refusals(settings) for text in (error.what, error.mend) if text}
    assert [text for text in told if translate_told(language, text) == text] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("text", CONDITIONS)
def test_what_is_wrong_with_a_condition_is_told(language: str, text: str) -> None:
    with pytest.raises(ConditionError) as caught:
        read_condition(text)
    told = [each for each in (caught.value.what, caught.value.mend) if each]
    assert [each for each in told if translate_told(language, each) == each] == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_value_has_to_be_is_told(language: str) -> None:
    texts = {re.sub(r"\{\w+\}", "3", text) for text in NEEDED_TEXTS.values()}
    assert [text for text in texts if translate_told(language, text) == text] == []


def reasons_of_actions() -> Iterator[str]:
    """What the nodes and the rules without a model give as the reason of an action."""
    for path in (*(ROOT / "nodes").rglob("*.py"), *(ROOT / "forager/offline").glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        texts = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            for keyword in call.keywords:
                given = keyword.value
                if keyword.arg == "reason" and called(call) in ACTING:
                    yield from read_text(
                        texts.get(given.id, given) if isinstance(given, ast.Name) else given
                    )


def read_text(node: ast.expr) -> Iterator[str]:
    """A text, with a word in the place of each of its values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield "".join(
            str(each.value) if isinstance(each, ast.Constant) else "lamp" for each in node.values
        )


@pytest.mark.parametrize("language", OTHERS)
def test_why_an_action_is_taken_is_told(language: str) -> None:
    reasons = {each for each in reasons_of_actions() if not each.startswith("open ")}
    assert {"more of the list", "just opened", "a step of a saved path"} & reasons
    named = {DRAWN, NOTHING_OPEN, NO_LINK, CALL_REFUSED, NOTHING_LEFT}
    for reason in reasons | named | {"the budget of pages is spent"}:
        told = translate_told(language, f"done: {reason}")
        assert told not in {f"done: {reason}", translate_told(language, "done: {x}")}, reason
        assert reason not in told


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    "told",
    [
        "127.0.0.1:9 refused the connection. Check that the site is up.",
        "a.test refused the connection over https. Check that the site is up; if it speaks http, "
        "write http://a.test/.",
        "a.test does not speak TLS. Try the address with http://.",
        "http://a.test/ did not answer within 30 s. Try again later or raise "
        "FORAGER_REQUEST_SECONDS.",
        "8 pages answered 404 Not Found.",
    ],
)
def test_why_a_site_could_not_be_read_is_told(language: str, told: str) -> None:
    said = translate_told(language, told)
    assert not set(said.split()) & {"refused", "Check", "does", "did", "answered"}
