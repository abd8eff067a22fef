CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE accounts (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	email TEXT, 
	role TEXT NOT NULL, 
	password TEXT, 
	disabled INTEGER NOT NULL, 
	home INTEGER NOT NULL, 
	stamp INTEGER NOT NULL, 
	usd_per_month DOUBLE, 
	sessions_at_once INTEGER, 
	created DOUBLE NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	UNIQUE (email)
);
CREATE TABLE account_tokens (
	id TEXT NOT NULL, 
	account TEXT NOT NULL, 
	name TEXT NOT NULL, 
	scope TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	used DOUBLE, 
	expires DOUBLE, 
	PRIMARY KEY (id), 
	UNIQUE (digest)
);
CREATE TABLE account_shares (
	id TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	thing TEXT NOT NULL, 
	recipient TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (owner, kind, thing, recipient)
);
CREATE TABLE account_spending (
	account TEXT NOT NULL, 
	month TEXT NOT NULL, 
	usd DOUBLE NOT NULL, 
	PRIMARY KEY (account, month)
);
INSERT INTO alembic_version VALUES ('accounts_1')