"""Benchmark results as tables and charts."""
