"""The Memory port: episodes and snippets in Chroma."""
