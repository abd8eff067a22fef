"""Judges by words, URLs and requests whether an action changes something on a site."""
