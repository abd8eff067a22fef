"""Fetches bytes from the web: politely, within limits, never from private addresses."""
