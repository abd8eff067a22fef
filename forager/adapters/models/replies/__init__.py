"""What models reply: its schema, its parsing, and what is kept of a faulty reply."""
