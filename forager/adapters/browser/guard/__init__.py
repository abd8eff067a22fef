"""Limits what the browser may send: a proxy, approvals, read-only tabs, and permitted URLs."""
