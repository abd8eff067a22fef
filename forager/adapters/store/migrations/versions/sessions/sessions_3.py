"""Sessions that were pinned, which no clean-up deletes."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_3"
down_revision = "sessions_2"


def upgrade() -> None:
    column = sa.Column("pinned", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("sessions", column)


def downgrade() -> None:
    op.drop_column("sessions", "pinned")
