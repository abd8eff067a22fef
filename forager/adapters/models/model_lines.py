"""The model of each role, parsed from one line of text.

openai:gpt-5-mini
openai:gpt-5,temperature=0.2 extractor=openai:gpt-5-nano,limit=800 critic=offline
openai:llama-3.3,base_url=http://127.0.0.1:8000/v1
"""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from forager import ports
from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.util.suggest import did_you_mean

OFFLINE = ports.OFFLINE
AUTO = "auto"
"""In a model line: what is found on this machine (`local/found_models.py`)."""
REPLAY_PREFIX = "replay:"
ROLES = (
    "interpreter",
    "surveyor",
    "navigator",
    "rater",
    "refiner",
    "extractor",
    "aggregator",
    "critic",
    "reflector",
    "answerer",
)
MODEL_NAME = re.compile(r"[A-Za-z][\w-]*:\S+")
URL = re.compile(r"https?://", re.IGNORECASE)
ADDRESS_ADVICE = (
    "Save it in Settings, under Models, as the address of an endpoint; then choose one of its "
    "models, such as openai:NAME."
)
NAME_ADVICE = "Write it as PROVIDER:NAME, such as openai:gpt-5-mini, or auto, or offline."

OPENAI_URL = "https://api.openai.com/v1"
KNOWN_URLS = {
    "openai": OPENAI_URL,
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
}
"""The default base URLs of OpenAI-compatible providers."""

StructureChoice = Literal["auto", "schema", "tool", "text"]
ProfileChoice = Literal["large", "small"]


class ModelChoice(Frozen):
    """A model and its options; `limit` is the largest number of tokens of a reply.

    `structure` is how replies are structured: by JSON Schema, by the arguments of a tool, by JSON
    in plain text, or `auto`, the first of these that the endpoint supports. A `small` model is
    asked only what such models do well (`Task.small_task`); rules do the rest.
    """

    name: str = OFFLINE
    base_url: str = ""
    temperature: float = Field(0.0, ge=0, le=2)
    limit: int = Field(2000, ge=1)
    structure: StructureChoice = "auto"
    profile: ProfileChoice = "large"

    @property
    def provider(self) -> str:
        """The part before the colon."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """The part after the colon: the endpoint's name for the model."""
        return self.name.partition(":")[2]


class ModelChoices(Frozen):
    """The model of each role: its own in `roles`, or the default."""

    default: ModelChoice = ModelChoice()
    roles: dict[str, ModelChoice] = Field(default_factory=dict)

    def for_role(self, role: str) -> ModelChoice:
        """The model of a role."""
        return self.roles.get(role, self.default)

    def all_choices(self) -> tuple[ModelChoice, ...]:
        """All distinct models."""
        return tuple(dict.fromkeys((self.default, *self.roles.values())))

    def to_line(self) -> str:
        """Write the line that parses to these choices."""
        words = [_write_choice(self.default, ModelChoice())]
        words += [f"{role}={_write_choice(own, self.default)}" for role, own in self.roles.items()]
        return " ".join(words)


def parse_model_line(text: str, base_url: str = "", roles: Collection[str] = ROLES) -> ModelChoices:
    """Parse a model line. Raises UsageError that names the invalid word.

    `base_url` is for the default model if it has none, or for the models of roles if the default
    model does not use OpenAI's protocol.
    """
    default = ModelChoice()
    own: list[tuple[str, str]] = []
    for word in text.split():
        role, equals, rest = word.partition("=")
        if equals and role.isidentifier() and role not in ModelChoice.model_fields:
            if role not in roles:
                raise UsageError(f"There is no role {role!r}.", did_you_mean(role, roles))
            own.append((role, rest))
        else:
            default = _parse_choice(word, default)
    default = _with_base_url(default, base_url)
    left = "" if default.provider in KNOWN_URLS else base_url
    return ModelChoices(
        default=default,
        roles={role: _with_base_url(_parse_choice(rest, default), left) for role, rest in own},
    )


def is_replay(text: str) -> bool:
    """Does a model line name a recording?"""
    return text.startswith(REPLAY_PREFIX)


def recording_folder(line: str) -> Path | None:
    """The folder of the recording that a model line names; None for any other line."""
    return Path(line.removeprefix(REPLAY_PREFIX)).absolute() if is_replay(line) else None


def _parse_choice(word: str, before: ModelChoice) -> ModelChoice:
    values: dict[str, Any] = before.model_dump()
    for item in word.split(","):
        key, equals, value = item.partition("=")
        if equals and key in ModelChoice.model_fields:
            values[key] = value
        elif URL.match(item):
            raise UsageError(f"{item!r} is an address, not a model.", ADDRESS_ADVICE)
        elif item in (OFFLINE, AUTO) or MODEL_NAME.fullmatch(item):
            named = _with_name(item, before)
            values |= {"name": named.name, "base_url": named.base_url}
        else:
            raise UsageError(f"There is no model {item!r}.", NAME_ADVICE)
    try:
        return ModelChoice.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        raise UsageError(
            f"{fault['loc'][0]} of the model is invalid: {fault['msg']}.", f"Correct {word}."
        ) from error


def _with_base_url(choice: ModelChoice, base_url: str) -> ModelChoice:
    """The choice with a base URL, if it has none and can have one."""
    if choice.base_url or choice.provider not in KNOWN_URLS:
        return choice
    return choice.model_copy(update={"base_url": base_url})


def _write_choice(choice: ModelChoice, before: ModelChoice) -> str:
    """Write a choice: its name, and the options that differ from `before`."""
    bare = _with_name(choice.name, before)
    changed = {
        key: value
        for key, value in choice.model_dump(exclude={"name"}).items()
        if value != getattr(bare, key)
    }
    return ",".join([choice.name, *(f"{key}={value}" for key, value in changed.items())])


def _with_name(name: str, before: ModelChoice) -> ModelChoice:
    """Another model with the same options; another provider does not keep the base URL."""
    named = before.model_copy(update={"name": name})
    same = named.provider == before.provider
    return named if same else named.model_copy(update={"base_url": ""})
