"""The locks a child puts on before it reads a byte that a learner wrote."""
