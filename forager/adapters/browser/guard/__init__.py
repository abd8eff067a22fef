"""What the browser may send: a proxy, read-only tabs, permitted addresses."""
