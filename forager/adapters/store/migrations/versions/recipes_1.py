"""recipes.sqlite as version 0.1 wrote it."""

from alembic import op

revision = "recipes_1"
down_revision = None
branch_labels = ("recipes",)


def upgrade() -> None:
    op.execute("""
        CREATE TABLE IF NOT EXISTS recipes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            asked TEXT NOT NULL,
            host TEXT NOT NULL,
            question TEXT NOT NULL,
            site TEXT NOT NULL,
            actions TEXT NOT NULL,
            kept REAL NOT NULL,
            UNIQUE (asked, host)
        )
    """)


def downgrade() -> None:
    op.drop_table("recipes")
