"""Accounts of an installation: their spaces, tokens, limits and what they share."""
