"""A report as a page shows it: rows, tables, traces, numbers."""
