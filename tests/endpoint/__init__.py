"""A scripted OpenAI-compatible chat server on loopback, which misbehaves on demand."""

from tests.endpoint.minimal_script import conforming
from tests.endpoint.reply import Reply
from tests.endpoint.request import Asked
from tests.endpoint.server import Endpoint, Script

__all__ = ["Asked", "Endpoint", "Reply", "Script", "conforming"]
