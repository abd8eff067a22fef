CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE recipes (
	id INTEGER PRIMARY KEY AUTOINCREMENT, 
	asked TEXT NOT NULL, 
	host TEXT NOT NULL, 
	question TEXT NOT NULL, 
	site TEXT NOT NULL, 
	actions TEXT NOT NULL, 
	kept REAL NOT NULL, 
	UNIQUE (asked, host)
);
INSERT INTO alembic_version VALUES ('recipes_1')