"""The list of graphs and the graph editor."""
