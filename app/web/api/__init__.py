"""The interface: JSON under /api/ and the document that describes it."""
