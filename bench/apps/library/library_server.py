"""Serves the library: `python -m bench.apps.library.library_server FOLDER`."""

import sys
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

from bench.apps.wsgi_server import LoopbackServer

USER = "keeper"
PASSWORD = "tide-and-time"  # noqa: S105  of a server that runs only during a test
BOOKS = 30
APPS = (
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "bench.apps.library",
)
MIDDLEWARE = (
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
)
CONTEXTS = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
)


def serve_library(folder: Path) -> None:
    """Create the database in `folder` and serve the library until killed."""
    _configure_django(folder)
    application = StaticFilesHandler(get_wsgi_application())
    _create_records()
    LoopbackServer().serve(application)


def _configure_django(folder: Path) -> None:
    settings.configure(
        SECRET_KEY="bench",  # noqa: S106  reachable on loopback only
        DEBUG=True,
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="bench.apps.library.urls",
        STATIC_URL="/static/",
        INSTALLED_APPS=APPS,
        MIDDLEWARE=MIDDLEWARE,
        MIGRATION_MODULES={
            app.rpartition(".")[2]: None for app in APPS
        },  # create tables without migrations
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],  # fast to compute
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        DATABASES={
            "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "library.db"}
        },
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": CONTEXTS},
            }
        ],
    )
    django.setup()


def _create_records() -> None:
    call_command("migrate", run_syncdb=True, verbosity=0)
    users = get_user_model().objects
    if users.exists():
        return
    users.create_superuser(USER, "", PASSWORD)
    author, book = apps.get_model("library", "Author"), apps.get_model("library", "Book")
    authors = [author.objects.create(name=f"Author {number}") for number in range(1, 6)]
    for number in range(1, BOOKS + 1):
        writer = authors[number % len(authors)]
        book.objects.create(title=f"Book {number}", author=writer, year=1900 + number)


if __name__ == "__main__":
    serve_library(Path(sys.argv[1]))
