"""What an attempt came to, without a model."""

from collections.abc import Sequence

from forager.domain.experience import Outcome


def judge_attempt(
    pages: Sequence[str], failures: Sequence[str], found: Sequence[str], open: Sequence[str]
) -> tuple[Outcome, str]:
    """The outcome and the lesson: by the quotes that were found, what is open, and what failed."""
    where = pages[0] if pages else "nothing"
    if found and not open:
        return "adequate", f"{where}: answered here."
    if found:
        passages = "1 passage" if len(found) == 1 else f"{len(found)} passages"
        left = f"{passages}; open: {'; '.join(open)}".rstrip(".")
        return "partial", f"{where}: {left}{'' if left.endswith('?') else '.'}"
    if failures:
        return "infeasible", f"{where}: {failures[-1]}"
    return "infeasible", f"{where}: nothing about the question."
