"""Texts to unit vectors: MiniLM, an endpoint, a cache."""
