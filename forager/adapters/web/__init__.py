"""The Web port: fetches, reads and crawls pages, and stores them as documents."""
