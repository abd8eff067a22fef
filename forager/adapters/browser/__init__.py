"""The Browser port: Chromium driven by Playwright."""
