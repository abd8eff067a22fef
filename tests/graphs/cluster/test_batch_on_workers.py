"""The rows of a batch are sent to workers, which share their pages."""

import json
from pathlib import Path

from bench.scale.counted_sites import serve_counted_sites
from forager.util.place import Server
from tests.programs import Program, run_forager
from tests.ray_cluster import RayCluster

ROWS = 6


def test_rows_run_on_all_machines_and_their_site_is_surveyed_once(
    ray_cluster: RayCluster, tmp_path: Path, postgres: Server
) -> None:
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    variables = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "FORAGER_DATA": str(tmp_path / "own"),
        "FORAGER_DATABASE_URL": postgres.url,
        "FORAGER_BLOBS": str(tmp_path / "pages"),
        "FORAGER_MEMORY": "false",
        "FORAGER_ALLOW_PRIVATE": "127.0.0.1",
        **ray_cluster.variables,
    }
    before = [log.read_text().count(": running") for log in logs(ray_cluster)]
    with serve_counted_sites(1) as (site,):
        rows = [
            {"id": str(number), "question": site.question(number), "sites": [site.url]}
            for number in range(ROWS)
        ]
        questions.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        words = "batch", str(questions), "--out", str(out), "--model", "offline", "--at-once", "4"
        with Program(run_forager, *words, **variables) as batch:
            said = batch.communicate(timeout=300)
            assert batch.returncode == 0, said
        pages = {path: site.fetched[path] for path in site.pages}
    answers = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(answers) == ROWS
    assert {each["status"] for each in answers} <= {"answered", "abstained"}
    assert pages == dict.fromkeys(site.pages, 1)
    after = [log.read_text().count(": running") for log in logs(ray_cluster)]
    assert sum(after) - sum(before) == ROWS
    assert len(after) == 2
    assert not (tmp_path / "own" / "web.sqlite").exists()


def logs(cluster: RayCluster) -> list[Path]:
    return sorted(cluster.folder.glob("[ab]/logs/forager.log"))
