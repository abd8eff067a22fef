"""The web UI under load: how soon it paints, answers and tells, and what it holds on to."""
