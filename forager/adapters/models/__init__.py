"""The Model port: OpenAI-compatible endpoints, other LangChain providers, and offline rules."""
