"""The list of sessions, and one session in detail or beside another."""
