"""The pages of the web UI, one file each with one function `page`."""
