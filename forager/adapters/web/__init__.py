"""The Web port: pages are fetched, read and crawled, and kept as documents."""
