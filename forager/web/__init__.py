"""The web: addresses, guard, fetcher, reader, crawler, browser."""
