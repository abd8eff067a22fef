"""sessions.sqlite as the first release wrote it."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_1"
down_revision = None
branch_labels = ("sessions",)


JSON_OR_NULL = """
CREATE OR REPLACE FUNCTION forager_json(body text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN RETURN body::jsonb; EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$
"""
"""The value of a JSON text; NULL for one that is damaged, as SQLite's functions let one ask."""


def on_server() -> bool:
    """Whether the tables are made on PostgreSQL."""
    return op.get_bind().dialect.name == "postgresql"


def of_session() -> sa.Column[str]:
    """The session of a row. SQLite does not look whether there is one, nor need a server."""
    known = [] if on_server() else [sa.ForeignKey("sessions.id")]
    return sa.Column("session", sa.String(64), *known, primary_key=True)


def upgrade() -> None:
    if on_server():
        op.execute(JSON_OR_NULL)
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
        of_session(),
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
        of_session(),
        sa.Column("task", sa.String(64), primary_key=True),
        sa.Column("reply", sa.Text, nullable=False),
        if_not_exists=True,
    )


def downgrade() -> None:
    for table in ("replies", "events", "sessions"):
        op.drop_table(table)
    if on_server():
        op.execute("DROP FUNCTION forager_json(text)")
