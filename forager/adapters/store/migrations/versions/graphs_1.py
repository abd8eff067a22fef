"""graphs.sqlite as version 0.1 wrote it."""

from alembic import op

revision = "graphs_1"
down_revision = None
branch_labels = ("graphs",)


def upgrade() -> None:
    op.execute("""
        CREATE TABLE IF NOT EXISTS versions (
            name TEXT NOT NULL COLLATE NOCASE,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            spec TEXT NOT NULL,
            hash TEXT NOT NULL,
            note TEXT NOT NULL,
            author TEXT NOT NULL,
            time REAL NOT NULL,
            origin TEXT NOT NULL,
            PRIMARY KEY (name, number)
        )
    """)
    op.execute("""
        CREATE TABLE IF NOT EXISTS numbers (name TEXT PRIMARY KEY COLLATE NOCASE, last INTEGER)
    """)


def downgrade() -> None:
    for table in ("numbers", "versions"):
        op.drop_table(table)
