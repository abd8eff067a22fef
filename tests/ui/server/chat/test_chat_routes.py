"""Chat completions, asked for by OpenAI's own client and LangChain's over HTTP."""

import threading
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from pydantic import SecretStr

from tests.servers import Asked, Reply, Site
from tests.ui.conftest import PAGES
from tests.ui.server.api_client import Caller
from ui.server.chat.chat_content import MARK

QUESTION = "Which engineer built the Skarn lighthouse?"
FURTHER = "How high is the Holm lighthouse?"


@pytest.fixture(scope="module")
def client(server: Caller) -> Iterator[openai.OpenAI]:
    base = f"http://127.0.0.1:{server.port}/v1"
    with openai.OpenAI(base_url=base, api_key=server.token, max_retries=0) as made:
        yield made


@pytest.fixture(scope="module")
def first(client: openai.OpenAI, site: str) -> ChatCompletion:
    """The answer to the first question of a conversation."""
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": f"Read {site}."},
        {"role": "user", "content": QUESTION},
    ]
    return client.chat.completions.create(model="forager", messages=messages, seed=3)


def extra(found: Any, name: str) -> Any:
    """A member that OpenAI does not have."""
    return found.model_extra[name]


def conversation(*texts: str) -> list[ChatCompletionMessageParam]:
    """Texts of the user and the assistant, in turn."""
    return [
        {"role": "assistant", "content": text} if number % 2 else {"role": "user", "content": text}
        for number, text in enumerate(texts)
    ]


def test_every_graph_is_a_model(client: openai.OpenAI, server: Caller) -> None:
    names = [model.id for model in client.models.list()]
    assert names == [graph["name"] for graph in server.ask("/api/graphs").json()]
    assert client.models.retrieve("mango").owned_by == "forager"
    with pytest.raises(openai.NotFoundError) as refused:
        client.models.retrieve("mangoo")
    assert refused.value.code == "model_not_found"


def test_an_answer_has_its_citations_as_annotations(first: ChatCompletion, site: str) -> None:
    [choice] = first.choices
    assert choice.finish_reason == "stop"
    content, notes = choice.message.content or "", choice.message.annotations or []
    assert "Marta Lindqvist" in content
    assert notes
    for note in notes:
        cited = note.url_citation
        assert cited.url == f"{site}skarn.html"
        mark = content[cited.start_index : cited.end_index]
        assert mark == f"[[1]]({cited.url})"
        assert "Marta Lindqvist" in extra(cited, "quote")
    assert len(MARK.findall(content)) == len(notes)
    assert first.usage is not None
    assert first.usage.total_tokens == 0  # no language model was asked
    assert extra(first, "status") == "answered"


def test_the_next_message_is_a_follow_up_of_the_same_session(
    client: openai.OpenAI, server: Caller, first: ChatCompletion, site: str
) -> None:
    said = first.choices[0].message.content or ""
    further = client.chat.completions.create(
        model="forager", messages=conversation(QUESTION, said, FURTHER)
    )
    assert extra(further, "session") == extra(first, "session")
    assert further.id == f"chatcmpl-{extra(first, 'session')}-2"
    assert "41 metres" in (further.choices[0].message.content or "")
    report = server.ask(f"/api/sessions/{extra(first, 'session')}").json()
    assert [turn["question"] for turn in report["turns"]] == [QUESTION]
    other = client.chat.completions.create(
        model="forager",
        messages=conversation(QUESTION, "It was somebody else.", FURTHER),
        extra_body={"sites": [site]},
    )
    assert extra(other, "session") != extra(first, "session")


def test_a_stream_tells_the_steps_then_the_answer(client: openai.OpenAI, site: str) -> None:
    stream = client.chat.completions.create(
        model="forager",
        messages=conversation(f"{QUESTION} {site}"),
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    steps = [(delta.model_extra or {}).get("reasoning_content", "") for delta in deltas]
    assert any(step.startswith("survey: ") for step in steps)
    content = "".join(delta.content or "" for delta in deltas)
    assert "Marta Lindqvist" in content
    [notes] = [found for delta in deltas if (found := (delta.model_extra or {}).get("annotations"))]
    assert content[notes[0]["url_citation"]["start_index"] :].startswith("[[1]](")
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None
    assert len({chunk.id for chunk in chunks}) == 1


def test_langchain_asks_and_follows_up(server: Caller, site: str) -> None:
    model = ChatOpenAI(
        model_name="forager",
        openai_api_base=f"http://127.0.0.1:{server.port}/v1",
        openai_api_key=SecretStr(server.token),
        max_retries=0,
        extra_body={"sites": [site]},
    )
    asked = HumanMessage("Which engineer built the lighthouse at Skarn?")
    said = model.invoke([asked])
    assert "Marta Lindqvist" in str(said.content)
    pieces = list(model.stream([asked, said, HumanMessage(FURTHER)]))
    assert "41 metres" in "".join(str(piece.content) for piece in pieces)


@pytest.mark.parametrize(
    ("change", "kind", "word"),
    [
        ({"model": "mangoo"}, openai.NotFoundError, "no graph"),
        ({"n": 2}, openai.BadRequestError, "Only one answer"),
        ({"response_format": {"type": "json_object"}}, openai.BadRequestError, "text"),
        ({"messages": [{"role": "assistant", "content": "?"}]}, openai.BadRequestError, "question"),
        ({"messages": []}, openai.UnprocessableEntityError, "messages"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
            openai.BadRequestError,
            "image_url",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused_in_openai_s_shape(
    client: openai.OpenAI, change: dict[str, Any], kind: type[openai.APIStatusError], word: str
) -> None:
    body = {"model": "forager", "messages": conversation("Why?"), **change}
    with pytest.raises(kind) as refused:
        client.post("/chat/completions", body=body, cast_to=object)
    assert refused.value.type == "invalid_request_error"
    assert word in refused.value.message


def test_the_token_is_asked_for(server: Caller) -> None:
    wrong = openai.OpenAI(
        base_url=f"http://127.0.0.1:{server.port}/v1", api_key="wrong", max_retries=0
    )
    with wrong, pytest.raises(openai.AuthenticationError) as refused:
        wrong.models.list()
    assert refused.value.code == "invalid_api_key"


def test_a_run_that_fails_is_an_error(client: openai.OpenAI) -> None:
    body = conversation("Why? http://127.0.0.1:9/")
    with pytest.raises(openai.APIStatusError) as failed:
        client.chat.completions.create(model="forager", messages=body)
    assert failed.value.status_code == 502
    assert failed.value.type == "server_error"
    with pytest.raises(openai.APIError):
        list(client.chat.completions.create(model="forager", messages=body, stream=True))


def test_a_client_that_goes_away_pauses_the_session(client: openai.OpenAI, server: Caller) -> None:
    wanted, let_go = threading.Event(), threading.Event()

    def hold(asked: Asked) -> Reply:
        wanted.set()
        let_go.wait(30)
        return Reply(PAGES["/skarn.html"])

    with Site({**PAGES, "/skarn.html": hold}) as held:
        stream = client.chat.completions.create(
            model="forager", messages=conversation(f"{QUESTION} {held.url()}"), stream=True
        )
        id = next(iter(stream)).id.removeprefix("chatcmpl-").removesuffix("-1")
        assert wanted.wait(30)
        stream.close()
        let_go.set()
        assert server.seen(id, "paused", "answered")["session"]
        assert server.ask(f"/api/sessions/{id}").json()["status"] == "paused"
