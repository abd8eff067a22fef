"""Messages to webhooks that were not taken yet."""

import sqlalchemy as sa
from alembic import op

revision = "webhooks_1"
down_revision = None
branch_labels = ("webhooks",)


def upgrade() -> None:
    op.create_table(
        "messages",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("messages")
