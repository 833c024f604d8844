"""The pages and what their forms do."""
