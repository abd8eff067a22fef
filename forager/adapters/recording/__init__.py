"""Recordings of the ports' calls, and their replay."""
