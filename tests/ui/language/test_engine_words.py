"""What tools, trials, debugging, conditions and imports refuse is told in every language."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forager.conditions.condition import read_condition
from forager.errors import ConditionError, ForagerError
from forager.settings import Settings
from graphs.exchange.carried_yaml import read_carried
from graphs.exchange.python_reader import read_python
from graphs.experiments.trial import check_questions, choose_graphs, parse_questions
from graphs.sessions.debugging.state_edit import NEEDED_TEXTS
from graphs.spec.fold import fold_nodes, unfold_node
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph
from graphs.system.tool_servers import add_server, remove_server
from tests.ui.language.test_catalogues import OTHERS
from ui.language.catalogue import translate_told

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
