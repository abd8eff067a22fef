"""The canvas of the graph editor, measured in a browser."""
