"""The web UI under load: paint, response and event times, memory and stream size."""
