"""What the graph editor tells of nodes, parameters and faults is there in every language."""

import random
from collections.abc import Iterator

import pytest
from pydantic import JsonValue

from graphs.check.checker import find_faults
from graphs.check.finding import Finding
from graphs.sessions.debugging.state_edit import find_faults as find_value_faults
from graphs.spec.diff import compare_specs
from graphs.spec.edit import apply_edit
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec
from tests.graphs.mutations import GOOD, MUTATIONS
from tests.ui.language.test_catalogues import OTHERS
from ui.language.catalogue import translate, translate_told
from ui.web.screens.graphs.forms.node_parameter import LABELS

SEEDS = range(24)


def editor_texts() -> Iterator[str]:
    """The summaries of the node types and the meanings of their parameters."""
    for kind in REGISTRY.values():
        yield kind.summary
        yield from (field.description or "" for field in kind.params.model_fields.values())


def untranslated(texts: set[str], language: str) -> list[str]:
    return sorted(text for text in texts if text and translate_told(language, text) == text)


@pytest.mark.parametrize("language", OTHERS)
def test_node_types_and_parameters_are_explained(language: str) -> None:
    assert untranslated(set(editor_texts()), language) == []


def parameter_names() -> set[str]:
    return {name for kind in REGISTRY.values() for name in kind.params.model_fields}


def test_every_parameter_has_a_label_and_every_label_a_parameter() -> None:
    assert LABELS.keys() == parameter_names()


SAME: dict[str, set[str]] = {"de": {"Browser", "Server", "Tool"}, "zh": set()}
"""Labels that are the same words in the language."""


@pytest.mark.parametrize("language", OTHERS)
def test_labels_of_parameters_are_in_every_language(language: str) -> None:
    same = {text for text in LABELS.values() if translate(language, text, {}) == text}
    assert same == SAME[language]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_the_fields_of_a_node_type_are_told_apart(language: str, name: str) -> None:
    labels = [translate(language, LABELS[each], {}) for each in REGISTRY[name].params.model_fields]
    assert len(set(labels)) == len(labels)


def seeded_findings() -> Iterator[tuple[GraphSpec, Finding]]:
    for mutate in MUTATIONS:
        for seed in SEEDS:
            chance = random.Random(seed)
            bad, _ = mutate(chance.choice(GOOD), chance)
            yield from ((bad, finding) for finding in find_faults(bad, REGISTRY))


@pytest.fixture(scope="module")
def findings() -> list[tuple[GraphSpec, Finding]]:
    return list(seeded_findings())


@pytest.mark.parametrize("language", OTHERS)
def test_findings_and_their_fixes_are_told(
    language: str, findings: list[tuple[GraphSpec, Finding]]
) -> None:
    told = {text for _, each in findings for text in (each.message, each.mend, each.others)}
    labels = {each.fix.label for _, each in findings if each.fix}
    assert untranslated(told | labels, language) == []


@pytest.mark.parametrize("language", OTHERS)
def test_differences_are_told(language: str, findings: list[tuple[GraphSpec, Finding]]) -> None:
    """Of what a fix changes; only values are the same in every language."""
    pairs = [(bad, apply_edit(bad, each.fix)) for bad, each in findings if each.fix]
    told = {each.message for old, new in pairs for each in compare_specs(old, new)}
    assert untranslated({text for text in told if " → " not in text}, language) == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_does_not_fit_in_a_state_is_told(language: str) -> None:
    lesson: dict[str, JsonValue] = {
        "id": "a",
        "round": -1,
        "url": 3,
        "outcome": "none",
        "alpha": "much",
        "beta": None,
        "retired": "perhaps",
    }
    values: dict[str, JsonValue] = {
        "lessons": [lesson, {**lesson, "round": 1.5}, {**lesson, "round": 10**7}, "text"],
        "arms": [{"url": "u", "alpha": 0}],
        "steps": {},
        "proposal": {"round": "first", "action": {"kind": "fly"}},
    }
    told = {each.says for key, value in values.items() for each in find_value_faults(key, value)}
    assert len(told) >= 10
    assert untranslated(told, language) == []
