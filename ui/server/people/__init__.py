"""The API of accounts, their tokens and what they share, and the pages of shared sessions."""
