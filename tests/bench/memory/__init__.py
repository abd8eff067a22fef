"""Tests of the benches of memory."""
