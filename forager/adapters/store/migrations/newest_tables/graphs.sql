CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE versions (
	name TEXT COLLATE "NOCASE" NOT NULL, 
	number INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	note TEXT NOT NULL, 
	author TEXT NOT NULL, 
	time REAL NOT NULL, 
	origin TEXT NOT NULL, 
	PRIMARY KEY (name, number)
);
CREATE TABLE numbers (
	name TEXT COLLATE "NOCASE", 
	last INTEGER, 
	PRIMARY KEY (name)
);
INSERT INTO alembic_version VALUES ('graphs_1')