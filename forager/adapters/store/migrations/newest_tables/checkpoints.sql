CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE pieces (
	thread_id TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	type TEXT NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (thread_id, digest)
);
CREATE TABLE channel_values (
	thread_id TEXT NOT NULL, 
	checkpoint_ns TEXT NOT NULL, 
	channel TEXT NOT NULL, 
	version TEXT NOT NULL, 
	many INTEGER NOT NULL, 
	digests BLOB NOT NULL, 
	PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
);
INSERT INTO alembic_version VALUES ('checkpoints_1')