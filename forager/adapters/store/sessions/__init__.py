"""Sessions, their events, approvals and steers, in tables."""
