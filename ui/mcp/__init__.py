"""Forager as a server of the Model Context Protocol: its tools, and the two ways to reach them."""
