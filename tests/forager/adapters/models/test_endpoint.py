"""Unsupported features are dropped; requests refused in every form raise errors."""

from pathlib import Path

import pytest

from forager.adapters.models.endpoint_trials import last_fault_of
from forager.errors import AwayError, ModelError
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.errors import body
from tests.endpoint.faults import Fault, Quota, Status, When
from tests.endpoint.limits import NoSchema, NoStreamOptions, NoTools
from tests.endpoint.request import Json
from tests.forager.adapters.models.model_client import ONE, Asking, script_replies
from tests.forager.adapters.models.sample_tasks import RULE, Pick, Picked
from tests.servers import Reply as SiteReply
from tests.servers import Site

PICKED = Picked.model_validate(ONE)
JINJA = Status(500, body("tools param requires --jinja flag", "server_error", code=500))


@pytest.fixture
def endpoint(endpoint: Endpoint) -> Endpoint:
    """An endpoint that always gives the same reply, except for faults."""
    endpoint.script = script_replies(ONE)
    return endpoint


def refused(option: str, message: str) -> Fault:
    """A fault that refuses all requests with an option."""
    fields = body(message, "invalid_request_error", option, "unsupported_parameter")
    return When(lambda asked: option in asked.body, Status(400, fields))


def ways(endpoint: Endpoint) -> list[str]:
    """The structures of the replies that the requests asked for."""
    return [asked.way for asked in endpoint.requests]


async def test_the_schema_is_tried_first(endpoint: Endpoint, asking: Asking) -> None:
    assert await asking.ask(Pick()) == PICKED
    [asked] = endpoint.requests
    assert asked.way == "schema"
    assert asked.body["response_format"]["json_schema"]["strict"] is True
    assert asked.streams
    assert asked.body["stream_options"] == {"include_usage": True}
    assert asked.body["temperature"] == 0
    assert asked.body["max_tokens"] == 2000
    assert asked.model == "scripted"
    assert [message["role"] for message in asked.messages] == ["system", "user"]


@pytest.mark.parametrize("structure", ["schema", "tool", "text"])
async def test_the_user_may_fix_the_structure(
    endpoint: Endpoint, asking: Asking, structure: str
) -> None:
    assert await asking.ask(Pick(), f"openai:m,structure={structure}") == PICKED
    assert ways(endpoint) == [structure]


@pytest.mark.parametrize("server", ["openai", "vllm-flat", "compatible"])
@pytest.mark.filterwarnings("ignore:This model does not support OpenAI's structured output")
async def test_without_schemas_it_calls_a_tool(
    endpoint: Endpoint, asking: Asking, server: str
) -> None:
    endpoint.faults.append(NoSchema(server))  # type: ignore[arg-type]
    assert await asking.ask(Pick()) == PICKED
    assert await asking.ask(Pick()) == PICKED
    assert ways(endpoint) == ["schema", "tool", "tool"]
    assert asking.warned == []


@pytest.mark.parametrize("server", ["ollama", "vllm-flat", "llama.cpp"])
async def test_without_tools_either_it_asks_for_text(
    endpoint: Endpoint, asking: Asking, server: str
) -> None:
    endpoint.faults += [NoSchema("compatible"), NoTools(server)]  # type: ignore[arg-type]
    assert await asking.ask(Pick()) == PICKED
    assert await asking.ask(Pick()) == PICKED
    assert ways(endpoint) == ["schema", "tool", "text", "text"]
    assert asking.warned == []


async def test_a_tool_may_not_be_forced(endpoint: Endpoint, asking: Asking) -> None:
    words = "Invalid tool_choice: {'type': 'function'}"
    no = Status(500, body(words, "server_error", code=500))
    endpoint.faults += [NoSchema("compatible"), When(lambda asked: asked.way == "tool", no)]
    assert await asking.ask(Pick()) == PICKED
    assert ways(endpoint) == ["schema", "tool", "text"]


