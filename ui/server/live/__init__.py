"""A session as the web UI shows it, and the stream of its changes."""
