CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE drafts (
	id TEXT, 
	name TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	base INTEGER NOT NULL, 
	kept TEXT NOT NULL, 
	typed TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	time REAL NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE steps (
	draft TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (draft, number)
);
INSERT INTO alembic_version VALUES ('drafts_1')