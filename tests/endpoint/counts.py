"""Tokens, counted the same on every machine, and what a provider's prompt cache would hold."""

from hashlib import sha256

from tests.endpoint.request import Asked, Json

CHARACTERS = 4  # a token
STEP = 128  # tokens; a cache keeps prefixes of whole steps
FLOOR = 1024  # tokens; shorter prefixes are not cached


def tokens(text: str) -> int:
    """A count of tokens by the length of the text."""
    return len(text) // CHARACTERS


class PromptCache:
    """The prefixes of the requests so far, by model."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def cached(self, asked: Asked) -> int:
        """The tokens of the prefix shared with an earlier request; remembers this one."""
        digests = _prefixes(asked)
        shared = next((n for n, each in enumerate(digests) if each not in self._seen), len(digests))
        self._seen.update(digests)
        return shared * STEP if shared * STEP >= FLOOR else 0


def _prefixes(asked: Asked) -> list[bytes]:
    """A digest of each prefix of whole steps, the shortest first."""
    size = STEP * CHARACTERS
    running = sha256(asked.model.encode())
    digests = []
    for at in range(0, len(asked.text) // size * size, size):
        running.update(asked.text[at : at + size].encode("utf-8", "surrogatepass"))
        digests.append(running.digest())
    return digests


def usage(asked: Asked, written: str, cached: int) -> Json:
    """The usage object of the API."""
    prompt, completion = tokens(asked.text), tokens(written)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }
