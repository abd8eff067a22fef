"""The metrics as Prometheus's own parser reads them."""

from prometheus_client.parser import text_string_to_metric_families as parse_metrics

from tests.ui.server.api_client import Caller

QUESTION = "Which engineer built the Skarn lighthouse?"


def figures(server: Caller) -> dict[str, float]:
    answer = server.ask("/api/metrics")
    assert answer.status == 200
    return {
        ":".join([sample.name, *sample.labels.values()]): sample.value
        for family in parse_metrics(answer.body.decode())
        for sample in family.samples
    }


def settled(server: Caller) -> dict[str, float]:
    """The figures once nothing runs: a run is counted just after its session has ended."""
    found = figures(server)
    while found["forager_runs_running"] or found["forager_runs_queued"]:
        found = figures(server)
    return found


def test_runs_and_what_they_spend_are_counted(server: Caller, site: str) -> None:
    before = settled(server)
    asked = {"question": QUESTION, "sites": [site], "session": "counted"}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("counted", "answered")
    after = settled(server)
    assert after["forager_runs_total:answered"] == before.get("forager_runs_total:answered", 0) + 1
    assert after["forager_sessions:answered"] == before.get("forager_sessions:answered", 0) + 1
    spent = server.ask("/api/sessions/counted").json()["spent"]
    for kind in ("pages_fetched", "pages_cached", "model_calls"):
        name = f"forager_{kind}_total"
        assert after[name] - before[name] == spent[kind]
    assert after["forager_run_seconds_total"] > before["forager_run_seconds_total"]
    assert after["forager_dollars_total"] == 0
    assert server.ask("/api/sessions/counted/resume", {}).status == 202
    again = settled(server)
    assert again["forager_runs_total:answered"] == after["forager_runs_total:answered"]


def test_a_run_that_cannot_start_is_an_error(server: Caller) -> None:
    assert server.ask("/api/sessions/nowhere/resume", {}).status == 404
    backend = server.backend
    assert backend
    backend.run("nowhere")
    found = settled(server)
    assert found["forager_run_errors_total:NoSessionError"] == 1
