"""Tests of forager/memory."""
