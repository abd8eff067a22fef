"""Maps a site: which pages there are, how they link, and their indexes."""
