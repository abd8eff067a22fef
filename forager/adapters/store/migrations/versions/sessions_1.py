"""sessions.sqlite as the first release wrote it."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_1"
down_revision = None
branch_labels = ("sessions",)


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("graph", sa.String(200), nullable=False),
        sa.Column("graph_hash", sa.String(64), nullable=False),
        sa.Column("graph_body", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("mend", sa.Text, nullable=False),
        sa.Column("asked", sa.String(20), nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "events",
        sa.Column("session", sa.String(64), sa.ForeignKey("sessions.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("node", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "replies",
        sa.Column("session", sa.String(64), sa.ForeignKey("sessions.id"), primary_key=True),
        sa.Column("task", sa.String(64), primary_key=True),
        sa.Column("reply", sa.Text, nullable=False),
        if_not_exists=True,
    )


def downgrade() -> None:
    for table in ("replies", "events", "sessions"):
        op.drop_table(table)
