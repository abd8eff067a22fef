"""Tests of the oracles of MiniWoB++."""
