"""Real applications for tests: those of the benches as fixtures, and a manual built by Sphinx."""
