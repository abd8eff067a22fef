"""How much a page is sent of a long run, were every event to come alone."""

import json

from pydantic import JsonValue

from graphs.reports.report import Report, ReportedEvidence
from graphs.reports.trace import RunTrace
from graphs.sessions.service import Event
from graphs.spec.spec import load_graph
from tests.ui.server.live.test_timeline import node, session
from ui.server.live.merge_patch import Document, make_patch
from ui.server.live.session_view import build_view
from ui.server.live.timeline import Timeline

ROUNDS = 10
STEPS = 10
MESSAGE = "m" * 240
"""No event says more."""
QUOTE = "q" * 600


def evidence(number: int) -> ReportedEvidence:
    return ReportedEvidence(
        id=f"e{number}",
        url=f"https://example.org/a/rather/long/address/of/page/{number}.html",
        title=f"The title of page {number}",
        quote=f"{number} {QUOTE}",
        part="p1",
        part_text="Who built the lighthouse?",
        round=number // STEPS,
        blob="b" * 64,
        start=0,
        end=600,
        score=0.5,
        cited=False,
    )


def test_the_stream_of_ten_rounds_of_ten_steps_is_below_a_megabyte() -> None:
    one = session()
    timeline, shown, sent, seq = Timeline(one), Document(), 0, 0
    way = RunTrace(load_graph("forager"))
    kept: tuple[ReportedEvidence, ...] = ()
    kinds = ("navigator", "actor", "extractor", "aggregator", "critic")
    for round in range(ROUNDS):
        works: list[tuple[str, dict[str, JsonValue]]] = [
            ("selector", {"round": round, "urls": ["https://example.org/" + "a" * 80]}),
        ]
        works += [(kind, {}) for _ in range(STEPS) for kind in kinds]
        works += [("reflector", {"alpha": 1.0, "outcome": "partial"})]
        for kind, data in works:
            kept += (evidence(len(kept)),) if kind == "aggregator" else ()
            for state in ("started", "finished"):
                seq += 1
                event = Event(
                    session="one",
                    seq=seq,
                    time=100.0 + seq,
                    node=node(kind),
                    kind=state,
                    message="" if state == "started" else MESSAGE,
                    data=data if state == "finished" else {},
                )
                timeline.take_events([event])
                way.add_events([event])
                report = Report.model_validate(
                    {
                        "session": "one",
                        "graph": "forager",
                        "graph_hash": "h",
                        "model": "offline",
                        "status": "running",
                        "answer": "",
                        "evidence": kept,
                        "spent": {"seconds": float(seq)},
                    }
                )
                new = build_view(one, report, timeline, way)
                change, shown = make_patch(shown, new), new
                sent += len(json.dumps(change, ensure_ascii=False, separators=(",", ":"))) + 1
    assert seq == ROUNDS * (2 + STEPS * len(kinds)) * 2
    assert sent < 1_000_000
