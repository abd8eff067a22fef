"""Hand-made PDFs: plain ones, locked ones, and some that crash their reader."""

import hashlib
import zlib
from collections.abc import Sequence

PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
"""The padding of passwords in the standard."""
IDENTITY = bytes(16)
RIGHTS = b"\xfc\xff\xff\xff"
"""The permission flags in the standard: everything is allowed."""


def make_pdf(*pages: str, link: str = "", title: str = "") -> bytes:
    """A PDF with one line of text and one link per page."""
    contents = [f"BT /F 12 Tf 20 100 Td ({words}) Tj ET".encode() for words in pages]
    return pages_of(contents, link=link, title=title)


def pages_of(
    contents: Sequence[bytes],
    *,
    link: str = "",
    title: str = "",
    packing: str = "",
    font: str = "",
    more: Sequence[bytes] = (),
) -> bytes:
    """A PDF with a page for each content stream, encoded by a filter."""
    note = f"/Annots [<< /Subtype /Link /A << /S /URI /URI ({link}) >> >>]" if link else ""
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {font} >>".encode(),
        f"<< /Title ({title}) >>".encode(),
    ]
    for number, content in enumerate(contents):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1000 200] {note} /Contents"
            f" {6 + 2 * number} 0 R /Resources << /Font << /F 3 0 R >> >> >>".encode(),
            stream(content, packing),
        ]
    return assembled([*objects, *more], "/Info 4 0 R")


def stream(content: bytes, packing: str = "") -> bytes:
    """A stream object."""
    return f"<< /Length {len(content)} {packing} >>\nstream\n".encode() + content + b"\nendstream"


def assembled(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """Assemble a PDF of objects numbered from 1; the first one is the root."""
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"trailer << /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF"
    return body + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode()


def mapped(code: str, contents: str) -> bytes:
    """A PDF whose letter A maps to a UTF-16 code."""
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2"
        " def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar"
        f" <41> <{code}> endbfchar endcmap end end"
    )
    words = f"BT /F 12 Tf 20 100 Td ({contents}) Tj ET".encode()
    return pages_of([words], font="/ToUnicode 7 0 R", more=[stream(cmap.encode())])


def image() -> bytes:
    """A PDF whose page is an image, as a scanner makes it."""
    pixels = stream(
        b"\x00\xff\xff\x00",
        "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray"
        " /BitsPerComponent 8",
    )
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R"
            b" /Resources << /XObject << /I 5 0 R >> >> >>",
            stream(b"200 0 0 200 0 0 cm /I Do"),
            pixels,
        ]
    )


def locked(words: str, password: bytes) -> bytes:
    """A PDF with a password, encrypted with the standard's oldest method."""
    filled = (password + PADDING)[: len(PADDING)]
    owner = rc4(_digest(filled)[:5], filled)
    key = _digest(filled + owner + RIGHTS + IDENTITY)[:5]
    content = f"BT /F 12 Tf 20 100 Td ({words}) Tj ET".encode()
    packed = rc4(_digest(key + (4).to_bytes(3, "little") + bytes(2))[:10], content)
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1000 200] /Contents 4 0 R"
            b" /Resources << /Font << /F 5 0 R >> >> >>",
            stream(packed),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{owner.hex()}>"
            f" /U <{rc4(key, PADDING).hex()}> >>".encode(),
        ],
        f"/Encrypt 6 0 R /ID [<{IDENTITY.hex()}> <{IDENTITY.hex()}>]",
    )


def _digest(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def rc4(key: bytes, data: bytes) -> bytes:
    """Encrypt data with RC4."""
    box = list(range(256))
    other = 0
    for at in range(256):
        other = (other + box[at] + key[at % len(key)]) % 256
        box[at], box[other] = box[other], box[at]
    at = other = 0
    made = bytearray()
    for byte in data:
        at = (at + 1) % 256
        other = (other + box[at]) % 256
        box[at], box[other] = box[other], box[at]
        made.append(byte ^ box[(box[at] + box[other]) % 256])
    return bytes(made)


def bomb() -> bytes:
    """A small PDF whose page decompresses to more than the memory limit."""
    packing = zlib.compressobj(9)
    parts = [packing.compress(bytes(1 << 20)) for _ in range(900)]
    packed = zlib.compress(b"".join(parts) + packing.flush(), 9)
    return pages_of([packed], packing="/Filter [/FlateDecode /FlateDecode]")


def long() -> bytes:
    """A small PDF whose page takes seconds to read."""
    words = b"(and so on and so on and so on and so on) Tj " * 300_000
    packed = zlib.compress(b"BT /F 1 Tf 20 100 Td " + words + b"ET", 9)
    return pages_of([packed], packing="/Filter /FlateDecode")
