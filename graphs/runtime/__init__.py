"""A run: ports composed, graph compiled, metered, interrupted for approval, resumed."""
