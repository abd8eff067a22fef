CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE sessions (
	id VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	question TEXT NOT NULL, 
	graph VARCHAR(200) NOT NULL, 
	graph_hash VARCHAR(64) NOT NULL, 
	graph_body TEXT NOT NULL, 
	model TEXT NOT NULL, 
	status VARCHAR(20) NOT NULL, 
	error TEXT NOT NULL, 
	mend TEXT NOT NULL, 
	asked VARCHAR(20) NOT NULL, title TEXT DEFAULT '' NOT NULL, forked_from VARCHAR(64) DEFAULT '' NOT NULL, forked_step INTEGER DEFAULT '0' NOT NULL, since FLOAT DEFAULT '0' NOT NULL, answer TEXT DEFAULT '' NOT NULL, pages INTEGER DEFAULT '0' NOT NULL, spend TEXT DEFAULT '' NOT NULL, pinned BOOLEAN DEFAULT 0 NOT NULL, tags TEXT DEFAULT '' NOT NULL, uncertain BOOLEAN DEFAULT 0 NOT NULL, searched VARCHAR(20) DEFAULT '' NOT NULL, written_by TEXT DEFAULT '' NOT NULL, doubt VARCHAR(20) DEFAULT '' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE events (
	session VARCHAR(64) NOT NULL, 
	seq INTEGER NOT NULL, 
	time FLOAT NOT NULL, 
	node VARCHAR(200) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	message TEXT NOT NULL, 
	data TEXT NOT NULL, 
	PRIMARY KEY (session, seq), 
	FOREIGN KEY(session) REFERENCES sessions (id)
);
CREATE TABLE replies (
	session VARCHAR(64) NOT NULL, 
	task VARCHAR(64) NOT NULL, 
	reply TEXT NOT NULL, sent BLOB, 
	PRIMARY KEY (session, task), 
	FOREIGN KEY(session) REFERENCES sessions (id)
);
CREATE TABLE turns (
	session VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (session, number), 
	FOREIGN KEY(session) REFERENCES sessions (id)
);
CREATE TABLE paid (
	session VARCHAR(80) NOT NULL, 
	spend TEXT NOT NULL, 
	PRIMARY KEY (session)
);
CREATE TABLE pleas (
	session VARCHAR(80) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	time FLOAT NOT NULL, 
	plea TEXT NOT NULL, 
	answer BOOLEAN, 
	PRIMARY KEY (session, id)
);
CREATE TABLE steers (
	session VARCHAR(80) NOT NULL, 
	seq INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	laid BOOLEAN NOT NULL, 
	PRIMARY KEY (session, seq)
);
CREATE TABLE let_go (
	session VARCHAR(80) NOT NULL, 
	act VARCHAR(64) NOT NULL, 
	PRIMARY KEY (session, act)
);
CREATE TABLE remembered (
	session VARCHAR(64) NOT NULL, 
	seq INTEGER NOT NULL, 
	place VARCHAR(200) NOT NULL, 
	user VARCHAR(200) NOT NULL, 
	PRIMARY KEY (session)
);
CREATE TABLE forgotten (
	id VARCHAR(200) NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE shares (
	session VARCHAR(64) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	PRIMARY KEY (session), 
	UNIQUE (token)
);
INSERT INTO alembic_version VALUES ('sessions_10')