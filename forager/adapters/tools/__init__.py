"""The Tools port: the tools of MCP servers."""
