"""A Django app: a library of books, authors and readers' remarks."""
