"""The browser's process, contexts, cookies and downloads."""
