"""Decodes bytes by byte order mark, HTTP header, declaration in the page, or detection."""

from charset_normalizer import CharsetMatch, from_bytes
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

SAMPLE_BYTES = 32_768
CANDIDATES = [
    "cp1252", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "koi8_r",
    "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874",
]  # fmt: skip
"""Common charsets on the web, most likely first."""
ONE_BYTE_CHARSETS = frozenset({"cp1252", "latin-1", "iso8859-1", "ascii", "us-ascii"})


def decode_body(body: bytes, content_type: str = "") -> str:
    """Decode a page; bytes that fit no charset become U+FFFD. Never fails."""
    mark, bom = read_bom(body)
    if mark is not None and bom is not None:
        return body[len(bom) :].decode(mark, "replace")
    if (text := _decode_strictly(body, "utf-8")) is not None and _is_utf8(body, text, content_type):
        return text
    for name in _declared_charsets(body, content_type):
        text = _decode_nearly_utf8(body) if name == "utf-8" else _decode_strictly(body, name)
        if text is not None:
            return text
    return _decode_by_detection(body)


def _declared_charsets(body: bytes, content_type: str) -> list[str]:
    header = http_content_type_encoding(content_type)
    names = (resolve_encoding(name) for name in (header, html_body_declared_encoding(body)) if name)
    return [name for name in names if name and name not in ("utf-16", "utf-32")]


def _is_utf8(body: bytes, text: str, content_type: str) -> bool:
    """Valid UTF-8 is UTF-8, unless a multi-byte charset was declared."""
    if len(text) != len(body):
        return all(
            name == "utf-8" or name in ONE_BYTE_CHARSETS
            for name in _declared_charsets(body, content_type)[:1]
        )
    return b"\x1b" not in body and b"~{" not in body


def _decode_strictly(body: bytes, name: str) -> str | None:
    try:
        return body.decode(name)
    except (UnicodeError, LookupError):
        return None


def _decode_nearly_utf8(body: bytes) -> str | None:
    """Decode UTF-8 with a few broken bytes; None if there are too many."""
    text = body.decode("utf-8", "replace")
    return text if text.count("\ufffd") <= 1 + len(text) // 2000 else None


def _decode_by_detection(body: bytes) -> str:
    if (text := _decode_nearly_utf8(body)) is not None:
        return text
    found = from_bytes(body[:SAMPLE_BYTES], cp_isolation=CANDIDATES)
    best = min(found, key=_rank_match).encoding if found else CANDIDATES[0]
    return body.decode(best, "replace")


def _rank_match(match: CharsetMatch) -> tuple[float, float, int]:
    return match.chaos, -match.coherence, CANDIDATES.index(match.encoding)
