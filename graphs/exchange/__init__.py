"""Graphs as files of other programs, and back."""
