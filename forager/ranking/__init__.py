"""Ranks units and pages for a sub-question: lexical index and scores."""
