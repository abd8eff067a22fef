"""A library in Django's admin: books, their authors, and readers' remarks."""
