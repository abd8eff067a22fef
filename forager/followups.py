"""What a question means that goes on from the questions before it."""

from collections.abc import Sequence

from forager.tokens import keywords
from forager.turn import Meaning


def meant(question: str, earlier: Sequence[str]) -> Meaning:
    """The question, with what the one before it was about as context."""
    own = set(keywords(question))
    about = [word for word in dict.fromkeys(keywords(earlier[-1])) if word not in own]
    return Meaning(text=question, context=" ".join(about))
