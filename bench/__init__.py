"""Benchmarks: question sets, metrics and speed. Nothing of the product imports this package."""
