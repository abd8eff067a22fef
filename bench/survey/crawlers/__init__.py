"""The crawlers that `bench crawl` runs side by side, each in a process of its own."""
