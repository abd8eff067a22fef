"""Tells other programs of sessions: signed messages to their addresses."""
