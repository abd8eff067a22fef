"""The process behind the web UI: runs in a loop of their own, the JSON API, and who may come in."""
