"""A scripted judge beside the roles of a graph: right is what says all that the reference says."""

from bench.prompt_sections import prompt_sections
from tests.endpoint import Asked, Reply
from tests.endpoint.reader import ROLE, reads, words
from tests.endpoint.request import said


def reply_as_judge(asked: Asked) -> Reply:
    """The judge's reply, or that of another role."""
    role = ROLE.search(asked.system)
    if role is None or role[1] != "judge":
        return reads(asked)
    prompt = prompt_sections(said(asked.messages[1]))
    wanted = [line.partition(" or ")[0] for line in prompt["Reference answer"].splitlines()]
    right = all(words(line) <= words(prompt["Answer to judge"]) for line in wanted)
    verdict = (
        {"decision": "TRUE" if right else "FALSE"}
        if "decision" in (asked.schema or {})["properties"]
        else {"grade": "CORRECT" if right else "INCORRECT"}
    )
    return Reply({"reasoning": "Compared word by word.", **verdict})


def reply_uselessly(asked: Asked) -> Reply:
    """A judge that gives no reply of use."""
    return Reply("Hm.")
