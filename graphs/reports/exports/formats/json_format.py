"""A session as one JSON object, which `forager verify` reads."""

import json

from graphs.reports.exports.document import Export

FIRST_KEYS = ("version", "question", "sites", "budget", "seed", "asked")


def as_json(export: Export) -> str:
    """What was asked, then the report, with the ledger in full."""
    body = export.model_dump(mode="json")
    ordered = {name: body.pop(name) for name in FIRST_KEYS} | body
    return json.dumps(ordered, ensure_ascii=False, indent=2) + "\n"
