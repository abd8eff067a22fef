"""drafts.sqlite as version 0.1 wrote it."""

from alembic import op

revision = "drafts_1"
down_revision = None
branch_labels = ("drafts",)


def upgrade() -> None:
    op.execute("""
        CREATE TABLE IF NOT EXISTS drafts (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            origin TEXT NOT NULL,
            base INTEGER NOT NULL,
            kept TEXT NOT NULL,
            typed TEXT NOT NULL,
            revision INTEGER NOT NULL,
            place INTEGER NOT NULL,
            time REAL NOT NULL
        )
    """)
    op.execute("""
        CREATE TABLE IF NOT EXISTS steps (
            draft TEXT NOT NULL,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (draft, number)
        )
    """)


def downgrade() -> None:
    for table in ("steps", "drafts"):
        op.drop_table(table)
