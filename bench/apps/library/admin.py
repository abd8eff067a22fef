"""The library in Django's admin site."""

from django.contrib import admin

from bench.apps.library.models import Author, Book, Remark


class RemarkInline(admin.TabularInline):
    """Edits remarks on the page of their book."""

    model = Remark
    extra = 1


class BookAdmin(admin.ModelAdmin):
    """Lists books with search and filters; `lent` is editable in the list."""

    list_display = ("title", "author", "year", "lent")
    list_editable = ("lent",)
    list_filter = ("lent", "year")
    search_fields = ("title",)
    inlines = (RemarkInline,)


admin.site.register(Book, BookAdmin)
admin.site.register(Author)
