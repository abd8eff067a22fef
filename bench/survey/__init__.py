"""Surveys of sites: crawl rate, peak memory, recall of gold pages, and the bandit over them."""
