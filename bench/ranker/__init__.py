"""Trains and measures the cross-encoder that rates passages."""
