"""Result rows as a table by graph and question type."""

import statistics
from collections.abc import Iterable, Sequence

from graphs.experiments.result_rows import Row
from graphs.experiments.scoring import ratio
from graphs.experiments.text_table import align_columns, format_figure, format_percent
from graphs.experiments.verdicts import judge_cost_lines

COST_HEAD = ("graph", "type", "n", "calls", "chain", "in", "out", "cached", "$", "wall/path")
COST_LEGEND = """\
calls     of language models, mean; chain: those of them that had to wait for one another
in, out   tokens, mean; cached: those in that the provider had; $: as far as prices are known
wall/path the run's seconds by those in which a call was under way, median as with nav s"""


def cost_lines(kinds: Iterable[tuple[str, str, Sequence[Row]]]) -> list[str]:
    """The use of language models, by graph and question type."""
    return align_columns(COST_HEAD, [_cost_cells(*each) for each in kinds], texts=2)


def _cost_cells(graph: str, kind: str, rows: Sequence[Row]) -> tuple[str, ...]:
    costs = [row.cost for row in rows]
    asked = [row for row in rows if row.cost.path]
    timed = [row for row in asked if not row.cold] or asked
    shares = [row.seconds / row.cost.path for row in timed]
    return (
        graph,
        kind,
        str(len(rows)),
        format_figure(statistics.mean(cost.calls for cost in costs)),
        format_figure(statistics.mean(cost.chain for cost in costs)),
        f"{statistics.mean(cost.tokens_in for cost in costs):,.0f}",
        f"{statistics.mean(cost.tokens_out for cost in costs):,.0f}",
        f"{statistics.mean(cost.tokens_cached for cost in costs):,.0f}",
        format_figure(statistics.mean(cost.usd for cost in costs), 4),
        format_figure(statistics.median(shares) if shares else None, 2),
    )


RowGroup = tuple[str, str, Sequence[Row]]
"""A graph, a question type (or all), and their rows."""
HEAD = (
    "graph",
    "type",
    "n",
    "read %",
    "all %",
    "right %",
    "whole %",
    "short %",
    "stops %",
    "quotes %",
    "loads",
    "fetched",
    "nav s",
    "s",
)
LEGEND = """\
read      gold pages opened while navigating; all: questions with every gold page opened
right     all gold strings in the answer (where no page answers: abstained)
whole     the same, and none of them within a longer word or number
short     answers of at most 5 citations of at most 3 sentences, a heading or an item being one
stops     the same, a sentence ending at nothing but a stop
quotes    those cited or kept that stand verbatim at their offsets in the stored page
loads     pages opened while navigating, mean; fetched: over the network, survey included, mean
nav s, s  seconds to the first navigation and to the answer, median of the questions that had no
          site to survey (of all, where every one had); what was asked before in the same data
          folder takes less, its texts being embedded"""
JUDGED = "judged    right by the judge's verdict, abstaining where no page answers included"
CONVERSATIONS = "Of a conversation the first turn alone is asked."


def summary_lines(rows: Sequence[Row]) -> list[str]:
    """The table, precision and recall of abstaining, failures, and a legend."""
    graphs = {name: [row for row in rows if row.graph == name] for name in _graph_names(rows)}
    kinds = [
        (name, kind, [row for row in of if kind in (row.type, "all")])
        for name, of in graphs.items()
        for kind in (*dict.fromkeys(row.type for row in of), "all")
    ]
    judged = any(row.verdict for row in rows)
    asked = any(row.cost.calls for row in rows)
    talk = [CONVERSATIONS] if any(row.type == "conversation" for row in rows) else []
    return [
        *_score_table(kinds, judged=judged),
        "",
        *([*cost_lines(kinds), ""] if asked else []),
        *(_abstention_line(name, of) for name, of in graphs.items()),
        *(_failure_line(name, of) for name, of in graphs.items() if _failed_rows(of)),
        "",
        *LEGEND.splitlines(),
        *([JUDGED] if judged else []),
        *(COST_LEGEND.splitlines() if asked else []),
        *talk,
        *judge_cost_lines(row.verdict for row in rows if row.verdict),
    ]


def share_right(rows: Iterable[Row]) -> float | None:
    """The share of right answers among the questions with gold; None without any."""
    graded = [row for row in rows if row.graded]
    return ratio(sum(row.correct for row in graded), len(graded))


def _graph_names(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(row.graph for row in rows))


def _score_table(kinds: Sequence[RowGroup], *, judged: bool) -> list[str]:
    """The table; if `judged`, with a column for the judge's verdicts."""
    table: list[tuple[str, ...]] = [HEAD, *(_score_cells(*each) for each in kinds)]
    if judged:
        column = ["judged %", *(_judged_percent(rows) for _, _, rows in kinds)]
        place = HEAD.index("whole %") + 1
        pairs = zip(table, column, strict=True)
        table = [(*line[:place], cell, *line[place:]) for line, cell in pairs]
    return align_columns(table[0], table[1:], texts=2)


def _judged_percent(rows: Sequence[Row]) -> str:
    verdicts = [row.verdict for row in rows if row.verdict]
    return format_percent(ratio(sum(one.correct for one in verdicts), len(verdicts)))


def _score_cells(graph: str, kind: str, rows: Sequence[Row]) -> tuple[str, ...]:
    asked = [row for row in rows if row.pages]
    cited = [row for row in rows if row.citations]
    graded = [row for row in rows if row.graded]
    timed = [row for row in rows if not row.cold] or rows
    before = [row.before for row in timed if row.before is not None]
    return (
        graph,
        kind,
        str(len(rows)),
        format_percent(ratio(sum(row.opened / row.pages for row in asked), len(asked))),
        format_percent(ratio(sum(row.opened == row.pages for row in asked), len(asked))),
        format_percent(share_right(rows)),
        format_percent(ratio(sum(row.whole for row in graded), len(graded))),
        format_percent(ratio(sum(row.is_short(row.sentences) for row in cited), len(cited))),
        format_percent(ratio(sum(row.is_short(row.stops) for row in cited), len(cited))),
        format_percent(ratio(sum(row.verbatim for row in rows), sum(row.quotes for row in rows))),
        format_figure(statistics.mean(row.loads for row in rows)),
        format_figure(statistics.mean(row.fetched for row in rows)),
        format_figure(statistics.median(before) if before else None, 2),
        format_figure(statistics.median(row.seconds for row in timed), 2),
    )


def _abstention_line(graph: str, rows: Sequence[Row]) -> str:
    rows = [row for row in rows if row.graded]
    abstained = [row for row in rows if row.status == "abstained"]
    silent = [row for row in rows if row.abstain]
    right = sum(row.abstain for row in abstained)
    answerable = len(rows) - len(silent)
    kept = answerable - (len(abstained) - right)
    precision = format_figure(ratio(right, len(abstained)), 2)
    recall = format_figure(ratio(right, len(silent)), 2)
    return (
        f"{graph}: abstained on {right} of the {len(silent)} that no page answers, and not on "
        f"{kept} of {answerable} others ({format_figure(ratio(kept, answerable), 2)}); "
        f"precision {precision}, recall {recall}"
    )


def _failed_rows(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.status == "failed"]


def _failure_line(graph: str, rows: Sequence[Row]) -> str:
    failed = _failed_rows(rows)
    return f"{graph}: {len(failed)} failed, the first ({failed[0].id}): {failed[0].error}"
