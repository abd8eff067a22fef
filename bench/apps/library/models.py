"""The library's tables."""

from django.db import models


class Author(models.Model):
    """An author of books."""

    name = models.CharField(max_length=80)
    born = models.IntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.name)


class Book(models.Model):
    """A book by one author."""

    title = models.CharField(max_length=80)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    year = models.IntegerField()
    lent = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.title)


class Remark(models.Model):
    """A reader's remark on a book."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    text = models.TextField()

    def __str__(self) -> str:
        return str(self.text)
