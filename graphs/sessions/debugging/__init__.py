"""Trying things on a paused or ended run: its state changed by hand, one of its nodes run alone."""
