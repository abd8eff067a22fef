"""drafts.sqlite as version 0.1 wrote it."""

import sqlalchemy as sa
from alembic import op

revision = "drafts_1"
down_revision = None
branch_labels = ("drafts",)
REAL: sa.Double[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "drafts",
        sa.Column("id", sa.Text, primary_key=True, nullable=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "origin")),
        sa.Column("base", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("kept", "typed")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("revision", "place")),
        sa.Column("time", REAL, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "steps",
        sa.Column("draft", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
        if_not_exists=True,
    )


def downgrade() -> None:
    for table in ("steps", "drafts"):
        op.drop_table(table)
