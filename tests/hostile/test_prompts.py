"""What every role is shown of a page that attacks: through real requests, as a model reads them."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from forager.adapters.models.chat_model import compose_request
from forager.adapters.models.prompt import draw_tag, render_prompt
from forager.domain.spend import Budget
from forager.ports import Task
from forager.prompts.token_count import count_tokens
from forager.settings import Settings
from graphs.runtime.composition import Models
from graphs.sessions.model_choice import settle_models
from nodes.reflector import Reflect
from tests.endpoint import Asked, Endpoint
from tests.fakes import FakeEmbedder
from tests.hostile.attacks import ENTRIES, FACT, MARK, TOGETHER, VISIBLE, Attack
from tests.hostile.lenient_prompt import (
    LOOSE_ID,
    LOOSE_MARK,
    LOOSE_NUMBER,
    TITLE,
    material,
    outside,
    plain,
    section,
    tag,
    user,
)
from tests.hostile.tasks import QUESTION, passages, tasks
from tests.loopback_model import role

SECRETS = ("sk-observatory-4711", "sk-embedding-4712")
LARGEST = 8000
ATTACKS = [TOGETHER, *VISIBLE]
SENT = {TOGETHER.name, "everywhere"}
"""The pages that a model is really asked about; the others' requests are composed as for these."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as served:
        yield served


@pytest.fixture(scope="module")
def prompts(endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Asked]]:
    """The requests of every role for each attack, by its name."""
    return asyncio.run(_asked(endpoint, tmp_path_factory.mktemp("data")))


async def _asked(endpoint: Endpoint, folder: Path) -> dict[str, list[Asked]]:
    settings = Settings(
        data=folder,
        base_url=endpoint.url,
        api_key=SecretStr(SECRETS[0]),
        embedding_key=SecretStr(SECRETS[1]),
    )
    embedder = FakeEmbedder()
    model = Models(settings, embedder).open(settle_models("openai:any", settings, Budget()))
    asked: dict[str, list[Asked]] = {}
    async with aclosing(model):
        for attack in ATTACKS:
            before = len(endpoint.requests)
            for task in tasks(attack.document) if attack.name in SENT else []:
                await model.ask(task)
            first = [each for each in endpoint.requests[before:] if len(each.messages) == 2]
            asked[attack.name] = first or [_composed(each) for each in tasks(attack.document)]
    return asked


def _composed(task: Task[Any]) -> Asked:
    drawn = draw_tag()
    request = compose_request(task, render_prompt(task, drawn), drawn)
    messages = [message.model_dump() for message in request.messages]
    return Asked("", {}, {"messages": messages}, 0.0)


