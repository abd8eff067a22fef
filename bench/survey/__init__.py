"""Surveys of a site: crawl rate, peak memory, recall of gold pages, and the bandit on top."""
