"""One search engine a file. To add one: its file here, its line in provider_registry."""
