"""Is this a question that can be asked?"""

from forager.errors import QuestionError
from forager.state import Question
from forager.web.urls import canonical

MAX_CHARACTERS = 4000
MAX_SITES = 20


def checked(question: Question) -> Question:
    """The question in one line, its sites in one spelling. Raises QuestionError, AddressError."""
    text = " ".join(question.text.split())
    if not text:
        raise QuestionError("There is no question.", "Write what you want to know.")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"The question has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.",
            "Ask in fewer words.",
        )
    if len(question.sites) > MAX_SITES:
        raise QuestionError(
            f"{len(question.sites)} sites are too many.", f"Name at most {MAX_SITES}."
        )
    sites = dict.fromkeys(map(site_address, question.sites))
    return question.model_copy(update={"text": text, "sites": tuple(sites)})


def site_address(site: str) -> str:
    """A site as an address, by https where it does not say. Raises AddressError."""
    return canonical(site if "://" in site else f"https://{site}")
