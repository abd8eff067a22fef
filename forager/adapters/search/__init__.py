"""The Search port: web search engines, and an index of crawled pages."""
