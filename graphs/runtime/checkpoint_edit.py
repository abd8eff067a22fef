"""A question is put into the newest checkpoint of a thread; what comes next stays the same."""

from forager.adapters.store.checkpoints.lineage import Lineage, Row
from forager.bandit.hints import leaning
from forager.domain.state import Question
from graphs.runtime.position import INPUT_CHANNEL


async def write_question(lineage: Lineage, own: str, question: Question) -> None:
    """Put a question in the newest checkpoint of a thread and of the branches it has begun."""
    rows: tuple[Row, ...] = await lineage.rows(own)
    if not rows:
        return
    versions = rows[-1].checkpoint["channel_versions"]
    begun = (
        await lineage.values(own, {INPUT_CHANNEL: versions[INPUT_CHANNEL]})
        if INPUT_CHANNEL in versions
        else {}
    )
    if INPUT_CHANNEL in begun:
        begun[INPUT_CHANNEL].question = question
        await lineage.lay(own, begun)
        return
    await lineage.lay(own, {"question": question})
    for branch in await lineage.begun(own, rows[-1].id):
        last = await lineage.state(own, branch)
        if "question" in last:
            share = last["question"].budget
            kept = question.model_copy(update={"budget": share})
            await lineage.lay(own, {"question": kept}, branch)


async def apply_new_hints(lineage: Lineage, own: str, before: Question, after: Question) -> None:
    """Let new hints speak for arms that are there already."""
    new = after.hints[len(before.hints) :]
    arms = (await lineage.state(own)).get("arms") if new else ()
    if arms:
        await lineage.lay(own, {"arms": leaning(arms, new)})
