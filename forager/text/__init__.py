"""Text analysis: tokens, sentences, blocks, tables, lists, numbers, dates, quotes.

Pure functions of strings, independent of the state of a run.
"""
