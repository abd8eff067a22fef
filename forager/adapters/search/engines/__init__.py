"""One search engine per file. To add one, add its file here and a line in provider_registry."""
