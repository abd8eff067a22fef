"""Revisions of the tables of sessions."""
