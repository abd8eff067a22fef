"""What ended a run, as its report says."""

from forager.answers.ending import ROUNDS_USED, STOPPED
from forager.bandit.posterior import ALL_RETIRED
from graphs.reports.report import Report


def was_stopped(report: Report) -> bool:
    """Whether the run ended because somebody stopped it."""
    return report.reason.startswith(STOPPED)


def used_all_rounds(report: Report) -> bool:
    """Whether the run ended because no round was left."""
    return report.reason.lower().startswith(ROUNDS_USED)


def can_use_more(report: Report) -> bool:
    """Whether larger limits could take the run further; not where every ranked page was tried."""
    return not report.reason.lower().startswith(ALL_RETIRED)
