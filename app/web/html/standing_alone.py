"""Whether a program imports what it calls `np`: needless here, but elsewhere it does not run."""

from __future__ import annotations

import ast
import warnings

from app.web.html.text import as_text


def stands_alone(source: bytes) -> bool:
    """Whether a submission runs elsewhere as it is."""
    return imports_numpy(as_text(source))


def imports_numpy(source: str) -> bool:
    """False where the name `np` is read, and nothing in the source gives it a value.

    >>> imports_numpy("def f(x):\\n    return np.exp(x)")
    False
    >>> imports_numpy("import numpy as np\\nx = np.e"), imports_numpy("x = 1")
    (True, True)
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    names = [node for node in nodes if isinstance(node, ast.Name) and node.id == "np"]
    aliases = [node for node in nodes if isinstance(node, ast.alias)]
    imported = any((one.asname or one.name) == "np" for one in aliases)
    assigned = any(not isinstance(node.ctx, ast.Load) for node in names)
    given = any(isinstance(node, ast.arg) and node.arg == "np" for node in nodes)
    return not names or imported or assigned or given
