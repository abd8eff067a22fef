"""One call may read and judge, or edit and judge; what it says is not asked again."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from forager.domain.state import (
    Evidence,
    Feedback,
    Passage,
    PassageJudgement,
    Reading,
    RewrittenPart,
    State,
    Verdict,
    merge,
)
from nodes.aggregator import AggregatorParams, Coverage, Edit, EditsAndCoverage, aggregate
from nodes.extractor import (
    CopiedAndJudged,
    ExtractorParams,
    FoundAndJudged,
    ReadAndJudge,
    Rewritten,
    extract,
)
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.states import document, entry, part, passage, state, step, url

JOINT = ExtractorParams(joint=True)
JUDGES = AggregatorParams(judges=True)
FOUNDED = "The house was founded in 1887 by Ottilie Brandt."
STORM = "A storm tore the dome down in 1911."
PAGE = document("a", f"{FOUNDED} {STORM}")
P1, P2 = part("p1", "Who founded it?", found=2.0), part("p2", "When was the storm?", storm=2.0)
KNOWN = entry(1, passage("Brandt founded it.", blob="b0", p1=0.8))


def opened(blobs: MemoryBlobs, *ledger: Evidence) -> State:
    start = state(P1, P2, urls=[PAGE.url])
    return replace(start, steps=(step(blobs, PAGE),), evidence=ledger)


def judged(quote: str, *parts: str, **relations: list[str]) -> CopiedAndJudged:
    return CopiedAndJudged.model_validate(
        {"part": ["p1"], "quote": quote, "answers": parts, **relations}
    )


async def read(start: State, blobs: MemoryBlobs, *said: CopiedAndJudged) -> Reading:
    doors = ports(FoundAndJudged(passages=list(said)), blobs=blobs)
    return (await extract(start, doors, JOINT))["reading"]


async def test_a_page_is_read_and_judged_in_one_call() -> None:
    blobs = MemoryBlobs()
    found = await read(
        opened(blobs), blobs, judged(FOUNDED, "p1", "p9"), judged(STORM, agrees=["e1"])
    )
    assert found.judged == ("p1", "p2")
    assert found.judgements == (
        PassageJudgement(answers=("p1",)),
        PassageJudgement(agrees=("e1",)),
    )


async def test_what_is_covered_is_not_shown() -> None:
    blobs = MemoryBlobs()
    verdict = Verdict(sufficient=False, covered=("p1",), open=("p2",), grounds={"p1": ("e1",)})
    start = replace(opened(blobs, KNOWN), verdict=verdict)
    model = ScriptedModel(FoundAndJudged(passages=[]))
    await extract(start, replace(ports(blobs=blobs), model=model), JOINT)
    [task] = model.asked
    assert isinstance(task, ReadAndJudge)
    assert [each.id for each in task.shown_parts] == ["p2"]
    told = {section.title: [item.text for item in section.items] for section in task.sections()}
    assert told["Parts"] == ["- p2: When was the storm?"]
    assert "Brandt founded it." in told["Ledger"][0]
    gone = replace(start, evidence=(KNOWN.model_copy(update={"dropped": True}),))
    model = ScriptedModel(FoundAndJudged(passages=[]))
    await extract(gone, replace(ports(blobs=blobs), model=model), JOINT)
    assert isinstance(model.asked[0], ReadAndJudge)
    assert len(model.asked[0].shown_parts) == 2


async def test_a_part_that_waited_is_written_again_by_who_reads_the_result() -> None:
    blobs = MemoryBlobs()
    start = state(P1, P2.model_copy(update={"needs": (P1.text,)}), urls=[PAGE.url])
    start = replace(start, steps=(step(blobs, PAGE),))
    again = "When was the storm that Ottilie Brandt saw?"
    rewritten = [
        Rewritten(part="p2", ask=f" {again} ", search="storm"),
        Rewritten(part="p1", ask="It waits for nothing?"),
        Rewritten(part="p2", ask=" "),
    ]
    reply = FoundAndJudged(passages=[judged(FOUNDED, "p1")], rewritten=rewritten)
    model = ScriptedModel(reply)
    update = await extract(start, replace(ports(blobs=blobs), model=model), JOINT)
    assert update["reading"].rewritten == (RewrittenPart(part="p2", ask=again, search="storm"),)
    [parts] = [each for each in model.asked[0].sections() if each.title == "Parts"]
    assert [item.text for item in parts.items] == [
        "- p1: Who founded it?",
        "- p2: When was the storm? (waits for: Who founded it?)",
    ]


async def test_the_rule_judges_nothing_and_copies_the_same() -> None:
    blobs = MemoryBlobs()
    apart = (await extract(opened(blobs), ports(blobs=blobs), ExtractorParams()))["reading"]
    joint = (await extract(opened(blobs), ports(blobs=blobs), JOINT))["reading"]
    assert joint == apart
    assert joint.judged == ()


async def test_a_reply_that_does_not_judge_is_a_reading_alone() -> None:
    blobs = MemoryBlobs()
    mute = CopiedAndJudged(part="p1", quote=FOUNDED)
    found = await read(opened(blobs), blobs, judged(STORM, "p2"), mute)
    assert (len(found.passages), found.judged, found.judgements) == (2, (), ())


# ---- the ledger


def holding(
    passages: Sequence[Passage], judgements: Sequence[PassageJudgement], *ledger: Evidence
) -> State:
    reading = Reading(
        step="1.2",
        passages=tuple(passages),
        judged=("p1", "p2") if judgements else (),
        judgements=tuple(judgements),
    )
    return replace(state(P1, P2), evidence=ledger, reading=reading)


NEW = [passage(FOUNDED, p1=0.9), passage(STORM, start=100, p2=0.4)]


async def kept(start: State, model: ScriptedModel) -> tuple[list[Evidence], Feedback]:
    update = await aggregate(start, replace(ports(), model=model), JUDGES)
    after = merge(start.evidence, update["evidence"])
    return [item for item in after if not item.dropped], update["feedback"]


async def test_a_judged_reading_enters_the_ledger_without_a_call() -> None:
    model = ScriptedModel()
    said = [PassageJudgement(answers=("p1",), agrees=("e1", "e7")), PassageJudgement()]
    ledger, feedback = await kept(holding(NEW, said, KNOWN), model)
    assert model.asked == []
    assert [item.id for item in ledger] == ["e1", "e2", "e3"]
    assert ledger[1].agrees == ("e1",)
    assert feedback.grounds == {"p1": ("e2",), "p2": ()}
    assert feedback.open == ("When was the storm?",)


async def test_a_needless_entry_goes_unless_it_covers_a_part() -> None:
    said = [PassageJudgement(answers=("p1",), replaces=("e1",)), PassageJudgement()]
    start = holding(NEW, said, KNOWN)
    ledger, _ = await kept(start, ScriptedModel())
    assert [item.id for item in ledger] == ["e2", "e3"]
    covering = replace(start, feedback=Feedback(grounds={"p2": ("e1",)}))
    ledger, feedback = await kept(covering, ScriptedModel())
    assert [item.id for item in ledger] == ["e1", "e2", "e3"]
    assert ledger[0].agrees == ("e2",)
    assert feedback.added == 2


async def test_a_passage_that_is_known_already_covers_by_its_entry() -> None:
    same = entry(1, passage(FOUNDED, p1=0.8))
    said = [PassageJudgement(answers=("p1",)), PassageJudgement()]
    _, feedback = await kept(holding(NEW, said, same), ScriptedModel())
    assert feedback.grounds["p1"] == ("e1",)


@pytest.mark.parametrize(("name", "id"), [("1", "e2"), ("[1]", "e2"), ("e1", "e1"), ("e9", "")])
async def test_one_call_edits_and_says_what_is_covered(name: str, id: str) -> None:
    reply = EditsAndCoverage(
        edits=[Edit(op="ADD", passage=1)], open=[], covered=[Coverage(part="p1", quotes=[name])]
    )
    model = ScriptedModel(reply)
    _, feedback = await kept(holding(NEW, [], KNOWN), model)
    assert len(model.asked) == 1
    assert feedback.grounds == {"p1": (id,) if id else (), "p2": ()}


async def test_without_a_judgement_only_what_was_covered_stays_so() -> None:
    reply = EditsAndCoverage(edits=[Edit(op="ADD", passage=1)], open=[])
    before = Feedback(grounds={"p1": ("e1",), "p2": ()})
    start = replace(holding(NEW, [], KNOWN), feedback=before)
    _, feedback = await kept(start, ScriptedModel(reply))
    assert feedback.grounds == {"p1": ("e1",)}
    _, feedback = await kept(holding(NEW, [], KNOWN), ScriptedModel())
    assert feedback.grounds == {}


async def test_what_covers_a_look_up_on_one_site_covers_it_on_the_other() -> None:
    twins = part("p1s1", "Who founded it?"), part("p1s2", "Who founded it?")
    other = part("p2s1", "When was the storm?")
    found = passage(FOUNDED, p1s1=0.9)
    reading = Reading(
        step="1.2",
        passages=(found,),
        judged=("p1s1",),
        judgements=(PassageJudgement(answers=("p1s1",)),),
    )
    start = replace(state(*twins, other), reading=reading)
    _, feedback = await kept(start, ScriptedModel())
    assert feedback.grounds == {"p1s1": ("e1",), "p1s2": ("e1",)}
    assert feedback.open == ("When was the storm?",)
    model = ScriptedModel(EditsAndCoverage(edits=[], open=[]))
    await kept(replace(start, reading=Reading(step="1.2", passages=(found,))), model)
    [task] = model.asked
    [parts] = [section for section in task.sections() if section.title == "Parts"]
    assert [item.text for item in parts.items] == [
        "- p1s1, p1s2: Who founded it?",
        "- p2s1: When was the storm?",
    ]


# ---- pages that are lists of links


@pytest.mark.parametrize(("question", "asked"), [("Who founded it?", False), ("", True)])
def test_contents_are_not_shown_unless_a_list_is_asked_for(question: str, asked: bool) -> None:
    names = [f"Founder number {number}" for number in range(12)]
    links = [f"{url(str(number))} {name}" for number, name in enumerate(names)]
    page = document("contents", "# Founders\n\n" + "\n".join(f"- {name}" for name in names), links)
    task = ReadAndJudge(
        question=question or "List all the founders.",
        parts=(P1,),
        best={},
        document=page,
        params=JOINT,
    )
    assert (task.unasked() is None) == asked
