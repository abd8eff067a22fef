"""Tests of the benches of surveys and the bandit."""
