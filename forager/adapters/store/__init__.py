"""Storage in SQLite: checkpoints, sessions, graphs, blobs, recipes, leases."""
