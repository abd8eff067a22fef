"""Real web applications for browser benchmarks, each in its own process and folder."""
