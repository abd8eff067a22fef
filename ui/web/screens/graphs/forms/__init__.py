"""The forms beside the drawing: a node, its parameters, and those of the graph."""
