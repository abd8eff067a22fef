"""The library's pages in the admin."""

from django.contrib import admin

from bench.apps.library.models import Author, Book, Remark


class RemarkInline(admin.TabularInline):
    """Remarks are written beside their book."""

    model = Remark
    extra = 1


class BookAdmin(admin.ModelAdmin):
    """Books can be searched, filtered, and lent in the list itself."""

    list_display = ("title", "author", "year", "lent")
    list_editable = ("lent",)
    list_filter = ("lent", "year")
    search_fields = ("title",)
    inlines = (RemarkInline,)


admin.site.register(Book, BookAdmin)
admin.site.register(Author)
