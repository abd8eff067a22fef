"""What an answer is shown as where that is less than its status says."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_9"
down_revision = "sessions_8"


def upgrade() -> None:
    column = sa.Column("doubt", sa.String(20), nullable=False, server_default="")
    op.add_column("sessions", column)


def downgrade() -> None:
    op.drop_column("sessions", "doubt")
