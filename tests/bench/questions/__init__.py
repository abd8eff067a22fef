"""Tests of answer runs, metrics and the judge."""
