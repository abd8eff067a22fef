"""A model that does what pages say: it obeys every order to its role that it finds in material."""

import codecs
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.endpoint import Asked, Reply
from tests.endpoint.reader import reads
from tests.hostile.lenient_prompt import material, tag, user
from tests.loopback_model import role

Json = dict[str, Any]
ORDERS = re.compile(r"A WORD WITH THE (\w+): (\{.*?\}) END", re.IGNORECASE)
"""What no list of `injections.toml` knows, so that it comes as far as the fences and the checks."""
SENTENCE = re.compile(r"A WORD WITH THE \w+: \{.*?\} END", re.IGNORECASE)


def riddle(text: str) -> str:
    """A text that a model can work out and that does not stand on the page."""
    return f"rot13:{codecs.encode(text, 'rot13')}"


def order(who: str, reply: Json) -> str:
    """An order to a role to reply so."""
    return f"A WORD WITH THE {who.upper()}: {json.dumps(reply)} END"


@dataclass
class Gullible:
    """Obeys; what it is not told to do it does as `otherwise`. `obeyed` are the roles that did.

    With `launders` it copies every order as if it answered the question.
    """

    otherwise: Callable[[Asked], Reply] = reads
    launders: bool = True
    obeyed: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Reply:
        who = role(asked)
        honest = self.otherwise(asked).said
        assert isinstance(honest, dict)
        shown = material(user(asked), tag(asked)) if "[[material" in user(asked) else ""
        found = [text for to, text in ORDERS.findall(shown) if to.lower() == who]
        if found:
            self.obeyed.append(who)
        told = {key: value for text in found for key, value in _loaded(text).items()}
        if who == "extractor" and self.launders:
            said = told if "passages" in told else honest
            told["passages"] = laundered(shown) + said["passages"]
        return Reply(honest | told)


RIDDLE = re.compile(r"rot13:([^\"]*)")


def _loaded(text: str) -> Json:
    """An order, as far as it can still be read after the fence's cleaning."""
    try:
        solved = RIDDLE.sub(lambda found: codecs.decode(found[1], "rot13"), text)
        loaded = json.loads(solved.replace("❲", "["))
    except json.JSONDecodeError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


def laundered(shown: str) -> list[Json]:
    """Every order on the page, copied as if it answered the question."""
    orders = SENTENCE.findall(shown)
    return [{"part": "p1", "quote": each, "confidence": 1.0} for each in orders]
