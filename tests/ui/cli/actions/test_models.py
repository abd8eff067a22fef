"""Questions asked of a language model, from the command line."""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.endpoint import Endpoint
from tests.endpoint.faults import Dead, Malformed, Status, When
from tests.loopback_model import Surveyed, apart, role, roles
from tests.observatory import FOUNDED, GROUND, PAGES, TWO_PAGES
from tests.ui.cli.test_main import one_line
from tests.ui.conftest import Forager
from ui.server.handbook.handbook_site import HOST

FAILED, USAGE, PARTIAL = 1, 2, 3
RESUME = "resume", "one", "--allow-private", HOST


def report(result: Result) -> dict[str, Any]:
    """The one object that `--json` prints."""
    assert "Traceback" not in result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("graph", ["forager", "infogent", "mango", "webwalker"])
def test_a_preset_answers_with_citations(
    ask: Forager, endpoint: Endpoint, observatory: Surveyed, graph: str
) -> None:
    result = ask("--graph", graph, "--json")
    found = report(result)
    assert endpoint.invalid == []
    facts = {GROUND} if graph == "webwalker" else {GROUND, FOUNDED}  # it goes forward only
    assert (found["status"], result.exit_code) == (
        ("partial", PARTIAL) if graph == "webwalker" else ("answered", 0)
    )
    assert all(fact in found["answer"] for fact in facts)
    for item in found["citations"]:
        assert item["quote"] in PAGES[item["url"].removeprefix(observatory.site.url("")) or "/"]
        assert f"[{item['id']}]" in found["answer"]
    assert found["spent"]["model_calls"] == len(endpoint.requests)
    assert found["model"] == f"openai:any,base_url={endpoint.url}"
    check_prefixes(endpoint)


def check_prefixes(endpoint: Endpoint) -> None:
    """What a role is told stays the same: a provider's cache hits what requests begin with."""
    told: defaultdict[str, set[str]] = defaultdict(set)
    for asked in endpoint.requests:
        told[role(asked)].add(asked.system)
    assert set(told) >= {"surveyor", "extractor", "aggregator", "answerer"}
    assert {name: len(systems) for name, systems in told.items()} == dict.fromkeys(told, 1)


def test_each_way_to_ask_for_fields_gives_the_same_answer(ask: Forager, endpoint: Endpoint) -> None:
    reports: list[dict[str, Any]] = []
    for way in ("auto", "tool", "text"):
        endpoint.requests.clear()
        model = f"openai:any,structure={way}"
        reports.append(told(report(ask("--json", "--session", way, "--model", model))))
        assert {asked.way for asked in endpoint.requests} == {way if way != "auto" else "schema"}
    assert endpoint.invalid == []
    assert reports[0] == reports[1] == reports[2]


def told(found: Mapping[str, Any]) -> dict[str, Any]:
    """What a run found out, without what it was called and what it took."""
    return {key: found[key] for key in found if key not in {"session", "model", "spent"}}


def test_each_role_may_have_a_model_of_its_own(ask: Forager, endpoint: Endpoint) -> None:
    models = [
        *("--model", "openai:large,temperature=0.5"),
        *("--model", "extractor=openai:small,limit=900", "--model", "critic=offline"),
    ]
    found = report(ask("--json", *models))
    assert found["status"] == "answered"
    assert "critic" not in roles(endpoint)
    asked = {
        (role(each), each.model, each.body["temperature"], each.body["max_tokens"])
        for each in endpoint.requests
        if role(each) in {"surveyor", "extractor"}
    }
    assert asked == {("surveyor", "large", 0.5, 2000), ("extractor", "small", 0.5, 900)}


def test_one_role_alone_may_have_a_model(ask: Forager, endpoint: Endpoint) -> None:
    found = report(ask("--json", "--model", "answerer=openai:any"))
    assert found["model"] == f"offline answerer=openai:any,base_url={endpoint.url}"
    assert roles(endpoint) == ["answerer"]
    assert found["citations"]


def test_models_may_stand_in_the_environment(
    observed: Forager, endpoint: Endpoint, observatory: Surveyed
) -> None:
    words = ["ask", TWO_PAGES, "--site", observatory.site.url(), "--seed", "7", "--json"]
    env = {"FORAGER_MODEL": "openai:any critic=offline", "FORAGER_BASE_URL": endpoint.url}
    found = report(observed(*words, "--allow-private", HOST, **env))
    assert found["model"] == f"openai:any,base_url={endpoint.url} critic=offline"
    assert {"surveyor", "answerer"} <= set(roles(endpoint))
    assert "critic" not in roles(endpoint)


@pytest.mark.parametrize("own", [False, True])
def test_a_key_goes_to_the_address_that_it_is_set_with_alone(
    forager: Forager, endpoint: Endpoint, observatory: Surveyed, own: bool
) -> None:
    model = f"answerer=openai:any,base_url={endpoint.url}"
    words = ("--site", observatory.site.url(), "--allow-private", HOST, "--model", model)
    keys = {"FORAGER_API_KEY": "sk-ours", "OPENAI_API_KEY": "sk-theirs"}
    forager("ask", TWO_PAGES, *words, **keys, FORAGER_BASE_URL=endpoint.url if own else "")
    sent = {asked.headers["authorization"] for asked in endpoint.requests}
    assert sent == {"Bearer sk-ours" if own else "Bearer none"}


