"""Chat completions for OpenAI's clients: a conversation is a session, a graph is a model."""
