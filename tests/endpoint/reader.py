"""A small model that reads: it answers each role from nothing but the prompt, by shared words."""

import re
from collections.abc import Callable
from functools import partial

from bench.prompt_sections import prompt_sections
from tests.endpoint.reply import Reply
from tests.endpoint.request import Asked, Json, said

ROLE = re.compile(r"You are the (\w+) of")
WORD = re.compile(r"\w{3,}")
LINK = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
ELEMENT = re.compile(r"\[(e\d+) ([^\]]+)\]")
ACTION = re.compile(r"^(\d+): (.*)$", re.MULTILINE)
ENTRY = re.compile(r"^\[(\w+)\] .*\n((?:> .*\n?)+)", re.MULTILINE)
SENTENCE = re.compile(r"[^\n.!?]{20,}[.!?]?")
COMMON = {"the", "and", "for", "are", "was", "what", "which", "when", "who", "how", "does", "that"}
ENOUGH = 0.5
BEST = 2


def reads(asked: Asked) -> Reply:
    """The reply of the role that the system message names."""
    role = ROLE.search(asked.system)
    prompt = prompt_sections(said(asked.messages[1]))
    return Reply(ROLES[role[1]](prompt) if role else "I do not know my role.")


def words(text: str) -> set[str]:
    """The longer words of a text, without the commonest."""
    return {word for word in WORD.findall(text.lower()) if word not in COMMON}


def overlap(asked: str, text: str) -> float:
    """The share of the words asked that stand in a text."""
    wanted = words(asked)
    return len(wanted & words(text)) / (len(wanted) or 1)


def look_up(ask: str) -> Json:
    """One sub-question of a plan."""
    return {"ask": ask, "search": "", "needs": 0, "row": "", "column": ""}


def _plan(prompt: dict[str, str]) -> Json:
    return {"asks": [look_up(prompt["Question"])], "context": ""}


def _choose(prompt: dict[str, str]) -> Json:
    if "Kinds that can be used now" in prompt:
        return _act(prompt)
    if "Results not read yet" in prompt:
        return _search(prompt)
    if "Unread pages" in prompt:
        return _go_on(prompt)
    if "not been read" in prompt["The page you are on"]:
        return {"choice": -1, "reason": "it has not been read"}
    links = LINK.findall(prompt["Its links"])
    best = max(links, key=lambda link: overlap(prompt["Still open"], link[1]), default=None)
    if best is None or not overlap(prompt["Still open"], best[1]):
        return {"choice": -2, "reason": "no link bears on it"}
    return {"choice": int(best[0]), "reason": best[1][:60]}


def _go_on(prompt: dict[str, str]) -> Json:
    """The unread page or link that shares most words with what is open."""
    ways = LINK.findall(f"{prompt['Unread pages']}\n{prompt['Links']}")
    best = max(ways, key=lambda way: overlap(prompt["Still open"], way[1]), default=None)
    if best is None or not overlap(prompt["Still open"], best[1]):
        return {"choice": -2, "query": "", "reason": "no page bears on it"}
    return {"choice": int(best[0]), "query": "", "reason": best[1][:60]}


def _act(prompt: dict[str, str]) -> Json:
    """Has a page read, or clicks what shares most words with what is open."""
    move: Json = {"reason": "it bears on it", "ref": "", "value": "", "submit": False}
    if "aggregate" in prompt["Kinds that can be used now"]:
        return {**move, "kind": "aggregate"}
    elements = ELEMENT.findall(prompt["The page"])
    best = max(elements, key=lambda each: overlap(prompt["Still open"], each[1]), default=None)
    if best and overlap(prompt["Still open"], best[1]):
        return {**move, "kind": "click", "ref": best[0]}
    return {**move, "kind": "stop"}


def _rate(prompt: dict[str, str]) -> Json:
    actions = ACTION.findall(prompt["Actions"])
    scores = [(int(number), overlap(prompt["Checklist"], text)) for number, text in actions]
    return {"ratings": [{"number": number, "score": score} for number, score in scores]}


def _search(prompt: dict[str, str]) -> Json:
    """The result that shares most words with what is open, or else a search for the next of it."""
    move: Json = {"reason": "it bears on it", "query": "", "choice": 0, "stop": False}
    results = LINK.findall(prompt["Results not read yet"])
    best = max(results, key=lambda each: overlap(prompt["Still open"], each[1]), default=None)
    if best and overlap(prompt["Still open"], best[1]):
        return {**move, "choice": int(best[0])}
    open = [line[2:] for line in prompt["Still open"].splitlines()]
    fresh = [each for each in open if each not in prompt["Searches so far"]]
    return {**move, "query": fresh[0]} if fresh else {**move, "stop": True}


def _copy(prompt: dict[str, str]) -> Json:
    parts = dict(line[2:].split(": ", 1) for line in prompt["Parts"].splitlines())
    sentences = [found[0].strip() for found in SENTENCE.finditer(prompt["Text"])]
    passages: list[Json] = []
    for part, asked in parts.items():
        ranked = sorted(sentences, key=partial(_distance, asked))
        passages += [
            {"part": part, "quote": each, "confidence": min(1.0, overlap(asked, each) + 0.2)}
            for each in ranked[:BEST]
            if overlap(asked, each)
        ]
    return {"passages": passages}


def _distance(asked: str, text: str) -> float:
    return -overlap(asked, text)


def _edit(prompt: dict[str, str]) -> Json:
    count = len(ENTRY.findall(prompt["New passages"]))
    edits = [{"op": "ADD", "passage": number, "entry": ""} for number in range(1, count + 1)]
    known = prompt["Ledger"] + "\n" + prompt["New passages"]
    parts = [line[2:] for line in prompt["Parts"].splitlines()]
    open = [part for part in parts if not _strong(part.partition(": ")[2], known)]
    return {"edits": edits, "open": open}


def _judge(prompt: dict[str, str]) -> Json:
    strong = _strong(prompt["Look-up"], prompt["Quotes"])
    ids = [line[2:].partition(":")[0] for line in prompt["Its ids"].splitlines()]
    covered = ids if strong else []
    return {"quotes": strong, "covered": covered, "reason": "" if strong else "no quote says it"}


def _reflect(prompt: dict[str, str]) -> Json:
    found = prompt["Quotes added"] != "none"
    return {"outcome": "partial" if found else "infeasible", "lesson": "Look elsewhere."}


def _write(prompt: dict[str, str]) -> Json:
    entries = {id: text.replace("> ", "").strip() for id, text in ENTRY.findall(prompt["Quotes"])}
    best = max(entries, key=lambda id: overlap(prompt["Question"], entries[id]), default="")
    if not best:
        return {"text": "", "open": [prompt["Question"]]}
    return {"text": f"{' '.join(entries[best].split())} [{best}]", "open": []}


def _strong(asked: str, quotes: str) -> list[str]:
    return [id for id, text in ENTRY.findall(quotes) if overlap(asked, text) >= ENOUGH]


ROLES: dict[str, Callable[[dict[str, str]], Json]] = {
    "surveyor": _plan,
    "navigator": _choose,
    "rater": _rate,
    "extractor": _copy,
    "aggregator": _edit,
    "critic": _judge,
    "reflector": _reflect,
    "answerer": _write,
    "probe": lambda prompt: {"lines": [], "open": ["p1", "p2"]},
}
