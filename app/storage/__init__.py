"""Everything durable, on SQLAlchemy Core: SQLite on one machine, PostgreSQL for many."""
