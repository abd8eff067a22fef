"""graphs.sqlite as version 0.1 wrote it; names are the same whatever the case of their letters."""

import sqlalchemy as sa
from alembic import op

revision = "graphs_1"
down_revision = None
branch_labels = ("graphs",)
REAL: sa.Double[float] = sa.Double().with_variant(sa.REAL(), "sqlite")
NO_CASE = """
CREATE COLLATION IF NOT EXISTS "NOCASE"
(provider = icu, locale = 'und-u-ks-level2', deterministic = false)
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(NO_CASE)
    op.create_table(
        "versions",
        sa.Column("name", sa.Text(collation="NOCASE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("text", "spec", "hash")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("note", "author")),
        sa.Column("time", REAL, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "numbers",
        sa.Column("name", sa.Text(collation="NOCASE"), primary_key=True, nullable=True),
        sa.Column("last", sa.Integer),
        if_not_exists=True,
    )


def downgrade() -> None:
    for table in ("numbers", "versions"):
        op.drop_table(table)
