"""Repeats the steps that led to a page, and proves that it is the same state."""
