"""checkpoints.sqlite as version 0.1 wrote it, besides the tables of LangGraph's saver."""

from alembic import op

revision = "checkpoints_1"
down_revision = None
branch_labels = ("checkpoints",)


def upgrade() -> None:
    op.execute("""
        CREATE TABLE IF NOT EXISTS pieces (
            thread_id TEXT NOT NULL,
            digest TEXT NOT NULL,
            type TEXT NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (thread_id, digest)
        )
    """)
    op.execute("""
        CREATE TABLE IF NOT EXISTS channel_values (
            thread_id TEXT NOT NULL,
            checkpoint_ns TEXT NOT NULL,
            channel TEXT NOT NULL,
            version TEXT NOT NULL,
            many INTEGER NOT NULL,
            digests BLOB NOT NULL,
            PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
        )
    """)


def downgrade() -> None:
    for table in ("channel_values", "pieces"):
        op.drop_table(table)
