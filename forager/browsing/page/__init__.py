"""A page as a model sees it: accessibility tree, lines, relevance, observation."""
