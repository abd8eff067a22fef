"""What the library keeps."""

from django.db import models


class Author(models.Model):
    """Who writes."""

    name = models.CharField(max_length=80)
    born = models.IntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.name)


class Book(models.Model):
    """What is read."""

    title = models.CharField(max_length=80)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    year = models.IntegerField()
    lent = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.title)


class Remark(models.Model):
    """What a reader says of it."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    text = models.TextField()

    def __str__(self) -> str:
        return str(self.text)
