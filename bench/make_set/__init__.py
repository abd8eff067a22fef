"""Fresh question sets: packages fetched, pages sampled, forms written, questions checked."""
