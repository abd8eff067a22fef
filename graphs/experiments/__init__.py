"""Graphs against each other on the same questions: rows, scores, summaries."""
