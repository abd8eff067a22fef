"""Public question sets asked in full: rows, predictions, tables and a report page."""
