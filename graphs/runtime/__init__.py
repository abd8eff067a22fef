"""A run: bind the ports, compile the graph, meter its nodes, interrupt for approval, resume."""
