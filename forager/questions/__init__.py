"""What a question asks for: sub-questions, dependencies, follow-ups, search queries."""
