"""What prompts are made of: sections, their size in tokens, escaped marks."""
