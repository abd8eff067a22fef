"""Tests of the benches' commands."""
