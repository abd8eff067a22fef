"""blobs.sqlite as version 0.1 wrote it."""

from alembic import op

revision = "blobs_1"
down_revision = None
branch_labels = ("blobs",)


def upgrade() -> None:
    op.execute("""
        CREATE TABLE IF NOT EXISTS blobs (digest TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID
    """)


def downgrade() -> None:
    op.drop_table("blobs")
