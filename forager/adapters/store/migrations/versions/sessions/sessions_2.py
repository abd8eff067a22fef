"""sessions.sqlite as version 0.1 wrote it: titles, forks, turns, approvals, spend and memory."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from forager.adapters.store.migrations.versions.sessions.sessions_1 import of_session

revision = "sessions_2"
down_revision = "sessions_1"


def columns() -> dict[str, tuple[sa.Column[Any], ...]]:
    """The columns that were added, by table."""
    return {
        "sessions": (
            sa.Column("title", sa.Text, nullable=False, server_default=""),
            sa.Column("forked_from", sa.String(64), nullable=False, server_default=""),
            sa.Column("forked_step", sa.Integer, nullable=False, server_default="0"),
            sa.Column("since", sa.Float, nullable=False, server_default="0"),
            sa.Column("answer", sa.Text, nullable=False, server_default=""),
            sa.Column("pages", sa.Integer, nullable=False, server_default="0"),
            sa.Column("spend", sa.Text, nullable=False, server_default=""),
        ),
        "replies": (sa.Column("sent", sa.LargeBinary),),
    }


def tables() -> dict[str, tuple[sa.Column[Any], ...]]:
    """The tables that were added, with their columns."""
    return {
        "turns": (
            of_session(),
            sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("body", sa.Text, nullable=False),
        ),
        "paid": (
            sa.Column("session", sa.String(80), primary_key=True),
            sa.Column("spend", sa.Text, nullable=False),
        ),
        "pleas": (
            sa.Column("session", sa.String(80), primary_key=True),
            sa.Column("id", sa.String(64), primary_key=True),
            sa.Column("time", sa.Float, nullable=False),
            sa.Column("plea", sa.Text, nullable=False),
            sa.Column("answer", sa.Boolean),
        ),
        "steers": (
            sa.Column("session", sa.String(80), primary_key=True),
            sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("body", sa.Text, nullable=False),
            sa.Column("laid", sa.Boolean, nullable=False),
        ),
        "let_go": (
            sa.Column("session", sa.String(80), primary_key=True),
            sa.Column("act", sa.String(64), primary_key=True),
        ),
        "remembered": (
            sa.Column("session", sa.String(64), primary_key=True),
            sa.Column("seq", sa.Integer, nullable=False),
            sa.Column("place", sa.String(200), nullable=False),
            sa.Column("user", sa.String(200), nullable=False),
        ),
        "forgotten": (sa.Column("id", sa.String(200), primary_key=True),),
    }


def upgrade() -> None:
    found = sa.inspect(op.get_bind())
    for table, added in columns().items():
        there = {column["name"] for column in found.get_columns(table)}
        for column in added:
            if column.name not in there:
                op.add_column(table, column)
    for table, whole in tables().items():
        op.create_table(table, *whole, if_not_exists=True)


def downgrade() -> None:
    for table in tables():
        op.drop_table(table)
    for table, added in columns().items():
        for column in added:
            op.drop_column(table, column.name)
