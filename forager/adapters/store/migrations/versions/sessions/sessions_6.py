"""Sessions whose answer has a part that is weaker than `answered` says."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_6"
down_revision = "sessions_5"


def upgrade() -> None:
    column = sa.Column("uncertain", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("sessions", column)


def downgrade() -> None:
    op.drop_column("sessions", "uncertain")
