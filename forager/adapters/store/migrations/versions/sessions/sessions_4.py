"""Tags of sessions, by which lists are filtered."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_4"
down_revision = "sessions_3"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("tags", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("sessions", "tags")
