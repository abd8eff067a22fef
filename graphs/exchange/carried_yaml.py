"""The YAML of a graph inside a drawing of it, from which the graph can be read back."""

import base64
import binascii
import re
import struct
import zlib

from forager.errors import GraphError
from graphs.spec.spec import MAX_BYTES

KEYWORD = "forager-graph"
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
HEADER = f"{KEYWORD}\0".encode() + b"\1\0\0\0"
"""Before the compressed text: keyword, compressed, method, no language, no other keyword."""
COMMENT, FLOWCHART = "%% ", "flowchart "
SVG_CARRIED = re.compile(rf'<metadata id="{KEYWORD}">([A-Za-z0-9+/=]*)</metadata>')


def add_to_mermaid(text: str, yaml: str) -> str:
    """The flowchart with the YAML as comments behind it."""
    return text + "".join(f"{COMMENT}{line}".rstrip() + "\n" for line in yaml.splitlines())


def add_to_svg(svg: str, yaml: str) -> str:
    """The drawing with the YAML as metadata."""
    opening = svg.index(">", svg.index("<svg")) + 1
    return svg[:opening] + svg_metadata(yaml) + svg[opening:]


def svg_metadata(yaml: str) -> str:
    """The element that carries the YAML in a drawing, in base64."""
    packed = base64.b64encode(yaml.encode()).decode()
    return f'<metadata id="{KEYWORD}">{packed}</metadata>'


def add_to_png(png: bytes, yaml: str) -> bytes:
    """The picture with the YAML before its end."""
    end = png.rindex(b"IEND") - 4
    return png[:end] + png_chunk(yaml) + png[end:]


def png_chunk(yaml: str) -> bytes:
    """The chunk that carries the YAML: a compressed international text (PNG, 11.3.3.4)."""
    body = HEADER + zlib.compress(yaml.encode())
    kind = b"iTXt" + body
    return struct.pack(">I", len(body)) + kind + struct.pack(">I", zlib.crc32(kind))


def read_carried(body: bytes) -> str:
    """The YAML in a Mermaid, SVG or PNG file; empty for other files.

    Raises GraphError for such a file without a graph.
    """
    if body.startswith(PNG_MAGIC):
        return _required(_read_png(body))
    text = body.decode("utf-8", "replace")
    if text.startswith("<"):
        found = SVG_CARRIED.search(text)
        return _required(_unpack(found[1]) if found else "")
    if text.startswith(FLOWCHART):
        comments = (line for line in text.splitlines() if line.startswith(COMMENT.rstrip()))
        return _required("\n".join(line[len(COMMENT) :] for line in comments))
    return ""


def _unpack(packed: str) -> str:
    try:
        return base64.b64decode(packed, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _read_png(body: bytes) -> str:
    """The text of our chunk; empty if there is none, or if it is damaged or too large."""
    place = len(PNG_MAGIC)
    while place + 8 <= len(body):
        (size,) = struct.unpack(">I", body[place : place + 4])
        if body[place + 4 : place + 8 + len(HEADER)] == b"iTXt" + HEADER:
            packed = body[place + 8 + len(HEADER) : place + 8 + size]
            try:
                return zlib.decompressobj().decompress(packed, MAX_BYTES).decode("utf-8")
            except (zlib.error, UnicodeDecodeError):
                return ""
        place += size + 12
    return ""


def _required(yaml: str) -> str:
    if not yaml.strip():
        raise GraphError(
            "The file has no graph to read.",
            "Choose a drawing that Forager exported, unchanged by other programs, or its YAML.",
        )
    return yaml + "\n" * (not yaml.endswith("\n"))
