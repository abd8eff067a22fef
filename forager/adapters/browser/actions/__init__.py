"""What is done on a live page, and what is checked before it."""
