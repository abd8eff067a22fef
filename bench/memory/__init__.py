"""Benches of memory: what is found again, how fast, and what it is worth."""
