"""What finished runs leave in memory: episodes of attempts, snippets of steps, and their keeper."""
