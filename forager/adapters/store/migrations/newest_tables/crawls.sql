CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE hosts (
	host TEXT NOT NULL, 
	next FLOAT NOT NULL, 
	PRIMARY KEY (host)
);
CREATE TABLE surveys (
	site TEXT NOT NULL, 
	surveyed FLOAT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (site)
);
INSERT INTO alembic_version VALUES ('crawls_1')