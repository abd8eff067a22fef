"""The adapter for the Browser port: Chromium, driven by Playwright."""
