"""The components of the pages: Python that mounts them, and their JavaScript and CSS beside it."""
