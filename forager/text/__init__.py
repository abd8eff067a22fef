"""Text taken apart: tokens, sentences, blocks, tables, lists, numbers, dates, quotes.

Pure functions of strings; nothing here knows the state of a run."""
