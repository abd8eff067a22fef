"""The tables of accounts."""

from sqlalchemy import Column, Double, Integer, MetaData, Table, Text

TABLES = MetaData()
ACCOUNTS = Table(
    "accounts",
    TABLES,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("email", Text, nullable=True, unique=True),
    Column("role", Text, nullable=False),
    Column("password", Text, nullable=True),
    *(Column(name, Integer, nullable=False) for name in ("disabled", "home", "stamp")),
    Column("usd_per_month", Double, nullable=True),
    Column("sessions_at_once", Integer, nullable=True),
    Column("created", Double, nullable=False),
)
TOKENS = Table(
    "account_tokens",
    TABLES,
    Column("id", Text, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("account", "name", "scope")),
    Column("digest", Text, nullable=False, unique=True),
    Column("created", Double, nullable=False),
    *(Column(name, Double, nullable=True) for name in ("used", "expires")),
)
SHARES = Table(
    "account_shares",
    TABLES,
    Column("id", Text, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("owner", "kind", "thing", "recipient")),
    Column("created", Double, nullable=False),
)
SPENDING = Table(
    "account_spending",
    TABLES,
    Column("account", Text, primary_key=True),
    Column("month", Text, primary_key=True),
    Column("usd", Double, nullable=False),
)
