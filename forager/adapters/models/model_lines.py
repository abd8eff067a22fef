"""Which model each role asks, and how: read from one line of text, the same wherever it stands.

openai:gpt-5-mini
openai:gpt-5,temperature=0.2 extractor=openai:gpt-5-nano,limit=800 critic=offline
openai:llama-3.3,base_url=http://127.0.0.1:8000/v1
"""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.util.suggest import did_you_mean

OFFLINE = "offline"
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
NAME_ADVICE = "Write it as PROVIDER:NAME, such as openai:gpt-5-mini, or offline."

OPENAI_URL = "https://api.openai.com/v1"
KNOWN_URLS = {
    "openai": OPENAI_URL,
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
}
"""Where an OpenAI-compatible provider is served, unless a base URL says otherwise."""

StructureChoice = Literal["auto", "schema", "tool", "text"]


class ModelChoice(Frozen):
    """A model and how it is asked; `limit` is the most tokens a reply may take.

    `structure` is the way to a reply's fields: by JSON Schema, by a tool's arguments, by JSON in
    plain text, or `auto`, the first of these that the endpoint takes.
    """

    name: str = OFFLINE
    base_url: str = ""
    temperature: float = Field(0.0, ge=0, le=2)
    limit: int = Field(2000, ge=1)
    structure: StructureChoice = "auto"

    @property
    def provider(self) -> str:
        """What stands before the colon."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """What stands behind it: the name that the endpoint knows."""
        return self.name.partition(":")[2]


class ModelChoices(Frozen):
    """The model of every role: its own, or the one for all."""

    default: ModelChoice = ModelChoice()
    roles: dict[str, ModelChoice] = Field(default_factory=dict)

    def for_role(self, role: str) -> ModelChoice:
        """The model that a role asks."""
        return self.roles.get(role, self.default)

    def all_choices(self) -> tuple[ModelChoice, ...]:
        """All that are asked, each once."""
        return tuple(dict.fromkeys((self.default, *self.roles.values())))

    def to_line(self) -> str:
        """The line that reads as these choices."""
        words = [_write_choice(self.default, ModelChoice())]
        words += [f"{role}={_write_choice(own, self.default)}" for role, own in self.roles.items()]
        return " ".join(words)


def parse_model_line(text: str, base_url: str = "", roles: Collection[str] = ROLES) -> ModelChoices:
    """The choices of a line. Raises UsageError, with the word that does not fit.

    `base_url` is for the model for all where it names no address, or for the roles' where that one
    is not asked by OpenAI's protocol.
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
    """Does the line name a recording?"""
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
        elif item == OFFLINE or MODEL_NAME.fullmatch(item):
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
    """The choice at an address, if it has none and can have one."""
    if choice.base_url or choice.provider not in KNOWN_URLS:
        return choice
    return choice.model_copy(update={"base_url": base_url})


def _write_choice(choice: ModelChoice, before: ModelChoice) -> str:
    """The name, and the options in which it differs from what stood before it."""
    bare = _with_name(choice.name, before)
    told = {
        key: value
        for key, value in choice.model_dump(exclude={"name"}).items()
        if value != getattr(bare, key)
    }
    return ",".join([choice.name, *(f"{key}={value}" for key, value in told.items())])


def _with_name(name: str, before: ModelChoice) -> ModelChoice:
    """Another model with the same options; another provider has an address of its own."""
    named = before.model_copy(update={"name": name})
    same = named.provider == before.provider
    return named if same else named.model_copy(update={"base_url": ""})
