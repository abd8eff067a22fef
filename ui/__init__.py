"""The faces of Forager: they talk to graphs alone."""
