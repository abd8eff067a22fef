"""checkpoints.sqlite as version 0.1 wrote it, besides the tables of LangGraph's saver."""

import sqlalchemy as sa
from alembic import op

revision = "checkpoints_1"
down_revision = None
branch_labels = ("checkpoints",)


def upgrade() -> None:
    op.create_table(
        "pieces",
        sa.Column("thread_id", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "channel_values",
        sa.Column("thread_id", sa.Text, primary_key=True),
        sa.Column("checkpoint_ns", sa.Text, primary_key=True),
        sa.Column("channel", sa.Text, primary_key=True),
        sa.Column("version", sa.Text, primary_key=True),
        sa.Column("many", sa.Integer, nullable=False),
        sa.Column("digests", sa.LargeBinary, nullable=False),
        if_not_exists=True,
    )


def downgrade() -> None:
    for table in ("channel_values", "pieces"):
        op.drop_table(table)
