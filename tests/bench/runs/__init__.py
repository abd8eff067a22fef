"""Tests of the runs of public question sets."""
