CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE messages (
	id TEXT NOT NULL, 
	session TEXT NOT NULL, 
	url TEXT NOT NULL, 
	body TEXT NOT NULL, 
	tries INTEGER NOT NULL, 
	due FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO alembic_version VALUES ('webhooks_1')