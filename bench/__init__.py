"""Question sets, scorers and speed: strategies side by side."""
