"""The crawlers that `bench crawl` compares, each run in its own process."""
