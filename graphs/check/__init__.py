"""The checker: finds faults of a graph, each with an edit that fixes it."""
