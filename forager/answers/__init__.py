"""Answers held to their quotes: citation check, conflicts, tables, arithmetic."""
