"""Chooses the page to start from next: arms, Beta posteriors, strategies and rewards."""
