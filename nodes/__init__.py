"""One role, one file: prompt, parameters, reply, task, one coroutine, its route and NODE_TYPE.

A node reads the state, asks its ports, and returns the keys that it owns; it knows no other node.
"""
