"""Made-up tasks of Mind2Web and a conversation of MT-Mind2Web, with the page of each step."""

import json
from collections.abc import Sequence
from pathlib import Path

Record = dict[str, object]

PAGE = """<html backend_node_id="1"><head backend_node_id="2"><title backend_node_id="3">
<text backend_node_id="4">Coast ferries</text></title></head><body backend_node_id="5">
<div backend_node_id="6" bounding_box_rect="0,0,800,600">
<a backend_node_id="10" is_clickable="true"><text backend_node_id="11">Ferry tickets</text></a>
<a backend_node_id="12"><text backend_node_id="13">Island hotels</text></a>
<input backend_node_id="20" aria_label="Port or island">
<select backend_node_id="21" aria_label="Guests">
<option backend_node_id="22" option_selected="true" bounding_box_rect="-1,-1,-1,-1">
<text backend_node_id="23">1 guest</text></option>
<option backend_node_id="24" bounding_box_rect="-1,-1,-1,-1">
<text backend_node_id="25">2 guests</text></option></select>
<button backend_node_id="30"><span backend_node_id="31">
<text backend_node_id="32">Search</text></span></button>
<a backend_node_id="40" bounding_box_rect="-1,-1,-1,-1">
<text backend_node_id="41">Special offers</text></a>
<img src="https://away.invalid/ferry.png" alt="A ferry"></div></body></html>"""
TICKETS, HOTELS, PORT, GUESTS, SEARCH, OFFERS = "10", "12", "20", "21", "30", "40"
CANDIDATES = (TICKETS, HOTELS, PORT, GUESTS, SEARCH, OFFERS)


def web_step(id: str, element: str, op: str, value: str = "", page: str = PAGE) -> Record:
    """A step on the page of the ferries; `id` is the action's own."""
    return {
        "action_uid": id,
        "operation": {"op": op, "original_op": op, "value": value},
        "cleaned_html": page,
        "pos_candidates": [_candidate(element)],
        "neg_candidates": [_candidate(other) for other in CANDIDATES if other != element],
    }


def web_turn(id: str, task: str, steps: Sequence[Record], told: Sequence[str] = ()) -> Record:
    """A task, or a turn of a conversation."""
    return {
        "annotation_id": id,
        "website": "coast",
        "domain": "Travel",
        "confirmed_task": task,
        "action_reprs": list(told),
        "actions": list(steps),
    }


def _candidate(element: str) -> Record:
    return {"backend_node_id": element, "tag": "div", "attributes": "{}"}


BOOKING = web_turn(
    "t1",
    "Book ferry tickets to Holm for 2 guests",
    [
        web_step("a", TICKETS, "CLICK"),
        web_step("b", PORT, "TYPE", "Holm"),
        web_step("c", GUESTS, "SELECT", "2 guests"),
    ],
    [
        "[link]  Ferry tickets -> CLICK",
        "[textbox]  Port or island -> TYPE: Holm",
        "[combobox]  Guests -> SELECT: 2 guests",
    ],
)
HIDDEN = {
    **web_turn("t2", "See the offers", [web_step("a", OFFERS, "CLICK")]),
    "domain": "Shopping",
}
TALK: Record = {
    "task_id": "c1",
    "website": "coast",
    "domain": "Travel",
    "turns": [
        web_turn("c1a", "Find ferry tickets", [web_step("a", TICKETS, "CLICK")]),
        web_turn(
            "c1b",
            "Now for Holm",
            [web_step("a", PORT, "TYPE", "Holm"), web_step("b", SEARCH, "CLICK")],
        ),
    ],
}


def web_file(folder: Path, *records: Record) -> Path:
    """A file of tasks and conversations; without any, of those above."""
    path = folder / "web.json"
    path.write_text(json.dumps(records or (BOOKING, HIDDEN, TALK)), encoding="utf-8")
    return path
