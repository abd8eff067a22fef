"""What needs no session: doctor, model probe, page cache, search."""
