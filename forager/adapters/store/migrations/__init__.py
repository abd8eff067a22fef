"""Alembic migrations of the tables in the data folder.

Each file has its own history: `sessions_1`, `sessions_2` … for sessions.sqlite. The first revisions
keep existing tables, because version 0.1 wrote no revision into its files.

To change a table, add a revision with `upgrade` and `downgrade` to `versions`, name it in HEADS of
`forager/adapters/store/store_files.py`, and change the table where the program declares it.
"""
