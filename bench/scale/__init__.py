"""Many sessions, rows, processes and users: what one machine carries, and what a fault costs."""
