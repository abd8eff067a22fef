"""Accounts with their tokens, shares and spending: one database for an installation."""
