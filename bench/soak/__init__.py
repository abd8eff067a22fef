"""Runs of many kinds on one data folder, with faults at random, and a check of what is left."""
