"""Turns bytes into documents: HTML, PDF, text. Nothing here fetches."""
