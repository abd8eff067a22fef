"""Sessions on a Ray cluster: the connection, the tasks that run them, and a pool of browsers."""
