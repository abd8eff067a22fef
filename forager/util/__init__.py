"""Small tools independent of Forager's domain: files, concurrency, suggestions, YAML."""
