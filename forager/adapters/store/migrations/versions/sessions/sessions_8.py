"""The model that wrote the answer of an imported session, which goes on with another one."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_8"
down_revision = "sessions_7"


def upgrade() -> None:
    column = sa.Column("written_by", sa.Text, nullable=False, server_default="")
    op.add_column("sessions", column)


def downgrade() -> None:
    op.drop_column("sessions", "written_by")
