"""Tests of the browser's benches."""
