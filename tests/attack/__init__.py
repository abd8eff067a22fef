"""Attacks as data: `cases` says what is sent and what must be seen, a module sends each chapter."""
