"""A setting that no page writes is not answered with what is said of another one."""

from pathlib import Path

import pytest

from forager.domain.state import Question
from graphs.reports.report import Report
from tests.graphs.worker import opened
from tests.servers import manual

SETTINGS = {
    "hash_mem": "The default value of hash_mem is 2 MB. It limits the memory of each hash table.",
    "sort_mem": "The default value of sort_mem is 8 MB. It limits the memory of each sort.",
    "scan_mem": "The default value of scan_mem is 3 MB. It limits the memory of each scan.",
    "join_mem": "The default value of join_mem is 5 MB. It limits the memory of each join.",
    "list_mem": "The default value of list_mem is 7 MB. It limits the memory of each list.",
}


async def ask(name: str, folder: Path) -> Report:
    with manual(SETTINGS, "The settings for memory.") as site:
        text = f"What is the default value of {name}?"
        question = Question(text=text, sites=(site.url(),))
        async with opened(folder, str(site.port)) as sessions:
            return await sessions.run(await sessions.start(question, "forager", "offline"))


@pytest.mark.parametrize("name", ["work_mem", "--work-mem"])
async def test_what_no_page_writes_is_not_answered_and_ends_soon(name: str, tmp_path: Path) -> None:
    report = await ask(name, tmp_path)
    assert report.status == "abstained"
    assert report.spent.rounds <= 2


async def test_what_a_page_writes_is_answered_with_it(tmp_path: Path) -> None:
    report = await ask("sort_mem", tmp_path)
    assert report.status == "answered"
    assert "sort_mem is 8 MB" in report.answer.splitlines()[0]
