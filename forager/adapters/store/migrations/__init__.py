"""The tables of each file of the data folder, revision by revision, for Alembic.

Each file has its own history: `sessions_1`, `sessions_2` … for sessions.sqlite. The first revisions
keep tables that exist, because version 0.1 wrote no revision into its files.

To change a table, add a revision with both directions to `versions`, name it in HEADS of
`forager/adapters/store/table_revisions.py`, and change the table where the program declares it.
"""