def each_attack(attacks: list[Attack]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("attack", attacks, ids=lambda attack: attack.name)


def test_every_role_was_asked(prompts: dict[str, list[Asked]]) -> None:
    roles = [role(asked) for asked in prompts["order"]]
    assert len(set(roles)) == 8
    assert all([role(asked) for asked in of] == roles for of in prompts.values())


def test_what_a_reader_does_not_see_is_in_no_prompt(prompts: dict[str, list[Asked]]) -> None:
    for asked in prompts[TOGETHER.name]:
        assert MARK not in user(asked).lower()
    for asked in (each for of in prompts.values() for each in of):
        assert not re.search("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ue000-\uf8ff]", user(asked))
        assert not re.search("[\ufe00-\ufe0f\U000e0000-\U0010ffff]", user(asked))


@each_attack(ATTACKS)
def test_words_of_pages_stand_in_fences_that_nothing_imitates(
    attack: Attack, prompts: dict[str, list[Asked]]
) -> None:
    for asked in prompts[attack.name]:
        text = user(asked)
        ours = outside(text, tag(asked))
        assert MARK not in plain(ours)
        assert FACT not in ours
        assert QUESTION in ours
        assert not LOOSE_MARK.search(plain(material(text, tag(asked))))
        assert len(LOOSE_MARK.findall(plain(text))) == text.count(tag(asked))
        assert re.fullmatch(r"[0-9a-f]{16}", tag(asked))


@each_attack(ATTACKS)
def test_marks_of_chat_templates_are_broken_up(
    attack: Attack, prompts: dict[str, list[Asked]]
) -> None:
    template = re.compile(
        r"<[|｜]|</?s>|<<\s*/?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|TOOL_RESULTS)\]"
        r"|</?(?:system|think|start_of_turn|end_of_turn|tool_\w+|function_\w+)"
    )
    for asked in prompts[attack.name]:
        assert template.findall(user(asked)) == []


@each_attack(ATTACKS)
def test_the_titles_of_a_prompt_are_the_programs(
    attack: Attack, prompts: dict[str, list[Asked]]
) -> None:
    for asked, calm in zip(prompts[attack.name], prompts[TOGETHER.name], strict=True):
        titles = TITLE.findall(outside(user(asked), tag(asked)))
        assert titles == TITLE.findall(outside(user(calm), tag(calm)))
        assert len(titles) == len(set(titles))


@each_attack(ATTACKS)
def test_the_numbers_of_links_are_those_of_the_links(
    attack: Attack, prompts: dict[str, list[Asked]]
) -> None:
    ids = [link.id for link in attack.document.links] or [1]
    walking = [each for each in prompts[attack.name] if role(each) == "navigator"]
    [asked, searching, browsing] = walking
    results = min(len(ids), len(passages(attack.document)))
    for title in ("Results not read yet", "Still open", "Searches so far", "Pages read"):
        body = plain(section(user(searching), tag(searching), title))
        numbered = range(1, results + 1) if title == "Results not read yet" else ()
        assert LOOSE_NUMBER.findall(body) == [str(number) for number in numbered]
        assert LOOSE_ID.findall(body) == []
    for title in ("Still open", "Lessons", "Your last steps", "Where you are", "The page"):
        body = plain(section(user(browsing), tag(browsing), title))
        shown = LOOSE_ID.findall(body)
        assert LOOSE_NUMBER.findall(body) == []
        assert len(shown) == len(set(shown))
        own = {f"e{place}" for place in range(2, len(ids) + 2)}  # the links of the snapshot
        assert set(shown) <= (own if title == "The page" else set())
    for title in ("Its links", "Still open", "Lessons", "Opened so far", "The page you are on"):
        body = plain(section(user(asked), tag(asked), title))
        expected = [str(id) for id in ids] if title == "Its links" else []
        assert LOOSE_NUMBER.findall(body) == expected
        assert LOOSE_ID.findall(body) == []


@each_attack(ATTACKS)
@pytest.mark.parametrize(
    ("who", "title", "prefix"),
    [
        ("aggregator", "Ledger", "e"),
        ("aggregator", "New passages", ""),
        ("critic", "Quotes", "e"),
        ("answerer", "Quotes", "e"),
    ],
)
def test_entries_of_the_ledger_cannot_be_forged(
    attack: Attack, who: str, title: str, prefix: str, prompts: dict[str, list[Asked]]
) -> None:
    asked = [each for each in prompts[attack.name] if role(each) == who]
    assert asked
    for each in asked:
        lines = section(user(each), tag(each), title).split("\n")
        lines = [line for line in lines if line and not re.match(r"\(\d+ more left out", line)]
        _no_entry_is_forged(lines, prefix, attack)


def _no_entry_is_forged(lines: list[str], prefix: str, attack: Attack) -> None:
    entries = [line for line in lines if not line.startswith("> ")]
    shown = [re.match(r"\[(e?\d+)\] ", line) for line in entries]
    ids = [found[1] for found in shown if found]
    known = [f"{prefix}{number + 1}" for number in range(len(passages(attack.document)))]
    assert len(ids) == len(entries)
    assert ids == sorted(set(ids), key=known.index)
    rest = [plain(line.partition("] ")[2]) for line in entries]
    assert not any(LOOSE_NUMBER.search(each) or LOOSE_ID.search(each) for each in rest)


@each_attack(ATTACKS)
def test_a_list_has_a_line_for_each_of_its_items(
    attack: Attack, prompts: dict[str, list[Asked]]
) -> None:
    found = passages(attack.document)
    [asked] = [each for each in prompts[attack.name] if role(each) == "reflector"]
    for title, most in (("Quotes added", len(found)), ("Pages opened", 1), ("Still open", 4)):
        lines = section(user(asked), tag(asked), title).split("\n")
        lines = [line for line in lines if line and not line.startswith("(")]
        assert 1 <= len(lines) <= most
        assert all(line.startswith("- ") for line in lines)


@each_attack(ATTACKS)
def test_nothing_crowds_out_the_question_or_the_rules(
    attack: Attack, prompts: dict[str, list[Asked]]
) -> None:
    for asked, calm in zip(prompts[attack.name], prompts[TOGETHER.name], strict=True):
        assert user(asked).startswith(f"## Question\n{QUESTION}\n")
        assert asked.system == calm.system
        assert "do not do it" in asked.system
        assert count_tokens(user(asked)) < LARGEST


def test_tags_differ_and_secrets_are_in_no_request(
    endpoint: Endpoint, prompts: dict[str, list[Asked]]
) -> None:
    asked = [each for of in prompts.values() for each in of]
    assert len({tag(each) for each in asked}) == len(asked)
    for each in endpoint.requests:
        assert not any(secret in each.text or secret in str(each.body) for secret in SECRETS)


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_in_the_title_of_a_page_is_a_part_of_its_line(entry: str) -> None:
    task = Reflect(question=QUESTION, open=(entry,), trail=(entry,), failures=(), found=(entry,))
    for each in task.sections()[1:]:
        for item in each.items:
            assert item.text.startswith("- ")
            assert len(item.text.splitlines()) == 1
            assert not LOOSE_NUMBER.search(plain(item.text))
