from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.endpoint_features import Manners

REFUSALS = st.sampled_from(
    [
        "Unsupported value: 'temperature' does not support 0 with this model.",
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "Unknown parameter: 'stream_options'.",
        "Streaming is not supported for this model.",
        "registry.ollama.ai/library/m does not support tools",
        "bad request",
    ]
)


@given(st.lists(REFUSALS, min_size=20, max_size=20), st.booleans())
def test_it_gets_humbler_until_nothing_is_left(refusals: list[str], fixed: bool) -> None:
    seen: list[Manners | None] = [Manners()]
    for refusal in refusals:
        if (last := seen[-1]) is not None:
            seen.append(last.humbler(refusal, fixed=fixed))
    assert len(set(seen)) == len(seen)
    if fixed:
        assert {manners.way for manners in seen if manners} == {"schema"}


def test_what_is_named_is_left_out() -> None:
    said = "Unsupported value: 'temperature' does not support 0.0 with this model."
    assert Manners().humbler(said) == Manners(temperature=False)
    assert Manners().humbler("Unknown parameter: 'stream_options'.") == Manners(usage=False)
    assert Manners(usage=False).humbler("no streaming here") == Manners(usage=False, stream=False)


def test_the_limit_has_two_names() -> None:
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    second = Manners().humbler(said)
    assert second == Manners(limit="max_completion_tokens")
    assert second.humbler("Unknown parameter: 'max_completion_tokens'.") == Manners(limit="")


def test_else_it_goes_one_way_down() -> None:
    ways = [Manners()]
    while (next := ways[-1].humbler("bad request")) is not None:
        ways.append(next)
    assert [manners.way for manners in ways] == ["schema", "tool", "text"]
