"""Graphs as data: spec, node types, registry, saved versions, edits, differences."""
