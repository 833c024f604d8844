"""What an exception means: where it happened, the shapes of its operands, and what to try."""
