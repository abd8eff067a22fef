"""Saved graphs and drafts, in tables."""
