"""Read-only links to sessions."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_5"
down_revision = "sessions_4"


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
    )


def downgrade() -> None:
    op.drop_table("shares")
