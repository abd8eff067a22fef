"""The headers that keep a browser from what no page of ours does."""

import hashlib
import re
from base64 import b64encode
from functools import cache
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders

INLINE = re.compile(r"<script>(.*?)</script>", re.S)


def secure(headers: MutableHeaders, host: str) -> None:
    """Add them to a reply; `host` is this server's own name."""
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"  # without any, a form says it comes from nowhere
    headers["X-Frame-Options"] = "DENY"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Content-Security-Policy"] = policy(host)


def policy(host: str) -> str:
    """What a page may load: nothing from elsewhere.

    Components are modules from blobs, and Streamlit styles its elements in their attributes.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' blob: {_inline()}",
            "style-src 'self' 'unsafe-inline'",
            "font-src 'self' data:",
            "img-src 'self' data: blob:",
            "media-src 'self' data: blob:",
            f"connect-src 'self' data: ws://{host} wss://{host}",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "frame-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


@cache
def _inline() -> str:
    """The scripts that stand in Streamlit's own page, by their hashes."""
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    found = INLINE.findall(page.read_text(encoding="utf-8"))
    digests = (hashlib.sha256(script.encode()).digest() for script in found)
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)
