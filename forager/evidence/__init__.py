"""The ledger of quotes: passages, agreement and conflict, rows of lists."""
