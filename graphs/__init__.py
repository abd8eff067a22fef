"""Graphs as data: registry, spec, check, compile, and the sessions that run them."""
