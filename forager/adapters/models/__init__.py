"""The Model port: OpenAI-compatible endpoints, and the offline rules."""
