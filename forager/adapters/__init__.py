"""The outside: web, browser, search, models, memory, storage; errors are translated here."""
