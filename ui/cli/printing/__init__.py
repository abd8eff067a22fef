"""What the commands print: reports, lists, progress, and text made safe for a terminal."""
