"""The values of a run: frozen models that nodes read and write and checkpoints store."""
