"""How often a capable model is asked on the default graph."""

from pathlib import Path

import pytest

from bench.prompt_sections import prompt_sections
from graphs.spec.spec import GraphSpec, load_graph
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.reader import ENTRY, overlap
from tests.endpoint.request import said
from tests.loopback_model import Surveyed, apart, role, roles
from tests.observatory import FOUNDED, GROUND, TICKETS

ENOUGH = 0.5
ONE_FACT = "Admission costs how many crowns for children?"


def judges(asked: Asked) -> Reply:
    """Reads, and tells with what it copies or edits which parts are answered outright."""
    honest = apart(asked).said
    assert isinstance(honest, dict)
    prompt = prompt_sections(said(asked.messages[1]))
    if role(asked) == "extractor" and "`answers`" in asked.system:
        parts = dict(line[2:].split(": ", 1) for line in prompt["Parts"].splitlines())
        for each in honest["passages"]:
            told = overlap(parts[each["part"]], each["quote"]) >= ENOUGH
            each |= {"answers": [each["part"]] if told else []}
            if "Ledger" in prompt:
                each |= {"agrees": [], "against": [], "replaces": []}
    if role(asked) == "aggregator" and "`covered`" in asked.system:
        parts = dict(line[2:].split(": ", 1) for line in prompt["Parts"].splitlines())
        quotes = ENTRY.findall(f"{prompt['Ledger']}\n{prompt['New passages']}")
        strong = {
            part: [id for id, text in quotes if overlap(ask, text) >= ENOUGH]
            for part, ask in parts.items()
        }
        honest["covered"] = [{"part": part, "quotes": ids} for part, ids in strong.items() if ids]
    return Reply(honest)


def changed(**params: bool) -> GraphSpec:
    """The default graph with other parameters of some nodes, given as node__name=value."""
    spec = load_graph("forager")
    nodes = dict(spec.nodes)
    for key, value in params.items():
        name, _, param = key.partition("__")
        node = nodes[name]
        nodes[name] = node.model_copy(update={"params": {**node.params, param: value}})
    return spec.model_copy(update={"nodes": nodes})


async def test_a_question_for_one_fact_takes_three_calls(
    observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = judges
    report = await observatory.asking(tmp_path / "d", endpoint).ask(text=ONE_FACT)
    assert report.status == "answered"
    assert any(TICKETS in each.quote for each in report.citations)
    assert roles(endpoint) == ["surveyor", "extractor", "answerer"]


async def test_a_question_for_two_pages_reads_both_before_the_verdict(
    observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = judges
    report = await observatory.asking(tmp_path / "d", endpoint).ask()
    assert report.status == "answered"
    quotes = [each.quote for each in report.citations]
    for fact in (FOUNDED, GROUND):
        assert any(fact in quote for quote in quotes)
    assert roles(endpoint) == ["surveyor", "extractor", "extractor", "answerer"]


@pytest.mark.parametrize(
    ("params", "asked"),
    [
        ({"extract__joint": False}, ["extractor", "aggregator"]),
        ({"judge__gate": True}, ["extractor", "critic"]),
        (
            {"extract__joint": False, "aggregate__judges": False},
            ["extractor", "aggregator", "critic"],
        ),
    ],
)
async def test_reading_editing_and_judging_may_be_calls_of_their_own(
    observatory: Surveyed,
    endpoint: Endpoint,
    tmp_path: Path,
    params: dict[str, bool],
    asked: list[str],
) -> None:
    endpoint.script = judges
    asking = observatory.asking(tmp_path / "d", endpoint)
    report = await asking.ask(changed(**params), text=ONE_FACT)
    assert report.status == "answered"
    assert roles(endpoint) == ["surveyor", *asked, "answerer"]


@pytest.mark.parametrize("graph", ["mango", "abreast", "infogent"])
async def test_no_page_is_looked_for_once_the_aggregator_has_closed_everything(
    observatory: Surveyed, endpoint: Endpoint, tmp_path: Path, graph: str
) -> None:
    endpoint.script = judges
    report = await observatory.asking(tmp_path / "d", endpoint).ask(load_graph(graph))
    assert report.status == "answered"
    asked = [prompt_sections(said(each.messages[1])) for each in endpoint.requests]
    assert [prompt["Still open"] for prompt in asked if "Still open" in prompt] != []
    assert all(prompt.get("Still open") != "none" for prompt in asked)
    last = {"mango": "aggregator", "abreast": "critic", "infogent": "aggregator"}[graph]
    assert roles(endpoint)[-2:] == [last, "answerer"]
