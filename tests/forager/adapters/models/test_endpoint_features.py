from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.endpoint_features import EndpointFeatures

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
def test_features_are_dropped_until_none_is_left(refusals: list[str], fixed: bool) -> None:
    seen: list[EndpointFeatures | None] = [EndpointFeatures()]
    for refusal in refusals:
        if (last := seen[-1]) is not None:
            seen.append(last.without_refused(refusal, fixed=fixed))
    assert len(set(seen)) == len(seen)
    if fixed:
        assert {features.structure for features in seen if features} == {"schema"}


def test_the_refused_option_is_dropped() -> None:
    said = "Unsupported value: 'temperature' does not support 0.0 with this model."
    assert EndpointFeatures().without_refused(said) == EndpointFeatures(temperature=False)
    assert EndpointFeatures().without_refused(
        "Unknown parameter: 'stream_options'."
    ) == EndpointFeatures(usage=False)
    assert EndpointFeatures(usage=False).without_refused("no streaming here") == EndpointFeatures(
        usage=False, stream=False
    )


def test_the_limit_has_two_names() -> None:
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    second = EndpointFeatures().without_refused(said)
    assert second == EndpointFeatures(limit="max_completion_tokens")
    assert second.without_refused(
        "Unknown parameter: 'max_completion_tokens'."
    ) == EndpointFeatures(limit="")


def test_otherwise_the_next_structure_is_used() -> None:
    ways = [EndpointFeatures()]
    while (next := ways[-1].without_refused("bad request")) is not None:
        ways.append(next)
    assert [features.structure for features in ways] == ["schema", "tool", "text"]
