"""Maps the sites, splits the question into what must be looked up, and ranks pages into arms."""
