"""Which page to start from next: arms, Beta posteriors, strategies, rewards."""
