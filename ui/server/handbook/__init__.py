"""The handbook as a site: pages rendered from Markdown, generated reference pages, their server."""
