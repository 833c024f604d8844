"""How Alembic runs our migrations: on the connection it is handed, or as SQL text (`--sql`)."""

from __future__ import annotations

from alembic import context

from app.storage import schema_classes, schema_lti
from app.storage.schema import metadata

# Tables stand in `metadata` once their modules are loaded.
TABLES = (schema_classes, schema_lti)

connection = context.config.attributes.get("connection")
if connection is None:
    context.configure(
        dialect_name=context.config.get_main_option("dialect") or "postgresql",
        target_metadata=metadata,
        output_buffer=context.config.output_buffer,
    )
else:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
    )
with context.begin_transaction():
    context.run_migrations()
