"""recipes.sqlite as version 0.1 wrote it."""

import sqlalchemy as sa
from alembic import op

revision = "recipes_1"
down_revision = None
branch_labels = ("recipes",)
REAL: sa.Double[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "recipes",
        sa.Column("id", sa.Integer, primary_key=True, nullable=True, autoincrement=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("asked", "host", "question")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("site", "actions")),
        sa.Column("kept", REAL, nullable=False),
        sa.UniqueConstraint("asked", "host"),
        if_not_exists=True,
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("recipes")
