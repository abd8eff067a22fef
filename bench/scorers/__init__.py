"""Metrics of public question sets, as pure functions of a gold answer and an answer."""
