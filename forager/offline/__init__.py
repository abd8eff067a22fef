"""The rule of each role, for runs without a language model."""
