"""Asking a question and watching the run that answers it."""
