"""The revisions of the tables of sessions."""
