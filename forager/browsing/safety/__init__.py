"""Does an action change something on a site? Judged by words, addresses and requests."""
