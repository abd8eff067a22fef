"""Answers of older sessions are to be rated anew: some are shown as less than their status says."""

import sqlalchemy as sa
from alembic import op

revision = "sessions_10"
down_revision = "sessions_9"

SESSIONS = sa.table("sessions", sa.column("status"), sa.column("doubt"))
UNRATED = "unrated"


def upgrade() -> None:
    older = SESSIONS.c.status == "answered", SESSIONS.c.doubt == ""
    op.execute(sa.update(SESSIONS).where(*older).values(doubt=UNRATED))


def downgrade() -> None:
    op.execute(sa.update(SESSIONS).where(SESSIONS.c.doubt == UNRATED).values(doubt=""))
