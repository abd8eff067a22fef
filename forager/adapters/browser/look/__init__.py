"""What a live page shows: snapshots, rendered pages, screenshots."""
