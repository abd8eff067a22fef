"""Two graphs on the same questions, over HTTP."""

from tests.ui.server.api_client import Caller

QUESTION = "Who built the Skarn lighthouse, and when?"


def test_two_graphs_are_tried(server: Caller, site: str) -> None:
    asked = {"question": QUESTION, "sites": [f"{site}/"], "answer": ["Lindqvist", "1874"]}
    more = {"question": "How high is the Holm lighthouse?", "sites": [f"{site}/"]}
    body = {"graph": "forager", "other": "webwalker", "questions": [asked, more]}
    begun = server.ask("/api/graphs/try", {**body, "budget": {"pages": 5}})
    assert begun.status == 202, begun.body
    file = begun.json()["file"]
    second = server.ask("/api/graphs/try", body)
    assert second.status in {202, 400}
    told = server.ask(f"/api/graphs/try/{file}?wait=60").json()
    assert (told["asked"], told["of"], told["error"]) == (4, 4, "")
    first, other = told["graphs"]
    assert (first["graph"], other["graph"], first["right"]) == ("forager", "webwalker", 1.0)
    assert first["fetched"] == other["fetched"] == 0


def test_what_cannot_be_tried_is_said(server: Caller) -> None:
    same = {"graph": "mango", "other": "mango", "questions": [{"question": "?"}]}
    told = server.ask("/api/graphs/try", same)
    assert (told.status, "are the same graph" in told.json()["error"]) == (400, True)
    none = server.ask("/api/graphs/try", {**same, "other": "forager", "questions": []})
    assert none.status == 400
    assert server.ask("/api/graphs/try/no.jsonl").status == 404
    assert server.ask("/api/graphs/try/..%2Fx.jsonl").status in {400, 404}
