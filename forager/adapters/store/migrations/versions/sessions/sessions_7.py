"""Where a session without sites has searched, if not on the web alone."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_7"
down_revision = "sessions_6"


def upgrade() -> None:
    column = sa.Column("searched", sa.String(20), nullable=False, server_default="")
    op.add_column("sessions", column)


def downgrade() -> None:
    op.drop_column("sessions", "searched")
