"""Sessions: start, run, steer, fork, list, export. One service for every user interface."""
