from hypothesis import given
from hypothesis import strategies as st

from forager.domain.actions import Action, Element
from forager.domain.answers import Answer
from forager.domain.experience import Episode, Recalled, Recipe
from forager.domain.state import (
    Arm,
    Draw,
    Evidence,
    Feedback,
    Page,
    Passage,
    Proposal,
    Recall,
    Step,
    Update,
    Verdict,
)
from graphs.reports.events import DESCRIPTIONS, MAX_MESSAGE_CHARACTERS, describe_update, shorten
from tests.nodes.search_states import result, searched


def test_every_written_key_has_a_description() -> None:
    assert set(DESCRIPTIONS) == set(Update.__annotations__)


def test_an_update_is_described_in_one_line() -> None:
    update: Update = {
        "arms": (Arm(url="a"), Arm(url="b")),
        "draw": Draw(round=2, urls=("http://site/",), reason="thompson"),
    }
    assert describe_update(update) == (
        "2 arms · round 2: http://site/ (thompson)",
        {"arms": 2, "round": 2, "urls": ["http://site/"]},
    )


def test_empty_values_have_descriptions() -> None:
    assert describe_update({"draw": Draw(round=3, reason="all rounds are used")})[0] == (
        "all rounds are used"
    )
    assert describe_update({"recall": Recall(round=1)})[0] == "nothing to recall"
    assert describe_update({"feedback": Feedback()})[0] == ""
    assert describe_update({"verdict": Verdict(sufficient=False, reason="no year")})[0] == (
        "not enough: no year"
    )
    assert describe_update({"steps": ()}) == ("", {})


def test_many_ids_are_shortened() -> None:
    def entry(number: int, *, dropped: bool = False) -> Evidence:
        passage = Passage(url="u", title="t", blob="b", start=0, end=1, text="x", part="p")
        return Evidence(id=f"e{number}", passage=passage, round=1, step="1.1", dropped=dropped)

    many = tuple(entry(number) for number in range(1, 41))
    text, data = describe_update(
        {"evidence": (*many, entry(41, dropped=True)), "feedback": Feedback()}
    )
    assert text == "kept 40 (e1, e2, e3 …), dropped e41"
    assert data["evidence"] == [f"e{number}" for number in range(1, 41)]
    assert describe_update({"evidence": many[:2], "feedback": Feedback(open=("when?",))})[0] == (
        "kept e1, e2 · still open: when?"
    )


def test_a_search_is_described_by_its_results() -> None:
    found = searched("old dome", result("http://a/"), result("http://b/"))
    assert describe_update({"steps": (found,)}) == (
        "2 results for old dome",
        {"outcome": "moved", "results": 2},
    )
    away = searched("old dome", reason="Nobody answers.")
    assert describe_update({"steps": (away,)})[0] == "failed old dome: Nobody answers."


def test_a_browser_action_is_described_in_words() -> None:
    save = Action(kind="click", target="e7", element=Element(role="button", name="Save"))
    step = Step(id="1.2", round=1, number=2, action=save, outcome="failed", reason="No.")
    [words] = {text for text, _ in [describe_update({"proposal": Proposal(round=1, action=save)})]}
    assert words == "Click the button “Save”"
    assert describe_update({"steps": (step,)})[0] == "Click the button “Save”: failed. No."
    done = step.model_copy(
        update={
            "outcome": "moved",
            "page": Page(url="http://h/", title="Saved"),
            "harm": "It posts.",
        }
    )
    text, data = describe_update({"steps": (done,)})
    assert text == "Click the button “Save” → Saved; It posts."
    assert data["harm"] == "It posts."


def test_a_recalled_path_is_described() -> None:
    recipe = Recipe(question="?", site="s", actions=(Action(kind="goto", target="http://h/"),))
    assert describe_update({"recall": Recall(round=1, recipe=recipe)}) == (
        "a path that worked before",
        {"lessons": 0, "recipe": 1},
    )


def test_recalled_attempts_are_described_by_number_and_best() -> None:
    episodes = tuple(
        Recalled(
            episode=Episode(
                id=id, session="s", time=0, question="Which?", url="u", site="s", outcome="partial"
            ),
            likeness=likeness,
            why=f"asked {id}",
        )
        for id, likeness in (("x", 0.9), ("y", 0.8))
    )
    text, data = describe_update({"recall": Recall(round=1, episodes=episodes)})
    assert text == "2 attempts of earlier sessions (asked x)"
    best = {"id": "x", "url": "u", "question": "Which?", "outcome": "partial"}
    told = {"episodes": 2, "best": best | {"weight": 0.9, "why": "asked x"}}
    told |= {"recalled": ["x", "y"]}
    assert data == {"lessons": 0, **told}


@given(st.text(), st.text(max_size=3000))
def test_a_message_is_one_short_line(reason: str, answer: str) -> None:
    proposal = Proposal(round=1, action=Action(kind="visit", target="http://x/", reason=reason))
    update: Update = {"proposal": proposal, "answer": Answer(text=answer, status="answered")}
    message, _ = describe_update(update)
    assert len(message) <= MAX_MESSAGE_CHARACTERS
    assert len(message.splitlines()) <= 1
    assert shorten(message) == message
