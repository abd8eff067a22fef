"""When hosts may be asked next, and the surveys of sites."""

import sqlalchemy as sa
from alembic import op

revision = "crawls_1"
down_revision = None
branch_labels = ("crawls",)


def upgrade() -> None:
    op.create_table(
        "hosts",
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("next", sa.Float, nullable=False),
    )
    op.create_table(
        "surveys",
        sa.Column("site", sa.Text, primary_key=True),
        sa.Column("surveyed", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("surveys")
    op.drop_table("hosts")
