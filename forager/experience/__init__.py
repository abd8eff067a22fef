"""What memory compares: moments, facets, examples, simplified pages."""
