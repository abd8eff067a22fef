"""The rule of each role, a file a role: what stands in for the language model in offline runs.

Pure functions of values: they know no node and reach nothing but the embedder.
"""
