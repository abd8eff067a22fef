"""Small tools that know nothing of Forager: files, concurrency, suggestions."""