def test_a_model_that_writes_nonsense_is_done_without(ask: Forager, endpoint: Endpoint) -> None:
    endpoint.faults = [When(lambda asked: True, Malformed("I had rather talk of the weather."))]
    result = ask("--json")
    found = report(result)
    assert result.exit_code in {0, PARTIAL}
    assert found["citations"]
    warned = [line for line in result.stderr.splitlines() if "built-in rule" in line]
    assert len(warned) == len(endpoint.requests) / 2
    assert "both of its replies were invalid: There is no JSON object in it" in warned[0]


NO_ENDPOINT = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "critc=openai:any"], "There is no role 'critc'. Did you mean 'critic'?"),
        (["--model", "mistral"], "There is no model 'mistral'. Write it as PROVIDER:NAME"),
        (["--model", "openai:a,temperature=hot"], "temperature of the model is invalid"),
        (["--model", "openai:a,limit=0"], "limit of the model is invalid"),
        (["--model", "openai:a,structure=magic"], "structure of the model is invalid"),
        (["--model", "openai:a,warmth=1"], "There is no model 'warmth=1'"),
        (["--model", "openai:gpt-5-mini", "--base-url", ""], "openai:gpt-5-mini needs a key."),
        (["--model", "nobody:large"], "nobody:large needs the extra `providers`"),
        (["--model", "replay:nowhere"], "No recording in "),
        (["--model", "openai:any", "--budget", "usd=1"], "the price of openai:any is not known"),
        (
            ["--model", "openai:any", "--base-url", "localhost:8000/v1"],
            "is no address. Write it as http",
        ),
        (["--model", "openai:any", "--base-url", "http://me:pw@127.0.0.1/v1"], "FORAGER_API_KEY"),
    ],
)
def test_models_that_cannot_be_asked_are_refused_in_one_line(
    forager: Forager, site: str, words: list[str], said: str
) -> None:
    base = [] if "--base-url" in words else ["--base-url", NO_ENDPOINT]
    result = forager("ask", "Which lighthouse?", "--site", site, *base, *words)
    assert said in one_line(result, USAGE)
    assert forager("sessions").stdout == ""


def test_a_recording_cannot_be_kept_in_a_file(ask: Forager, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert f"Nothing can be recorded in {file}: File exists." in one_line(
        ask("--record", str(file)), USAGE
    )


def test_a_session_goes_on_with_another_model(
    ask: Forager, forager: Forager, endpoint: Endpoint
) -> None:
    endpoint.faults = [When(lambda asked: role(asked) == "critic", Status(401))]
    failed = ask("--session", "one")
    assert failed.exit_code == FAILED
    assert "answered 401: Incorrect API key provided" in failed.stderr.splitlines()[-1]
    endpoint.requests.clear()
    endpoint.faults.clear()
    resumed = forager(*RESUME, "--model", "openai:other,temperature=1", "--base-url", endpoint.url)
    assert resumed.exit_code == 0, resumed.stderr
    assert {asked.model for asked in endpoint.requests} == {"other"}
    assert report(forager("show", "one", "--json"))["model"].startswith("openai:other,")


def test_an_endpoint_that_is_gone_is_told_and_the_session_goes_on_later(
    ask: Forager, forager: Forager, endpoint: Endpoint
) -> None:
    endpoint.faults = [When(lambda asked: role(asked) == "aggregator", Dead(), once=True)]
    failed = ask("--session", "one")
    assert failed.exit_code == FAILED
    assert "There is no answer: the session failed." in failed.stdout
    [line] = [line for line in failed.stderr.splitlines() if line.startswith("Error")]
    assert line.startswith(f"Error: openai:any at {endpoint.url} ")
    assert line.endswith("resume the session when the endpoint is back.")
    endpoint.revive()
    assert forager(*RESUME).exit_code == 0


def test_a_session_goes_on_at_another_address(
    ask: Forager, forager: Forager, endpoint: Endpoint
) -> None:
    endpoint.faults = [When(lambda asked: role(asked) == "aggregator", Status(401))]
    assert ask("--session", "one", "--model", "openai:any,temperature=1").exit_code == FAILED
    with Endpoint(apart) as other:
        resumed = forager(*RESUME, "--base-url", other.url)
        assert resumed.exit_code == 0, resumed.stderr
        assert {(asked.model, asked.body["temperature"]) for asked in other.requests} == {
            ("any", 1)
        }


def test_a_session_that_has_a_model_needs_no_other_to_be_shown(
    ask: Forager, forager: Forager, endpoint: Endpoint
) -> None:
    asked = ask("--session", "one")
    endpoint.die()
    assert forager("resume", "one").stdout == forager("show", "one").stdout == asked.stdout
