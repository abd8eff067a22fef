"""A real browser behind the Browser port."""
