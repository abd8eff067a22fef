"""Models and keys, search, storage, privacy, and a check of this machine."""
