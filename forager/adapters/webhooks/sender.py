"""Sends a message to a webhook, signed as Standard Webhooks says.

Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import base64
import binascii
import hashlib
import hmac
import logging
from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr

LOG = logging.getLogger(__name__)
SECONDS = 10.0
GONE = 410
SECRET_PREFIX = "whsec_"  # noqa: S105  # how such a secret begins
Outcome = Literal["taken", "refused", "gone"]


def sign(id: str, timestamp: int, body: bytes, secret: SecretStr) -> str:
    """The signature of a message: HMAC-SHA256 over its id, time (s) and body, in base64."""
    told = f"{id}.{timestamp}.".encode() + body
    made = hmac.new(_key(secret.get_secret_value()), told, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"


def signed_headers(id: str, timestamp: int, body: bytes, secret: SecretStr) -> dict[str, str]:
    """The headers of a message that is sent at this time (s since the epoch)."""
    return {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(id, timestamp, body, secret),
    }


async def send_message(
    url: str, body: bytes, headers: Mapping[str, str], proxy: str | None
) -> Outcome:
    """Send a message once; redirects are not followed.

    `refused` may be tried again; `gone` says that the address wants no more.
    """
    host = urlsplit(url).netloc.rpartition("@")[2]
    try:
        async with httpx2.AsyncClient(proxy=proxy, trust_env=False, timeout=SECONDS) as client:
            response = await client.post(url, content=body, headers=headers)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        LOG.warning("webhook %s: %s", host, type(error).__name__)
        return "refused"
    if response.is_success:
        LOG.info("webhook %s took %s", host, headers["webhook-id"])
        return "taken"
    LOG.warning("webhook %s: HTTP %d", host, response.status_code)
    return "gone" if response.status_code == GONE else "refused"


def _key(secret: str) -> bytes:
    """The bytes of a secret: what follows `whsec_` is base64, any other is taken as it stands."""
    if secret.startswith(SECRET_PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
        except binascii.Error:
            return secret.encode()
    return secret.encode()
