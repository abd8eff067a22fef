"""Conditions on figures of the state: a small language without code, and the figures it knows."""
