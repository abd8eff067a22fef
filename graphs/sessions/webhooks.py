"""Webhooks: other programs are told when a session ends or waits for a person."""

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from forager.adapters.store.webhook_queue import WebhookMessage, WebhookQueue
from forager.adapters.webhooks.sender import SECONDS, send_message, signed_headers
from forager.errors import StoreError
from forager.settings import Settings
from graphs.reports.report import Report

LOG = logging.getLogger(__name__)
PAUSES = (5.0, 30.0, 120.0, 600.0, 3600.0, 4 * 3600.0, 12 * 3600.0)
"""Seconds after each try in vain; after the last one a message is given up."""
CLAIM_SECONDS = 3 * SECONDS
LOOK_SECONDS = 2.0
"""How often a program looks for messages that are due."""
LAST_SECONDS = 5.0
"""How long a program that ends tries what is due; the next one goes on."""


class Webhooks:
    """Queues messages, and sends those that are due; the settings may change in between."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def is_set(self) -> bool:
        """Whether there is an address, and a secret to sign with."""
        return bool(self.settings.webhooks and self.settings.webhook_secret)

    def tell_end(self, report: Report) -> None:
        """Queue that a session has ended."""
        self._queue(report.session, report.status, message_of(report))

    def tell_waiting(self, session: str, question: str, asks: str) -> None:
        """Queue that a session asks for an approval."""
        data = {"session": session, "question": question, "status": "waiting", "asks": asks}
        self._queue(session, "waiting", data)

    async def send_due(self) -> None:
        """Send what is due, each message once. Raises StoreError."""
        if not self.is_set:
            return
        queue = WebhookQueue(self.settings.place("webhooks"))
        while message := await asyncio.to_thread(
            queue.claim, time.time(), time.time() + CLAIM_SECONDS
        ):
            await self._send(queue, message)

    def _queue(self, session: str, status: str, data: Mapping[str, object]) -> None:
        """A message that cannot be queued is no reason for a run to fail."""
        if not self.is_set:
            return
        told = {"type": f"session.{status}", "timestamp": _now(), "data": data}
        body = json.dumps(told, ensure_ascii=False)
        try:
            queue = WebhookQueue(self.settings.place("webhooks"))
            queue.add(session, self.settings.webhooks, body, time.time())
        except StoreError as error:
            LOG.error("webhooks: %s", error)

    async def _send(self, queue: WebhookQueue, message: WebhookMessage) -> None:
        secret = self.settings.webhook_secret
        assert secret is not None, "send_due looked"  # noqa: S101
        body, proxy = message.body.encode(), self.settings.proxy_for(message.url)
        headers = signed_headers(message.id, int(time.time()), body, secret)
        outcome = await send_message(message.url, body, headers, proxy)
        if outcome == "refused" and message.tries < len(PAUSES):
            due = time.time() + PAUSES[message.tries]
            await asyncio.to_thread(queue.put_off, message.id, due)
            return
        if outcome != "taken":
            LOG.error("webhooks: %s of session %s is given up", message.id, message.session)
        await asyncio.to_thread(queue.remove, message.id)


def message_of(report: Report) -> dict[str, object]:
    """What a message says of a session that has ended."""
    return {
        "session": report.session,
        "question": report.question,
        "graph": report.graph,
        "model": report.model,
        "status": report.status,
        "answer": report.answer,
        "citations": [
            {"id": each.id, "url": each.url, "quote": each.quote} for each in report.citations
        ],
        "open": list(report.open),
        "reason": report.reason,
        "error": report.error,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
