"""The tables of sessions."""

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    insert,
    literal,
    select,
)

TABLES = MetaData()
SESSIONS = Table(
    "sessions",
    TABLES,
    Column("id", String(64), primary_key=True),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("question", Text, nullable=False),
    Column("graph", String(200), nullable=False),
    Column("graph_hash", String(64), nullable=False),
    Column("graph_body", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("status", String(20), nullable=False),
    Column("error", Text, nullable=False),
    Column("mend", Text, nullable=False),
    Column("asked", String(20), nullable=False),
    Column("title", Text, nullable=False, server_default=""),
    Column("forked_from", String(64), nullable=False, server_default=""),
    Column("forked_step", Integer, nullable=False, server_default="0"),
    Column("since", Float, nullable=False, server_default="0"),
    Column("answer", Text, nullable=False, server_default=""),
    Column("pages", Integer, nullable=False, server_default="0"),
    Column("spend", Text, nullable=False, server_default=""),
    Column("pinned", Boolean, nullable=False, server_default=false()),
    Column("tags", Text, nullable=False, server_default=""),
    Column("uncertain", Boolean, nullable=False, server_default=false()),
    Column("doubt", String(20), nullable=False, server_default=""),
    Column("searched", String(20), nullable=False, server_default=""),
    Column("written_by", Text, nullable=False, server_default=""),
)
EVENTS = Table(
    "events",
    TABLES,
    Column("session", ForeignKey("sessions.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("time", Float, nullable=False),
    Column("node", String(200), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("message", Text, nullable=False),
    Column("data", Text, nullable=False),
)
REPLIES = Table(
    "replies",
    TABLES,
    Column("session", ForeignKey("sessions.id"), primary_key=True),
    Column("task", String(64), primary_key=True),
    Column("reply", Text, nullable=False),
    Column("sent", LargeBinary),
)
TURNS = Table(
    "turns",
    TABLES,
    Column("session", ForeignKey("sessions.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)
# What follows is kept for each turn: `session` is the id of a turn's thread.
PAID = Table(
    "paid",
    TABLES,
    Column("session", String(80), primary_key=True),
    Column("spend", Text, nullable=False),
)
APPROVAL_REQUESTS = Table(
    "pleas",
    TABLES,
    Column("session", String(80), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("time", Float, nullable=False),
    Column("plea", Text, nullable=False),
    Column("answer", Boolean),
)
STEERS = Table(
    "steers",
    TABLES,
    Column("session", String(80), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("laid", Boolean, nullable=False),
)
BEGUN_ACTIONS = Table(
    "let_go",
    TABLES,
    Column("session", String(80), primary_key=True),
    Column("act", String(64), primary_key=True),
)

REMEMBERED = Table(
    "remembered",
    TABLES,
    Column("session", String(64), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("place", String(200), nullable=False),
    Column("user", String(200), nullable=False),
)
SHARES = Table(
    "shares",
    TABLES,
    Column("session", String(64), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
)
FORGOTTEN = Table("forgotten", TABLES, Column("id", String(200), primary_key=True))


def copy_rows(
    db: Connection, table: Table, source: str, target: str, *where: ColumnElement[bool]
) -> None:
    """Copy the rows of one session or thread that match `where` to another."""
    names = [column.name for column in table.columns if column.name != "session"]
    columns = [table.c[name] for name in names]
    rows = select(literal(target), *columns).where(table.c.session == source, *where)
    db.execute(insert(table).from_select(["session", *names], rows))
