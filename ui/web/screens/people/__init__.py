"""Accounts: the page of all of them, one's own, and what people share."""
