"""An export whose pages try what a page can try."""

from datetime import UTC, datetime

from forager.domain.answers import Cell, Doubt, Quote, Table
from forager.domain.spend import Budget
from graphs.reports.exports.document import Export, ExportedEvidence
from graphs.reports.exports.pinned_graph import yaml_text
from graphs.reports.report import BrowserAction, ReportedApproval, ReportedSpend
from graphs.spec.spec import load_graph

NASTY = 'a <script>alert(1)</script> ![x](http://e/p.png) [y](javascript:z) \\ "q"\nline'
GRAPH = load_graph("forager")
MADE = Export(
    session="s",
    graph=GRAPH.name,
    graph_hash=GRAPH.hash,
    graph_body=yaml_text(GRAPH),
    model="offline",
    status="partial",
    answer=f"{NASTY} [e1].",
    citations=(Quote(id="e1", url="http://h/a(b)", title="T\n# U", quote=NASTY),),
    evidence=(
        ExportedEvidence(
            id="e1",
            url="http://h/a(b)",
            title="T",
            quote=NASTY,
            part="p1",
            part_text="what?",
            round=1,
            blob="0" * 64,
            start=3,
            end=3 + len(NASTY),
            section="S",
            score=1.25,
            cited=True,
            fetched=datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC),
            lang="de",
            link="http://h/a(b)#:~:text=a,line",
        ),
        ExportedEvidence(
            id="e2", url="http://h/", title="=1+1", quote="@SUM(A1)", part="p2", round=2
        ),
    ),
    open=("what <b>else</b>",),
    doubts=(Doubt(sentence="It <i>is</i> so.", why="No quote has “so”."),),
    spent=ReportedSpend(rounds=1, seconds=2.5),
    actions=(
        BrowserAction(
            round=1, what="Click the button “<b>Go</b>”", outcome="moved", url="http://h/?q=1"
        ),
        BrowserAction(
            round=1, what="Click the link “Delete”", outcome="failed", why="It was not approved."
        ),
        BrowserAction(
            round=2, what="Click “Save”", outcome="moved", url="http://h/1", changed="It posts."
        ),
    ),
    pleas=(
        ReportedApproval(
            kind="approve",
            what="Click “Delete”",
            why="It [x](y).",
            outcome="Not approved",
            answer=False,
        ),
        ReportedApproval(kind="take over", what="A CAPTCHA.", url="http://h/", outcome="Waiting"),
    ),
    question="Why?",
    sites=("http://h/",),
    budget=Budget(rounds=3),
    seed=7,
    asked=datetime(2026, 2, 3, 4, 0, 0, tzinfo=UTC),
)
TABLE = Table(
    columns=("Light | <b>", "Height"),
    rows=(
        (Cell(text="Skarn", cites=("e1",)), Cell(text="=32 m", cites=("e1", "e2"))),
        (Cell(text="Holm"), Cell(text="unknown")),
    ),
)
