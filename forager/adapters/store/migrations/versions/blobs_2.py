"""The kind of each blob; empty where an older version stored it."""

import sqlalchemy as sa
from alembic import op

revision = "blobs_2"
down_revision = "blobs_1"


def upgrade() -> None:
    op.add_column("blobs", sa.Column("kind", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("blobs", "kind")