async def test_without_tools_alone_schemas_are_enough(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults.append(NoTools())
    assert await asking.ask(Pick()) == PICKED
    assert ways(endpoint) == ["schema"]


async def test_a_fixed_structure_is_kept(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults.append(NoTools())
    with pytest.raises(ModelError, match="does not support tools"):
        await asking.ask(Pick(), "openai:m,structure=tool")
    assert ways(endpoint) == ["tool"]


async def test_a_server_error_may_be_temporary(endpoint: Endpoint, asking: Asking) -> None:
    asking.set(model_patience=0.1)
    endpoint.script = script_replies(JINJA)
    with pytest.raises(AwayError, match="requires --jinja"):
        await asking.ask(Pick(), "openai:m,structure=text")


async def test_usage_may_be_unknown(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults.append(NoStreamOptions())
    assert await asking.ask(Pick()) == PICKED
    [call] = asking.meter.calls
    assert call.tokens_in > 100
    assert call.tokens_out > 10
    await asking.ask(Pick())
    assert ["stream_options" in asked.body for asked in endpoint.requests] == [True, False, False]


async def test_missing_usage_is_estimated(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.script = script_replies(Reply(ONE, counted=False))
    await asking.ask(Pick())
    told = asking.meter.calls[0]
    endpoint.script = script_replies(Reply(ONE))
    await asking.ask(Pick(), "openai:m,structure=text")
    counted = asking.meter.calls[0]
    assert told.tokens_in == pytest.approx(counted.tokens_in, rel=0.3)
    assert told.tokens_out == pytest.approx(counted.tokens_out, rel=0.8)


async def test_options_that_are_refused_are_left_out(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults += [
        refused("temperature", "Unsupported value: 'temperature' does not support 0 here."),
        refused("max_tokens", "Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead."),
    ]
    assert await asking.ask(Pick()) == PICKED
    assert await asking.ask(Pick()) == PICKED
    assert len(endpoint.requests) == 4
    last = endpoint.requests[-1].body
    assert "temperature" not in last
    assert "max_tokens" not in last
    assert last["max_completion_tokens"] == 2000
    assert asking.warned == []


async def test_a_server_may_refuse_every_limit_option(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults += [
        refused(name, f"Unknown parameter: '{name}'.")
        for name in ("max_tokens", "max_completion_tokens")
    ]
    assert await asking.ask(Pick()) == PICKED
    assert not {"max_tokens", "max_completion_tokens"} & endpoint.requests[-1].body.keys()


async def test_a_server_may_not_stream(endpoint: Endpoint, asking: Asking) -> None:
    fields = body("Streaming is not supported.", None, "stream")
    endpoint.faults.append(When(lambda asked: asked.streams, Status(400, fields)))
    assert await asking.ask(Pick()) == PICKED
    assert not endpoint.requests[-1].streams
    assert asking.meter.calls[0].tokens_in > 0


async def test_a_request_refused_in_every_form_is_an_error(
    endpoint: Endpoint, asking: Asking
) -> None:
    endpoint.script = script_replies(Status(400, body("The messages are not to my liking.", None)))
    with pytest.raises(ModelError, match="answered 400: The messages are not to my liking"):
        await asking.ask(Pick())
    assert ways(endpoint) == ["schema", "tool", "text"]
    endpoint.script = script_replies(ONE)
    assert await asking.ask(Pick()) == PICKED
    assert endpoint.requests[-1].way == "schema", "the ways were not to blame"


@pytest.mark.parametrize(
    ("fault", "said", "mend"),
    [
        (
            Status(401),
            "answered 401: Incorrect API key provided",
            "Set its key: FORAGER_API_KEY, with FORAGER_BASE_URL=http",
        ),
        (
            Status(403),
            "answered 403: Country, region",
            "Set its key: FORAGER_API_KEY, with FORAGER_BASE_URL=http",
        ),
        (Status(404), "answered 404: The model does not exist", "Check the model's name and the"),
        (Quota(), "answered 429: You exceeded your current quota", "Top up the account"),
        (
            Status(402, body("Insufficient credits.", None, code=402)),
            "answered 402: Insufficient credits",
            "Top up the account",
        ),
        (Status(418, {"detail": "teapot"}), "answered 418: teapot.", "Choose another"),
    ],
)
async def test_lasting_faults_are_raised_at_once(
    endpoint: Endpoint, asking: Asking, fault: Fault, said: str, mend: str
) -> None:
    endpoint.script = script_replies(fault)
    with pytest.raises(ModelError) as raised:
        await asking.ask(Pick())
    assert not isinstance(raised.value, AwayError)
    assert f"openai:scripted at {endpoint.url} {said}" in raised.value.what
    assert raised.value.mend.startswith(mend)
    assert len(endpoint.requests) == 1
    assert asking.warned == []
    assert asking.meter.calls == []


async def test_an_address_without_an_api(endpoint: Endpoint, asking: Asking) -> None:
    asking.url = endpoint.url.removesuffix("/v1")
    with pytest.raises(ModelError, match="answered 404: Unknown request URL") as raised:
        await asking.ask(Pick())
    assert "which ends in /v1" in raised.value.mend


async def test_a_model_without_tools_of_that_name(endpoint: Endpoint, asking: Asking) -> None:
    none = Status(404, body("No endpoints found that support tool use.", None, code=404))
    endpoint.faults += [NoSchema("compatible"), When(lambda asked: asked.way == "tool", none)]
    assert await asking.ask(Pick()) == PICKED
    assert ways(endpoint) == ["schema", "tool", "text"]


@pytest.mark.parametrize("structure", ["schema", "tool", "text"])
async def test_a_stream_may_end_without_a_reason(
    endpoint: Endpoint, asking: Asking, structure: str
) -> None:
    """Some servers omit `finish_reason`; a complete reply is accepted."""
    endpoint.script = script_replies(Reply(ONE, finish=None))  # type: ignore[arg-type]
    assert await asking.ask(Pick(), f"openai:m,structure={structure}") == PICKED
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("structure", ["schema", "tool", "text"])
async def test_a_reply_that_breaks_off_is_asked_again(
    endpoint: Endpoint, asking: Asking, structure: str
) -> None:
    half = Reply('{"choice": 3, "reas', finish=None, as_arguments=True)  # type: ignore[arg-type]
    endpoint.script = script_replies(half, ONE)
    assert await asking.ask(Pick(), f"openai:m,structure={structure}") == PICKED
    assert "the reply was cut off; retrying in" in asking.warned[0]


async def test_a_model_can_be_asked_again_after_it_was_closed(
    endpoint: Endpoint, asking: Asking
) -> None:
    model = asking.model()
    await asking.ask(Pick())
    await model.aclose()
    await model.aclose()
    assert await asking.ask(Pick()) == PICKED


async def test_roles_may_have_models_of_their_own(endpoint: Endpoint, asking: Asking) -> None:
    class Other(Pick):
        """Another role."""

        ROLE = "extractor"

    class Third(Pick):
        """A role without a model."""

        ROLE = "critic"

    line = "openai:large,temperature=0.5 extractor=openai:small,limit=77 critic=offline"
    await asking.ask(Pick(), line)
    await asking.ask(Other(), line)
    assert (await asking.ask(Third(), line)).reason == RULE
    sent: list[Json] = [asked.body for asked in endpoint.requests]
    assert [(each["model"], each["temperature"], each["max_tokens"]) for each in sent] == [
        ("large", 0.5, 2000),
        ("small", 0.5, 77),
    ]
    assert asking.warned == []


async def test_calls_report_what_they_cost(endpoint: Endpoint, asking: Asking) -> None:
    def script(asked: Asked) -> Reply:
        return Reply(ONE)

    endpoint.script = script
    for _ in range(2):
        await asking.ask(Pick(texts=("word " * 100,) * 30, tokens=6000))
    [call] = asking.meter.calls
    assert call.role == "navigator"
    assert call.model == "openai:scripted"
    assert call.tokens_in > call.tokens_cached >= 0
    assert call.tokens_out > 0
    assert call.seconds > 0
    assert asking.meter.model_calls == 1


async def test_a_prompt_goes_nowhere_else(endpoint: Endpoint) -> None:
    target = f"{endpoint.url.replace('127.0.0.1', 'localhost')}/chat/completions"
    moved = SiteReply("", 307, headers={"Location": target})
    with Site({"/v1/chat/completions": moved}) as site:
        asking = Asking(site.url("/v1"))
        with pytest.raises(ModelError, match=r"307: a redirect to localhost.*not sent"):
            await asking.ask(Pick())
        await asking.aclose()
        assert len(site.asked) == 1
    assert endpoint.requests == []


async def test_a_key_that_is_refused_is_kept_as_failed_until_it_works(
    endpoint: Endpoint, asking: Asking, tmp_path: Path
) -> None:
    asking.set(data=tmp_path)
    endpoint.script = script_replies(Status(401))
    with pytest.raises(ModelError):
        await asking.ask(Pick())
    said = last_fault_of(endpoint.url, None, asking.settings)
    assert said.endswith(" needs a key.")
    endpoint.script = script_replies(ONE)
    assert await asking.ask(Pick()) == PICKED
    assert last_fault_of(endpoint.url, None, asking.settings) == ""
