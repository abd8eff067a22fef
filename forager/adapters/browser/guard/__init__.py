"""Limits what the browser may send: a proxy, read-only tabs, and permitted URLs."""
