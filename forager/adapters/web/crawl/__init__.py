"""Maps a site: its pages, the links between them, and their indexes."""
