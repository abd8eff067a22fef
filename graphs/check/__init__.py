"""The checker: faults of a graph, each with the edit that mends it."""
