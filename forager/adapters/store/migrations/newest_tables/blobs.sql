CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE blobs (digest TEXT PRIMARY KEY, body BLOB NOT NULL, kind TEXT DEFAULT '' NOT NULL) WITHOUT ROWID
    ;
INSERT INTO alembic_version VALUES ('blobs_2')