"""A question in another language than the pages is answered from them."""

from pathlib import Path

import pytest

from forager.domain.state import Question
from tests.graphs.worker import opened
from tests.servers import manual

TEXTS = {
    "backup": "A backup runs every night. It is kept for 14 days, and then it is deleted.",
    "password": "To change the password, open the settings. It must have at least 12 characters.",
    "printer": "The printer prints on both sides of the paper. Its default size is A4.",
    "window": "The window closes when the escape key is pressed. Its colour is blue.",
}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Wie viele Zeichen muss das Passwort haben?", "12 characters"),
        ("Quelle est la couleur de la fenêtre ?", "blue"),
        ("¿Cuántos caracteres debe tener la contraseña?", "12 characters"),
        ("打印机默认使用什么纸张大小？", "A4"),
    ],
)
async def test_it_is_answered_by_the_page_that_says_so(
    text: str, answer: str, tmp_path: Path
) -> None:
    with manual(TEXTS, "All about the program.") as site:
        question = Question(text=text, sites=(site.url(),))
        async with opened(tmp_path, str(site.port)) as sessions:
            report = await sessions.run(await sessions.start(question, "forager", "offline"))
    assert report.status == "answered"
    assert answer in report.answer.split("\n\n")[0]
