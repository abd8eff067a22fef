"""The script that Alembic runs: applies the revisions on the given connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
