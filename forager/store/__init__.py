"""Storage: checkpoints, sessions, events and blobs."""
