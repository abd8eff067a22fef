"""Each question set as tasks to ask: the sites, the form of the answer, what to group by."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.memory.conversations import ConversationTurn
from bench.scorers import assistantbench_metrics
from bench.sets import assistantbench, fanoutqa, frames, webwalkerqa
from bench.sets.set_question import SetQuestion
from forager.errors import UsageError
from forager.util.suggest import did_you_mean
from graphs.experiments.question_set import Sites, load_records, refuse_unserved

WEB: frozenset[str] = frozenset({"fanoutqa", "frames", "assistantbench"})
"""Sets that ask the web. A site of theirs is asked only if it has a mirror."""


@dataclass(frozen=True, kw_only=True)
class SetTask:
    """What is asked: the turns of a conversation, mostly one, each with its gold.

    `types` are the groups that it counts in, `hops` is the number of pages that its gold stands on
    (0 if unknown); `instruction` is the form that the set wants the answer in.
    """

    id: str
    questions: tuple[SetQuestion[Any], ...]
    sites: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    hops: int = 0
    instruction: str = ""


def load_tasks(name: str, path: Path, mirrors: Mapping[str, str], sites: Sites) -> list[SetTask]:
    """Load the tasks of a set, with `mirrors` (roots by root) in place of sites.

    `sites` has the addresses for a file of the project's own form. Raises UsageError.
    """
    if name not in LOADERS:
        known = (*LOADERS, "mind2web")
        raise UsageError(f"Unknown question set {name!r}.", did_you_mean(name, known))
    tasks = LOADERS[name](path, sites)
    return [replace(task, sites=_mirrored(task.sites, mirrors, name in WEB)) for task in tasks]


def _mirrored(
    sites: Sequence[str], mirrors: Mapping[str, str], only_mirrored: bool
) -> tuple[str, ...]:
    """Replace the roots that have a mirror; drop the others if the set asks the web."""
    found = []
    for site in sites:
        root = next((root for root in mirrors if site.startswith(root)), None)
        if root is not None:
            found.append(mirrors[root] + site[len(root) :])
        elif not only_mirrored:
            found.append(site)
    return tuple(found)


def read_mirrors(pairs: Sequence[str]) -> dict[str, str]:
    """Read `ROOT=ADDRESS` pairs. Raises UsageError."""
    found = {}
    for pair in pairs:
        root, _, address = pair.partition("=")
        if "://" not in root or "://" not in address:
            raise UsageError(
                f"{pair!r} names no mirror.", "Write https://en.wikipedia.org/=http://HOST/"
            )
        found[root] = address
    return found


def _webwalkerqa(path: Path, sites: Sites) -> list[SetTask]:
    return [
        SetTask(
            id=one.id,
            questions=(one,),
            sites=one.sites,
            types=(f"{one.kind} {one.difficulty}", *filter(None, [one.lang])),
            hops=len(one.urls),
        )
        for one in webwalkerqa.load_questions(path)
    ]


def _fanoutqa(path: Path, sites: Sites) -> list[SetTask]:
    return [
        SetTask(
            id=one.id,
            questions=(one,),
            sites=one.sites,
            types=(_gold_form(one.gold),),
            hops=len(one.urls),
        )
        for one in fanoutqa.load_questions(path)
    ]


def _frames(path: Path, sites: Sites) -> list[SetTask]:
    return [
        SetTask(
            id=one.id, questions=(one,), sites=one.sites, types=one.reasoning, hops=len(one.urls)
        )
        for one in frames.load_questions(path)
    ]


def _assistantbench(path: Path, sites: Sites) -> list[SetTask]:
    return [
        SetTask(
            id=one.id,
            questions=(one,),
            types=(_gold_form(assistantbench_metrics.parse_gold(one.gold)),),
            instruction=one.instruction,
        )
        for one in assistantbench.load_tasks(path)
    ]


def _own_questions(path: Path, sites: Sites) -> list[SetTask]:
    """Questions and conversations in the project's own form, with all their turns."""
    records = load_records(path)
    refuse_unserved(records, sites)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    tasks = []
    for record, line in zip(records, lines, strict=True):
        turns = json.loads(line).get("turns") or [json.loads(line)]
        asked = [ConversationTurn.model_validate(_turn_fields(turn)) for turn in turns]
        task = SetTask(
            id=record.id,
            questions=tuple(
                SetQuestion[tuple[str, ...]](
                    id=record.id if number == 1 else f"{record.id}#{number}",
                    text=turn.question,
                    gold=turn.answer,
                )
                for number, turn in enumerate(asked, 1)
            ),
            sites=tuple(sites[site] for site in record.sites),
            types=(record.type,),
            hops=len({page.path for turn in asked for page in turn.pages}),
        )
        tasks.append(task)
    return tasks


def _turn_fields(turn: Mapping[str, Any]) -> dict[str, Any]:
    return {name: turn[name] for name in ("question", "answer", "pages") if name in turn}


def _gold_form(gold: object) -> str:
    if isinstance(gold, dict | list):
        return "mapping"
    if isinstance(gold, tuple):
        return "list"
    return "number" if isinstance(gold, int | float) else "text"


LOADERS: Mapping[str, Callable[[Path, Sites], list[SetTask]]] = {
    "webwalkerqa": _webwalkerqa,
    "fanoutqa": _fanoutqa,
    "frames": _frames,
    "assistantbench": _assistantbench,
    "questions": _own_questions,
}
