"""Verdicts of a judge model on answers, and their cost."""

from collections.abc import Iterable
from hashlib import sha256

from forager.domain.base import Frozen
from forager.ports import Reply, Task


class Verdict(Frozen):
    """Whether an answer is right, according to whom, and why.

    `judge` is the model line, `asked` the digest of its task. `ruled` is true where its reply was
    useless and the string metric decided. There are no calls where there was nothing to judge.
    """

    judge: str
    correct: bool
    reasoning: str = ""
    asked: str = ""
    ruled: bool = False
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0

    def is_of(self, judge: str, asked: str) -> bool:
        """Whether it is the verdict of this judge on this very task."""
        return (self.judge, self.asked) == (judge, asked)


def task_digest(task: Task[Reply]) -> str:
    """Identifies a task of a judge by its instructions and inputs."""
    return sha256(f"{task.ROLE}\n{task.PROMPT}\n{task.model_dump_json()}".encode()).hexdigest()


def judge_cost_lines(verdicts: Iterable[Verdict]) -> list[str]:
    """A line on the cost of each judge."""
    found = list(verdicts)
    return [
        _judge_cost_line(name, [one for one in found if one.judge == name])
        for name in dict.fromkeys(one.judge for one in found)
    ]


def _judge_cost_line(name: str, verdicts: list[Verdict]) -> str:
    asked = [one for one in verdicts if one.asked]
    return (
        f"judge {name}: {len(asked)} of {len(verdicts)} answers graded, "
        f"{sum(one.ruled for one in asked)} of them by the string metric; "
        f"{sum(one.calls for one in asked)} calls, "
        f"{sum(one.tokens_in for one in asked):,} tokens in "
        f"({sum(one.tokens_cached for one in asked):,} cached), "
        f"{sum(one.tokens_out for one in asked):,} out, ${sum(one.usd for one in asked):.4f}"
    )
