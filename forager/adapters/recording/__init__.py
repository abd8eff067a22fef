"""Recordings of what came through the ports, and their replay."""
