"""Word lists of all languages as TOML, one file a subject, and their reader."""
