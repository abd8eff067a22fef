"""Accounts, their tokens, what they share and what they spend."""

import sqlalchemy as sa
from alembic import op

revision = "accounts_1"
down_revision = None
branch_labels = ("accounts",)


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("email", sa.Text, nullable=True, unique=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("disabled", "home", "stamp")),
        sa.Column("usd_per_month", sa.Double, nullable=True),
        sa.Column("sessions_at_once", sa.Integer, nullable=True),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "account_tokens",
        sa.Column("id", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("account", "name", "scope")),
        sa.Column("digest", sa.Text, nullable=False, unique=True),
        sa.Column("created", sa.Double, nullable=False),
        *(sa.Column(name, sa.Double, nullable=True) for name in ("used", "expires")),
    )
    op.create_table(
        "account_shares",
        sa.Column("id", sa.Text, primary_key=True),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("owner", "kind", "thing", "recipient")
        ),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("owner", "kind", "thing", "recipient"),
    )
    op.create_table(
        "account_spending",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("month", sa.Text, primary_key=True),
        sa.Column("usd", sa.Double, nullable=False),
    )


def downgrade() -> None:
    for table in ("account_spending", "account_shares", "account_tokens", "accounts"):
        op.drop_table(table)
