"""Benchmarks of memory: what it retrieves, how fast, and what it is worth."""
